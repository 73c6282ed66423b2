"""The games that were played: kept through power cuts, asked about, copied, carried away."""

from __future__ import annotations

from boardctl.archive.keeper import Keeper, Limits
from boardctl.archive.records import GameRecord, rebuild
from boardctl.archive.schema import ArchiveError, DamagedError, open_database
from boardctl.archive.store import Store
from boardctl.archive.writer import Archive

__all__ = [
    "Archive",
    "ArchiveError",
    "DamagedError",
    "GameRecord",
    "Keeper",
    "Limits",
    "Store",
    "open_database",
    "rebuild",
]
