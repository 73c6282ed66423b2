"""Where the daemon's files are, relative names resolved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boardctl.config.sections import Config


@dataclass(frozen=True, slots=True)
class Places:
    """The files of one table.

    Attributes:
        state: what must outlive a power cut.
        socket: the link to observers.
        archive: the database of games.
        backups: the directory of its daily copies; None: none are made.
        token: the operator's token.
    """

    state: Path
    socket: Path
    archive: Path
    backups: Path | None
    token: Path


def places(config: Config, environ: Mapping[str, str]) -> Places:
    """Resolve the files of *config*; systemd's STATE_DIRECTORY replaces the default one."""
    state = Path(config.run.state_dir)
    given = environ.get("STATE_DIRECTORY", "")
    if given and "state_dir" not in config.run.model_fields_set:
        state = Path(given.partition(":")[0])
    backup_dir = config.archive.backup_dir
    return Places(
        state=state,
        socket=Path(config.run.socket),
        archive=state / config.archive.file,
        backups=state / backup_dir if backup_dir else None,
        token=state / config.web.token_file,
    )
