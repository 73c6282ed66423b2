"""Errors of the daemon and the exit codes of the command line."""

from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    """What `boardctl` tells the shell (the numbers are a public promise)."""

    DONE = 0
    FAILED = 1
    BAD_REQUEST = 2
    HARDWARE_UNAVAILABLE = 69
    BAD_CONFIGURATION = 78


class BoardctlError(Exception):
    """Anything the command line reports in one line instead of a traceback."""

    exit_code = ExitCode.FAILED


class BadRequestError(BoardctlError, ValueError):
    """The request was wrong: a bad argument, an illegal move, an unreadable text."""

    exit_code = ExitCode.BAD_REQUEST


class NotNowError(BadRequestError):
    """The request is sound, but cannot be fulfilled as things stand."""


class ConfigurationError(BoardctlError, ValueError):
    """The configuration is wrong; `problems` lists every fault, one line each."""

    exit_code = ExitCode.BAD_CONFIGURATION

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class HardwareUnavailableError(BoardctlError, OSError):
    """The bus or the strip is not there."""

    exit_code = ExitCode.HARDWARE_UNAVAILABLE
