"""The states a session can be in, as types."""

from __future__ import annotations

from typing import TypeAlias

from boardctl.core.attract import Attract
from boardctl.core.lessons import Teaching
from boardctl.core.menu import Menu
from boardctl.core.playing import Finished, Paused, Playing, Stopped
from boardctl.core.setup import Drawing, SetUp

Mode: TypeAlias = (
    SetUp | Drawing | Playing | Finished | Paused | Stopped | Attract | Menu | Teaching
)
"""Every mode has `state`, `since`, `step(desk, now)` and `deadlines(desk)`."""
