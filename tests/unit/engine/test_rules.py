from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from engine import VARIANTS, Game, RulesetError, Side, load_variant, with_options
from engine.rules import parse_ruleset
from engine.ruleset import FIELDS, OPTIONS, Basis
from engine.squares import members

if TYPE_CHECKING:
    from pathlib import Path

MINIMAL = """
name = "mine"
[layouts]
small = '''
....a....
.........
.........
.........
a...k...a
.........
.........
.........
....a....
'''
[rules]
"""


def problems(text: str) -> list[str]:
    with pytest.raises(RulesetError) as caught:
        parse_ruleset(text, "mine.toml")
    return list(caught.value.problems)


def test_a_small_file_is_enough_and_is_played(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINIMAL + "king_range = 2\nfirst = 'lot'\n", "utf-8")
    ruleset = load_variant(str(file))
    assert ruleset.name == "mine"
    assert ruleset.first is None
    assert ruleset.options == {}
    game = Game.start(ruleset, side=Side.DEFENDER)
    assert len(game.legal_plies) == 8
    assert ruleset.names["en"].king == "king"
    assert ruleset.names["de"].king == "König"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_rule_of_every_game_has_a_source(variant: str) -> None:
    ruleset = load_variant(variant)
    throne_rules = {key for key in FIELDS if "throne" in key and key != "throne"}
    throne_rules.add("king_may_return")
    for key, provenance in ruleset.provenance.items():
        if ruleset.throne or key not in throne_rules:
            assert "program's default" not in provenance.source, key
            assert (
                provenance.source.split()[0].rstrip(",")
                == variant.split("-", maxsplit=1)[0].upper()
            )


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_a_source_does_not_decide_can_be_changed(variant: str) -> None:
    ruleset = load_variant(variant)
    for key in ("first", "repetition", "repetition_count", "no_move"):
        assert key in ruleset.option_names
    silent = {key for key, found in ruleset.provenance.items() if found.basis is Basis.SILENT}
    for key in silent & set(OPTIONS):
        assert key in ruleset.option_names


def test_layouts_of_sea_battle() -> None:
    sea = load_variant("sea-battle")
    assert sea.options["layout"] == "diamond"
    cross = with_options(sea, {"layout": "cross"})
    assert cross.start.attackers == load_variant("market").start.attackers
    assert cross.start.defenders == load_variant("market").start.defenders
    assert sea.start.defenders != cross.start.defenders
    assert len(list(members(sea.start.defenders))) == 8


def test_options_change_rules_and_nothing_else() -> None:
    linnaeus = load_variant("linnaeus")
    changed = with_options(linnaeus, {"throne_pass": "no", "first": "lot", "repetition_count": "4"})
    assert changed.options == linnaeus.options | {
        "throne_pass": "no",
        "first": "lot",
        "repetition_count": "4",
    }
    assert not changed.throne_pass
    assert changed.first is None
    assert linnaeus.throne_pass
    assert with_options(linnaeus, {}) == linnaeus
    assert with_options(linnaeus, linnaeus.options) == linnaeus


@pytest.mark.parametrize(
    ("variant", "options", "message"),
    [
        ("market", {"throne_pass": "yes"}, "market has no option 'throne_pass'"),
        ("market", {"layout": "cross"}, "market has no option 'layout'"),
        ("market", {"king_range": "3"}, "market has no option 'king_range'"),
        ("imperial", {"enclosure": "none"}, "imperial has no option 'enclosure'"),
        ("linnaeus", {"throne_pass": "true"}, "allowed: no | yes"),
        ("linnaeus", {"enclosure": "both"}, "allowed: king | all | none"),
        ("sea-battle", {"layout": "star"}, "allowed: diamond | cross"),
        ("sea-battle", {"repetition_count": "1"}, "a number from 2 to 99"),
        ("sea-battle", {"repetition_count": "x"}, "a number from 2 to 99"),
        ("sea-battle", {"first": "Attackers"}, "allowed: attackers | defenders | lot"),
    ],
)
def test_wrong_options_are_named(variant: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(RulesetError) as caught:
        with_options(load_variant(variant), options)
    assert message in str(caught.value)


def test_all_wrong_options_are_named_at_once() -> None:
    with pytest.raises(RulesetError) as caught:
        with_options(load_variant("market"), {"enclosure": "all", "no_move": "win"})
    assert len(caught.value.problems) == 2


def test_every_problem_of_a_file_is_named() -> None:
    text = MINIMAL.replace('name = "mine"', "name = 3\ncolour = 'red'\noptions = ['king_range']")
    text += (
        "king_rnge = 4\nking_range = 0\nking_armed = 1\nenclosure = 'half'\nlayout = 'big'\n"
        "[rules.first]\nvalue = 'nobody'\nsauce = 'x'\nbasis = 'hearsay'\nalternatives = 'a'\n"
        "[names.en]\nqueen = 'q'\n[groups]\nmiddle = 'x'\n"
    )
    found = problems(text)
    assert sorted(found) == sorted(
        [
            (
                "mine.toml: colour: unknown key; allowed: name, document, options, title, names,"
                " groups, layouts, rules"
            ),
            "mine.toml: name: 3 is not a text",
            "mine.toml: options: ['king_range']; a list of: " + ", ".join(OPTIONS),
            "mine.toml: rules.king_rnge: unknown key; did you mean 'king_range'?",
            "mine.toml: rules.king_range: 0 is not allowed; allowed: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8",
            "mine.toml: rules.king_armed: 1 is not allowed; allowed: false | true",
            'mine.toml: rules.enclosure: \'half\' is not allowed; allowed: "king" | "all" | "none"',
            "mine.toml: rules.layout: 'big' is no layout; allowed: small",
            (
                "mine.toml: rules.first: 'nobody' is not allowed;"
                ' allowed: "attackers" | "defenders" | "lot"'
            ),
            "mine.toml: rules.first.sauce: unknown key; did you mean 'source'?",
            (
                "mine.toml: rules.first.basis: 'hearsay' is not allowed;"
                " allowed: source | reading | silent | disagree"
            ),
            "mine.toml: rules.first.alternatives: 'a' is not a list",
            "mine.toml: names.en.queen: unknown key; allowed: attackers, defenders, king",
            "mine.toml: groups.middle: unknown key; allowed: north, east, south, west",
        ]
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("name = ", "mine.toml: not TOML"),
        ("name = 'x'", "mine.toml: layouts: missing"),
        ("name = 'x'\nlayouts = 3", "mine.toml: layouts: 3 is no table"),
        (MINIMAL.replace("k", "."), "layouts.small: needs one king (k), not on the edge"),
        (MINIMAL.replace("a", "d", 99), "unknown key"),
        (MINIMAL.replace("a...k...a", "a...k..."), "line 5 of the diagram"),
        (MINIMAL.replace("a...k...a\n", ""), "a diagram has 9 lines, rank 9 first; this one has 8"),
        (MINIMAL.replace("....a....", "....x....", 1), "line 1 of the diagram"),
        (MINIMAL.replace("a...k...a", "k...k...a"), "more than one king"),
        (MINIMAL.replace("a...k...a", "k.......a"), "needs one king (k), not on the edge"),
        (MINIMAL + "[title]\nen = 'only'", "mine.toml: title"),
        (MINIMAL + "[names]\nen = 3", "mine.toml: names.en: 3 is no table"),
    ],
)
def test_problems_of_files(text: str, problem: str) -> None:
    assert problem in "\n".join(problems(text))


def test_a_layout_needs_attackers() -> None:
    text = MINIMAL.replace("....a....", ".........").replace("a...k...a", "d...k...d")
    assert problems(text) == ["mine.toml: layouts.small: needs attackers (a)"]


def test_unknown_games_and_files(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="no game named 'chess'; the games: sea-battle"):
        load_variant("chess")
    with pytest.raises(RulesetError, match="No such file"):
        load_variant(str(tmp_path / "none.toml"))
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"\xff\xfe")
    with pytest.raises(RulesetError, match="cannot read the ruleset"):
        load_variant(str(broken))


def test_rulesets_are_values() -> None:
    market = load_variant("market")
    assert load_variant("market") is market
    assert hash(with_options(market, {"no_move": "draw"})) != hash(market)
    assert with_options(market, {"no_move": "no-result"}) == market


def test_a_file_that_an_editor_has_saved_with_a_mark_in_front_and_other_line_ends(
    tmp_path: Path,
) -> None:
    text = (files("engine") / "rulesets" / "imperial.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_bytes(("\ufeff" + text.replace("\n", "\r\n")).encode())
    assert load_variant(str(own)) == load_variant("imperial")
