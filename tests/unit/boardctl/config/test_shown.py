"""The configuration as the operator sees it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.config import Config, parse
from boardctl.config.shown import MASK, masked, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = Path("boardctl.toml")


def keys(
    text: str, environ: Mapping[str, str] | None = None, **at_the_table: object
) -> dict[str, Any]:
    changed = {place.replace("__", "."): value for place, value in at_the_table.items()}
    sections = shown(parse(text, FILE, environ or {}), changed)
    return {f"{each['section']}.{key['key']}": key for each in sections for key in each["keys"]}


def test_every_key_is_shown_with_what_it_is_for_and_what_it_allows() -> None:
    found = keys("")
    wanted = {
        f"{section}.{key}" for section, values in Config().model_dump().items() for key in values
    }
    assert set(found) == wanted
    assert all(key["text"] and key["allowed"] for key in found.values())
    assert found["switches.scan_hz"]["value"] == "200.0"
    assert found["switches.scan_hz"]["source"] == {"kind": "default"}
    assert found["buttons.confirm"]["value"] == ""


def test_each_value_says_where_it_comes_from() -> None:
    found = keys(
        "[leds]\nbrightness = 0.5\ngamma = 2.0\npalette = 'high-contrast'\n",
        {"BOARDCTL_LEDS__GAMMA": "2.4"},
        leds__brightness=0.8,
    )
    assert found["leds.palette"]["source"] == {"kind": "file", "name": "boardctl.toml"}
    assert found["leds.gamma"]["source"] == {"kind": "environment", "name": "BOARDCTL_LEDS__GAMMA"}
    assert (found["leds.brightness"]["value"], found["leds.brightness"]["source"]) == (
        "0.8",
        {"kind": "table"},
    )


def test_no_secret_is_shown() -> None:
    found = keys("[web]\npublic_url = 'https://me:hidden@tafl.example/'\n")
    assert found["web.public_url"]["value"] == f'"https://me:{MASK}@tafl.example/"'


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("password", '"x"', MASK),
        ("broker_password", '"x"', MASK),
        ("client_secret", '"x"', MASK),
        ("token", '"x"', MASK),
        ("password", '""', '""'),
        ("password", "", ""),
        ("token_file", '"token"', '"token"'),
        ("broker", '"mqtt://user:x@host:1883"', f'"mqtt://user:{MASK}@host:1883"'),
        ("public_url", '"http://host:8080/"', '"http://host:8080/"'),
    ],
)
def test_what_is_masked(name: str, value: str, told: str) -> None:
    assert masked(name, value) == told
