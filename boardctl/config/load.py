"""Reading the configuration: file, then environment, then every check; all problems at once."""

from __future__ import annotations

import contextlib
import difflib
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from boardctl.config.checks import cross_checks
from boardctl.config.describe import allowed, is_text
from boardctl.config.sections import SECTIONS, Config
from boardctl.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

DEFAULT_FILE: Final = Path("/etc/boardctl/boardctl.toml")
"""Where `boardctl run` looks when no file is named."""

ENVIRONMENT_PREFIX: Final = "BOARDCTL_"
ENVIRONMENT_SEPARATOR: Final = "__"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The effective configuration and where each key comes from.

    Attributes:
        config: the values.
        sources: `section.key` -> file name or environment variable; keys that have their
            default are not listed.
        file: the file that was read, if any.
    """

    config: Config
    sources: Mapping[str, str]
    file: Path | None


def load(file: Path | None, environ: Mapping[str, str] | None = None) -> Loaded:
    """Read *file* (None: defaults only) and the overrides in *environ* (default: the process's).

    Raises:
        ConfigurationError: with every problem of the file and the environment.
    """
    variables = os.environ if environ is None else environ
    if file is None:
        return parse("", None, variables)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigurationError(
            (f"{file}: no such file; write one with 'boardctl config init {file}'",)
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or "") if isinstance(error, OSError) else "not UTF-8 text"
        raise ConfigurationError((f"{file}: cannot be read: {_lower(reason)}",)) from error
    return parse(text, file, variables)


def sound_part(file: Path, environ: Mapping[str, str] | None = None) -> Config:
    """Return what of *file* and the environment is sound, with defaults for all else."""
    document: dict[str, Any] = {}
    # Whatever is wrong with the file has been told by `load`.
    with contextlib.suppress(OSError, ValueError):
        document = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    _override(document, {}, os.environ if environ is None else environ)
    config, _ = _validate(document)
    broken = {place.partition(".")[0] for place, _ in cross_checks(config)}
    return config.model_copy(update={name: SECTIONS[name]() for name in broken})


def parse(text: str, file: Path | None, environ: Mapping[str, str]) -> Loaded:
    """Check the *text* of a file together with the overrides in *environ*.

    Raises:
        ConfigurationError: with every problem.
    """
    name = str(file) if file is not None else "configuration"
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError((f"{name}: {_lower(str(error))}",)) from error
    sources = {
        f"{section}.{key}": name
        for section, keys in document.items()
        if isinstance(keys, dict)
        for key in keys
    }
    problems = _override(document, sources, environ)
    config, found = _validate(document)
    problems += [_problem(details, name, sources) for details in found]
    problems += [
        f"{sources.get(place, name)}: {place}: {problem}" for place, problem in cross_checks(config)
    ]
    if problems:
        raise ConfigurationError(tuple(problems))
    return Loaded(config, sources, file)


def _validate(document: dict[str, Any]) -> tuple[Config, list[ErrorDetails]]:
    """Return the configuration, what is broken in it replaced by its default, and what broke."""
    try:
        return Config.model_validate(document), []
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)
    broken = {details["loc"][:2] for details in found}
    sound = {
        section: {key: value for key, value in keys.items() if (section, key) not in broken}
        for section, keys in document.items()
        if (section,) not in broken
    }
    return Config.model_validate(sound), found


def _override(
    document: dict[str, Any], sources: dict[str, str], environ: Mapping[str, str]
) -> list[str]:
    """Lay `BOARDCTL_SECTION__KEY=value` over *document*; return what could not be laid."""
    problems: list[str] = []
    for variable, value in sorted(environ.items()):
        section, separator, key = variable.removeprefix(ENVIRONMENT_PREFIX).partition(
            ENVIRONMENT_SEPARATOR
        )
        if not variable.startswith(ENVIRONMENT_PREFIX) or not separator:
            continue
        section, key = section.lower(), key.lower()
        if section not in SECTIONS:
            problems.append(f"{variable}: unknown section{_near(section, SECTIONS)}")
            continue
        keys = document.setdefault(section, {})
        if isinstance(keys, dict):
            keys[key] = _value(value, SECTIONS[section].model_fields.get(key))
            sources[f"{section}.{key}"] = variable
    return problems


def _value(text: str, field: FieldInfo | None) -> object:
    """Read an environment variable as TOML, so that numbers and lists keep their type."""
    if field is not None and is_text(field):
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _problem(details: ErrorDetails, name: str, sources: Mapping[str, str]) -> str:
    """Return `file: section.key: problem; allowed; did you mean`."""
    section, *rest = details["loc"]
    place = ".".join(str(part) for part in details["loc"])
    source = sources.get(".".join(str(part) for part in details["loc"][:2]), name)
    if details["type"] == "extra_forbidden":
        unknown, known = (
            ("key", SECTIONS[str(section)].model_fields) if rest else ("section", SECTIONS)
        )
        return f"{source}: {place}: unknown {unknown}{_near(str(details['loc'][-1]), known)}"
    if not rest:
        return f"{source}: {place}: {_shown(details['input'])} where a table [{section}] belongs"
    field = SECTIONS[str(section)].model_fields[str(rest[0])]
    return f"{source}: {place}: {_fault(details)}; allowed: {allowed(field)}"


def _fault(details: ErrorDetails) -> str:
    """Return what is wrong with the value, in a few words."""
    value = _shown(details["input"])
    words = {
        "greater_than_equal": f"{value} is too small",
        "less_than_equal": f"{value} is too large",
        "too_long": f"{value} is too long",
        "string_too_short": f"{value} is too short",
        "string_too_long": f"{value} is too long",
    }
    return words.get(details["type"], f"{value} is not allowed")


def _shown(value: object) -> str:
    """Return *value* in repr, shortened: a map has 81 entries."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004  a line of a terminal


def _near(word: str, known: Mapping[str, object]) -> str:
    """Return `; did you mean 'x'?`, or the known names when nothing is near."""
    close = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(known)}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
