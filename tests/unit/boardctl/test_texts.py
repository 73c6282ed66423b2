"""Texts in three languages: complete, current, and chosen well."""

from __future__ import annotations

import re

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from boardctl.core.settings import LANGUAGES
from boardctl.texts import DOMAIN, LOCALE, choose, fill, messages, translate


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated_and_no_other(language: str) -> None:
    with (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    translated = {str(message.id): message.string for message in catalogue if message.id}
    assert set(translated) == set(messages())
    assert all(translated.values())
    assert not any(message.fuzzy for message in catalogue if message.id)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_current(language: str) -> None:
    """Renew it by: python scripts/translations.py."""
    folder = LOCALE / language / "LC_MESSAGES"
    with (folder / f"{DOMAIN}.po").open("rb") as file:
        source = {str(m.id): m.string for m in read_po(file, locale=language) if m.id}
    with (folder / f"{DOMAIN}.mo").open("rb") as file:
        compiled = {str(m.id): m.string for m in read_mo(file) if m.id}
    assert compiled == source


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_gaps_of_its_message(language: str) -> None:
    for text in messages():
        told = translate(text, language)
        assert sorted(re.findall(r"{\w*}", told)) == sorted(re.findall(r"{\w*}", text)), text


def test_gaps_are_filled_and_words_in_them_translated() -> None:
    values = {"what": "switches", "how": "turned by a half"}
    told = fill("{what}: as planned, but {how}", values, "de")
    assert told == "Schalter: wie geplant, aber um die Hälfte gedreht"


def test_german_and_danish_are_no_english() -> None:
    for language in ("de", "da"):
        same = [text for text in messages() if translate(text, language) == text]
        assert set(same) <= {"Raicki", "Tuicku", "Imperial Contest"}


def test_translation() -> None:
    assert translate("king", "de") == "König"
    assert translate("king", "da") == "konge"
    assert translate("king", "en") == "king"
    assert translate("no such message", "de") == "no such message"
    assert translate("king", "tlh") == "king"
    assert translate("", "de") == ""


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("fr, da;q=0.5, en;q=0.7", "en"),
        ("da", "da"),
        ("fr-CH", "en"),
        ("", "en"),
        ("de;q=0, da;q=0.1", "da"),
        ("de;q=x, da", "da"),
    ],
)
def test_the_browsers_wish(accepted: str, language: str) -> None:
    assert choose(accepted) == language
