"""Bring the catalogues in boardctl/locale up to date: new messages in, .mo files compiled.

Run from the project's root: python scripts/translations.py
Then fill in the empty `msgstr` of boardctl/locale/*/LC_MESSAGES/boardctl.po, and run it again.
"""

# ruff: noqa: INP001  a script, no package
from __future__ import annotations

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from boardctl.core.settings import LANGUAGES
from boardctl.texts import DOMAIN, LOCALE, messages


def main() -> None:
    """Update every catalogue, keeping what is translated."""
    for language in LANGUAGES:
        folder = LOCALE / language / "LC_MESSAGES"
        folder.mkdir(parents=True, exist_ok=True)
        po = folder / f"{DOMAIN}.po"
        old = Catalog(locale=language)
        if po.exists():
            with po.open("rb") as file:
                old = read_po(file, locale=language)
        new = Catalog(
            locale=language,
            project="boardctl",
            version="1",
            fuzzy=False,
            last_translator="boardctl",
            language_team=language,
            msgid_bugs_address="see README.md",
        )
        new.header_comment = "# Texts of boardctl; written by scripts/translations.py."
        for message in messages():
            known = old.get(message)
            text = message if language == "en" else str(known.string) if known else ""
            new.add(message, text)
        # A fixed date: the file changes when a text does, and only then.
        new.creation_date = new.revision_date = old.creation_date
        with po.open("wb") as file:
            write_po(file, new, width=100, omit_header=False)
        with (folder / f"{DOMAIN}.mo").open("wb") as file:
            write_mo(file, new)
        empty = [str(message.id) for message in new if message.id and not message.string]
        print(f"{language}: {len(messages()) - len(empty)} of {len(messages())}")  # noqa: T201  a script
        for text in empty:
            print(f"  {text}")  # noqa: T201  a script


if __name__ == "__main__":
    main()
