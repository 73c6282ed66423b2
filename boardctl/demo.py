"""The demonstration: a simulated board, and the page's process started beside it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardctl.config import parse
from boardctl.errors import BadRequestError, BoardctlError
from boardctl.token import ensure_token, write_token

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boardctl.config import Loaded
    from boardctl.core.occupancy import Instant

log = logging.getLogger(__name__)

HOST: Final = "127.0.0.1"
MIN_TOKEN: Final = 8
"""A shorter token is refused by the page as too easy to guess."""

_PREFIX: Final = "boardctl-"
_IN_USE: Final = "in-use"
"""The file in a demonstration's folder that it keeps locked; the kernel unlocks it at its end."""

_LAST_PORT: Final = 65_535
_CHECK_S: Final = 0.5
_MOST_RESTARTS: Final = 5
_STOP_WITHIN_S: Final = 3.0
_CHILD: Final = """
import contextlib, ctypes, os, signal, sys
parent = int(sys.argv.pop(1))
with contextlib.suppress(OSError, AttributeError):
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
if os.getppid() == parent:
    from boardctl.web.server import main
    main()
"""
"""The page's process: `python -m boardctl.web`, but the kernel ends it with its parent, even one
that is killed outright. 1 is PR_SET_PDEATHSIG (linux/prctl.h); elsewhere it ends with `close`."""


class PageError(BoardctlError):
    """The page's process cannot be kept running."""


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Yield a private folder for the socket, the archive and the token of one demonstration.

    Those of demonstrations that were killed are cleared away.
    """
    _clear_away(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
        # Locked before it has its name: nobody finds it unlocked while we live.
        fresh = Path(name, f"{_IN_USE}.new")
        with fresh.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            fresh.rename(Path(name, _IN_USE))
            yield Path(name)


def _clear_away(parent: Path) -> None:
    """Remove our user's folders whose demonstration has ended without doing so."""
    for mark in parent.glob(f"{_PREFIX}*/{_IN_USE}"):
        with contextlib.suppress(OSError):
            if mark.parent.lstat().st_uid != os.geteuid():
                continue
            with mark.open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(mark.parent)


def configuration(where: Path, variant: str, environ: Mapping[str, str]) -> Loaded:
    """Return the configuration of a demonstration in the folder *where*.

    Raises:
        BadRequestError: *variant* is no game.
    """
    from boardctl.errors import ConfigurationError  # noqa: PLC0415  for the one handler below

    overrides = {
        **environ,
        "BOARDCTL_TABLE__VARIANT": variant,
        "BOARDCTL_SWITCHES__DRIVER": "simulated",
        "BOARDCTL_LEDS__DRIVER": "simulated",
        "BOARDCTL_RUN__STATE_DIR": str(where),
        "BOARDCTL_RUN__SOCKET": str(where / "link"),
    }
    try:
        return parse("", None, overrides)
    except ConfigurationError as error:
        mine = "BOARDCTL_TABLE__VARIANT: table.variant: "
        if len(error.problems) == 1 and error.problems[0].startswith(mine):
            raise BadRequestError(error.problems[0].removeprefix(mine)) from error
        raise


def token(where: Path, wanted: str | None) -> str:
    """Put the operator's token into the folder and return it; None: an unguessable one.

    Raises:
        BadRequestError: the wanted token cannot be one.
    """
    if wanted is None:
        return ensure_token(where / "token")
    if len(wanted) < MIN_TOKEN or not wanted.isascii() or not wanted.isprintable():
        raise BadRequestError(f"--token needs at least {MIN_TOKEN} printable ASCII characters")
    return write_token(where / "token", wanted)


def listen(port: int) -> socket.socket:
    """Return a socket on which the page is served; it queues visitors from now on.

    Raises:
        BadRequestError: *port* is no port.
        PageError: it is in use, or may not be used.
    """
    if not 0 <= port <= _LAST_PORT:
        raise BadRequestError(f"--port {port}: a port is a number from 0 to {_LAST_PORT}")
    try:
        return socket.create_server((HOST, port), backlog=256)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PageError(f"port {port} is in use; choose another with --port") from error
        raise PageError(f"port {port} cannot be used: {error.strerror}") from error


class Page:
    """The page's process; restarted when it dies, ended with `close`."""

    def __init__(self, where: Path, listener: socket.socket) -> None:
        self._where = where
        self._listener = listener
        self._check_at: float | None = None
        self._restarts = 0
        self._process = self._start()

    def watch(self, now: Instant) -> None:
        """Start the process again if it has ended; call this as often as you like.

        Raises:
            PageError: it ends again and again.
        """
        if self._check_at is not None and now < self._check_at:
            return
        self._check_at = now + _CHECK_S
        code = self._process.poll()
        if code is None:
            return
        self._restarts += 1
        if self._restarts > _MOST_RESTARTS:
            raise PageError(f"the page's process ended {self._restarts} times (exit code {code})")
        log.warning("the page's process ended (exit code %s); starting it again", code)
        self._process = self._start()

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        fd = self._listener.fileno()
        return subprocess.Popen(  # noqa: S603  our own interpreter and module
            [
                *(sys.executable, "-c", _CHILD, str(os.getpid()), "--demo"),
                *("--socket", str(self._where / "link")),
                *("--token-file", str(self._where / "token")),
                *("--fd", str(fd)),
            ],
            stdin=subprocess.DEVNULL,
            pass_fds=(fd,),
            start_new_session=True,  # Ctrl-C is ours: we end it in order
        )
