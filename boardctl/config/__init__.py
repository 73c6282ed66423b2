"""The configuration: one TOML file, read whole, checked whole, then frozen."""

from __future__ import annotations

from boardctl.config.load import DEFAULT_FILE, Loaded, load, parse, sound_part
from boardctl.config.sections import (
    ArchiveSettings,
    ButtonSettings,
    Config,
    HintSettings,
    LedSettings,
    RunSettings,
    SwitchSettings,
    TableSettings,
    WebSettings,
)

__all__ = [
    "DEFAULT_FILE",
    "ArchiveSettings",
    "ButtonSettings",
    "Config",
    "HintSettings",
    "LedSettings",
    "Loaded",
    "RunSettings",
    "SwitchSettings",
    "TableSettings",
    "WebSettings",
    "load",
    "parse",
    "sound_part",
]
