from __future__ import annotations

from pathlib import Path

from boardctl.config.document import reference

FILE = Path(__file__).parents[2] / "docs" / "config.md"


def test_the_reference_of_the_configuration_is_current() -> None:
    assert FILE.read_text(encoding="utf-8") == reference(), (
        "run: python -m boardctl.config.document > docs/config.md"
    )
