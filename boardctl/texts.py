"""Texts for people in their language: English, German, Danish, by gettext.

The English text is the message itself. What the core has to say to people (why a wish is refused,
what a lesson is about, what the lights mean) and what the guided work says is collected by
`messages`; a test compares it with the catalogues in `locale/`. The page has texts of its own
(boardctl/web/static/lang).
"""

from __future__ import annotations

import gettext
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardctl.core.gallery import COLOUR_NOTE, SCENES
from boardctl.core.lessons import LESSONS
from boardctl.core.orders import REFUSALS
from boardctl.core.settings import LANGUAGES
from boardctl.core.transitions import TABLE
from engine.rules import VARIANTS, load_variant
from hardware.sentences import NOTES, PROBLEMS, TASKS

if TYPE_CHECKING:
    from collections.abc import Mapping

DOMAIN: Final = "boardctl"
LOCALE: Final = Path(__file__).parent / "locale"


@lru_cache(maxsize=len(LANGUAGES))
def translation(language: str) -> gettext.NullTranslations:
    """Return the catalogue of a language; English, when it is not one of `LANGUAGES`."""
    return gettext.translation(DOMAIN, LOCALE, languages=[language], fallback=True)


def translate(message: str, language: str) -> str:
    """Return a message in a language; itself where it has no translation."""
    return translation(language).gettext(message) if message else ""


def fill(template: str, values: Mapping[str, str], language: str) -> str:
    """Return a sentence with gaps in a language; values that are words of ours are translated."""
    words = {name: translate(value, language) for name, value in values.items()}
    return translate(template, language).format(**words)


def choose(accepted: str, default: str = "en") -> str:
    """Return the language that a browser's `Accept-Language` likes best among ours."""
    wishes: list[tuple[float, int, str]] = []
    for place, entry in enumerate(accepted.split(",")):
        tag, _, quality = entry.strip().partition(";q=")
        code = tag.strip().lower().split("-")[0]
        try:
            weight = float(quality or 1.0)
        except ValueError:
            continue
        if code in LANGUAGES and weight > 0.0:
            wishes.append((-weight, place, code))
    return min(wishes)[2] if wishes else default


def messages() -> tuple[str, ...]:
    """Return every message that the catalogues must hold, each once, in order of appearance."""
    found = [row.why for row in TABLE.values()]
    found += REFUSALS
    found += (*TASKS, *PROBLEMS, *NOTES)
    found += [lesson.text for lesson in LESSONS]
    for story in SCENES.values():
        found += [story.title, story.caption]
    found.append(COLOUR_NOTE)
    for variant in VARIANTS:
        ruleset = load_variant(variant)
        names = ruleset.names["en"]
        found += [ruleset.title["en"], names.attackers, names.defenders, names.king]
    return tuple(dict.fromkeys(filter(None, found)))
