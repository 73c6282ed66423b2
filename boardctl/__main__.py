"""The `boardctl` command: runs one command and turns every failure into one line and a number."""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import sys
from typing import TYPE_CHECKING, Any

from boardctl.errors import BoardctlError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

_WRITING = {errno.EBADF, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""What goes wrong with a file that is open already, whose name the system does not tell."""

_INTERRUPTED = 130
"""128 + SIGINT: what a shell reports for a program ended by Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code; *arguments* default to those of the process."""
    _hold_streams()
    sys.exit(run(arguments))


def _hold_streams() -> None:
    """Put something in the place of standard streams that are closed (`boardctl ... >&-`).

    Else the next file or socket that is opened would be taken for one. Reading finds nothing,
    what is told on standard error is lost, and output fails as it should: it has nowhere to go.
    """
    for number, name, flags in (
        (0, "stdin", os.O_RDONLY),
        (1, "stdout", os.O_RDONLY),
        (2, "stderr", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            # The lowest free number is given, and all below are taken.
            os.open(os.devnull, flags)
            mode = "r" if number == 0 else "w"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Whatever goes wrong is told in one line on standard error (one line per problem for a wrong
    configuration). With `BOARDCTL_TRACEBACK=1` in the environment the traceback comes first.
    """
    try:
        from boardctl.cli import build  # noqa: PLC0415  a broken installation is told like the rest

        code = build()(args=arguments, prog_name="boardctl", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_has_gone()
    except SystemExit as leave:
        # typer makes this of a broken pipe that it meets itself.
        if isinstance(leave.__context__, BrokenPipeError):
            return _reader_has_gone()
        raise
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001  the last line of defence of a user's terminal
        return _report(error, sys.argv[1:] if arguments is None else arguments)
    return code if isinstance(code, int) else ExitCode.DONE


def _reader_has_gone() -> int:
    """Return the exit code when the reader (`head`) has seen enough."""
    _give_output_up()
    return ExitCode.DONE


def _give_output_up() -> None:
    """Drop what could not be written: without this Python complains of it again at exit."""
    with contextlib.suppress(OSError, ValueError):  # an output that is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(error: Exception, arguments: Sequence[str]) -> int:
    """Print *error* for a person and return the exit code it stands for."""
    if os.environ.get("BOARDCTL_TRACEBACK"):
        import traceback  # noqa: PLC0415  only on request

        traceback.print_exception(error)
    if isinstance(error, OSError) and error.errno in _WRITING:
        _give_output_up()
    code, text = describe(error, arguments)
    lines = [f"boardctl: {line}" for line in text.splitlines() or [""]]
    if type(error).__name__ == "NoArgsIsHelpError":  # its message is the whole help text
        lines = [str(error)]
    # The code is told even where words cannot be (a full disk, a terminal that has gone).
    with contextlib.suppress(OSError):
        for line in lines:
            print(line, file=sys.stderr)  # noqa: T201  this is the terminal
    return code


def describe(error: Exception, arguments: Sequence[str]) -> tuple[int, str]:
    """Return the exit code and the text (a line per problem) that *error* stands for.

    *arguments* are those of the command, which typer's errors do not name.
    """
    if isinstance(error, BoardctlError):
        return error.exit_code, str(error)
    usage = getattr(error, "format_message", None)  # typer's own errors, by shape: see _usage_text
    if usage is not None:
        code = int(getattr(error, "exit_code", ExitCode.BAD_REQUEST))
        return code, _usage_text(error, arguments)
    return _describe_foreign(error)


def _describe_foreign(error: Exception) -> tuple[int, str]:
    """Classify the errors of the packages below, which know no exit codes."""
    from engine.errors import EngineError  # noqa: PLC0415  only on failure
    from hardware.errors import HardwareError, WiringError  # noqa: PLC0415  only on failure

    if isinstance(error, EngineError):
        return ExitCode.BAD_REQUEST, str(error)
    if isinstance(error, WiringError):
        return ExitCode.BAD_CONFIGURATION, str(error)
    if isinstance(error, HardwareError):
        return ExitCode.HARDWARE_UNAVAILABLE, str(error)
    if isinstance(error, OSError):
        return ExitCode.FAILED, _os_error_text(error)
    return ExitCode.FAILED, (
        f"internal error: {type(error).__name__}: {error}; please report it with the output of "
        "the same command under BOARDCTL_TRACEBACK=1"
    )


def _os_error_text(error: OSError) -> str:
    """Return `file: reason` where the system names both."""
    if error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror.lower()}"
    if error.errno in _WRITING:
        return f"the output cannot be written: {os.strerror(error.errno).lower()}"
    return str(error)


def _usage_text(error: Exception, arguments: Sequence[str]) -> str:
    """Return one line for a usage error, with the command whose `--help` tells more.

    Recognised by its shape, because typer raises click's classes up to 0.15 and its own since.
    """
    text = " ".join(str(error.format_message()).split())  # type: ignore[attr-defined]  # by shape
    context = getattr(error, "ctx", None)
    if context is None:
        return text
    text = _below_zero(context, arguments) or f"{text[:1].lower()}{text[1:].rstrip('.')}"
    if getattr(error, "param", None) is not None:
        text += f"; got '{shlex.join(arguments)}'"
    return f"{text}; see '{context.command_path} --help'"


def _below_zero(context: Any, arguments: Sequence[str]) -> str | None:
    """Return what is wrong with a number below zero that was read as an unknown option."""
    number = next((word for word in arguments if word[:1] == "-" and word[1:].isdecimal()), None)
    params = [param for param in context.command.params if not param.opts[0].startswith("-")]
    names = [param.metavar or param.name.upper() for param in params]
    if number is None or not names:
        return None
    words = [word for word in arguments if not word.startswith("--")]
    place = words.index(number) - context.command_path.count(" ")
    name = names[max(0, min(place, len(names) - 1))]
    return f"{name} {number}: no number below zero is allowed here"


if __name__ == "__main__":
    main()
