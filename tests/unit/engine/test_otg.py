from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    VARIANTS,
    EngineError,
    Game,
    IllegalMoveError,
    NotationError,
    Outcome,
    Reason,
    Result,
    Ruleset,
    Side,
    load_variant,
)
from engine.otg import GameText, format_game, parse_game
from engine.otnr import format_otnr, inexpressible, parse_otnr
from tests.support.engine_strategies import custom_rulesets, games

START = "start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
MARKET_RECORD = f"dim:9 name:Market esc:e surf:n atkf:n ka:y ks:w tfr:i nj:n cj:n cor: cen: {START}"

KNOWN_RECORDS = {
    "sea-battle": "dim:9 name:SeaBattle esc:e surf:y atkf:y ka:n ks:s tfr:d nj:n cj:n cor: cen:"
    " start:/3ttt3/4t4/4T4/t2T1T2t/ttT1K1Ttt/t2T1T2t/4T4/4t4/3ttt3/",
    "market": MARKET_RECORD,
    "imperial": "dim:9 name:Imperial esc:e surf:n atkf:y ka:n ks:s tfr:i nj:n cj:n cor: cen:"
    f" spd:-1,-1,-1,-1,-1,-1,-1,-1,-1,4,-1,-1 {START}",
    "linnaeus": "dim:9 name:Linnaeus esc:e surf:n atkf:y ka:y ks:c tfr:i nj:n cj:n cor: cens:K"
    f" cenh:tcnkm cenhe:tcnkmTCNKM linc:y {START}",
}

CANNOT = {
    "sea-battle": ("repetition", "undecidable"),
    "market": ("no_move",),
    "imperial": ("first", "single_capture", "no_move"),
    "linnaeus": ("enclosure", "no_move", "calls", "winner_takes_defenders"),
}


def playing(ruleset: Ruleset) -> dict[str, object]:
    """Return the rules that make a difference to play."""
    dead = set()
    if not ruleset.throne:
        dead = {key for key in ruleset.provenance if "throne" in key} - {"throne"}
        dead |= {"king_may_return"}
    if ruleset.repetition == "none":
        dead.add("repetition_count")
    keys = set(ruleset.provenance) - dead - {"layout"}
    return {key: getattr(ruleset, key) for key in keys} | {"start": ruleset.start.occupied}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_games_records_say_what_can_be_said(variant: str) -> None:
    ruleset = load_variant(variant)
    assert inexpressible(ruleset) == CANNOT[variant]
    wanted = playing(ruleset)
    for record in (KNOWN_RECORDS[variant], format_otnr(ruleset)):
        found = playing(parse_otnr(record))
        assert {key for key in wanted if found[key] != wanted[key]} <= set(CANNOT[variant])


@given(custom_rulesets())
def test_expressible_rules_round_trip(ruleset: Ruleset) -> None:
    ruleset = replace(ruleset, no_move="loss", calls=False, single_capture=False)
    if inexpressible(ruleset):
        return
    assert playing(parse_otnr(format_otnr(ruleset))) == playing(ruleset)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("dim:9", "dim:11"), "dim:11: the board here is dim:9"),
        (("dim:9 ", ""), "dim:None"),
        (("esc:e", "esc:c"), "esc:c: escape to the corners: not played here"),
        (("esc:e ", ""), "esc:c: escape to the corners"),
        (("cor:", "cor:a1,i9"), "cor:a1,i9: corner squares with rules of their own"),
        (("cor: ", ""), "cor:default: corner squares"),
        (("tfr:i", "tfr:w"), "tfr:w: not played here; known: i, d"),
        (("ks:w", "ks:m"), "ks:m: not played here"),
        (("ka:y", "ka:h"), "ka:h: not played here; known: y, n"),
        (("surf:n", "surf:?"), "surf:?: not played here; known: y, n"),
        (("cen:", "cen:d4"), "cen:d4: the throne here is e5 or nowhere"),
        (("cen:", "cens:tK"), "cens:tK: t and T differ"),
        (("cen:", "cenp:tT"), "cenp:tT: here the king always passes"),
        (("cen:", "spd:3"), "spd:3: only the king's range is limited here"),
        (("cen:", "spd:-1,-1,-1,-1,-1,-1,-1,-1,-1,0,-1,-1"), "a king's range is 1 to 8 squares"),
        (("cen:", "spd:-1,-1,-1,-1,-1,-1,2,-1,-1,4,-1,-1"), "only the king's range"),
        (("cen:", "kj:r"), "kj:r: a jumping king"),
        (("cen:", "sw:s"), "sw:s: shieldwall captures"),
        (("cen:", "efe:y"), "efe:y: edge fort escapes"),
        (("cen:", "ber:m"), "ber:m: berserk moves"),
        (("cen:", "dfor:e5"), "dfor:e5: fortresses"),
        (("cen:", "hat:y"), "unknown keys: hat"),
        (("cen:", "cen"), "'cen' is no key:value"),
        (("cen:", "cor:"), "'cor:' is given twice"),
        ((START, ""), "no start: position"),
        (("ttTTKTTtt", "ttTT1TTtt"), "start: no king"),
        (("t3T3t/4T4/4t4/3ttt3/", "t3T3t/4T4/4t4/3tttK2/"), "more than one king"),
        (("ttTTKTTtt", "ttTT1TTtK"), "start: the king on i5"),
        (("ttTTKTTtt", "ttTTKTTtc"), "'c' is no piece"),
    ],
)
def test_records_that_we_do_not_play_are_refused(change: tuple[str, str], problem: str) -> None:
    record = MARKET_RECORD.replace(*change)
    assert record != MARKET_RECORD
    with pytest.raises(NotationError) as caught:
        parse_otnr(record)
    assert problem in str(caught.value)


WORDS = st.text(st.characters(codec="ascii", exclude_characters="[]|\r"), max_size=20)


@settings(max_examples=60)
@given(
    games(max_plies=20),
    st.dictionaries(st.sampled_from(("event", "site", "attackers", "date")), WORDS, max_size=3),
    st.lists(WORDS, max_size=8),
    st.sampled_from((None, *Reason)),
)
def test_games_round_trip(
    game: Game, tags: dict[str, str], remarks: list[str], reason: Reason | None
) -> None:
    ends = {Reason.AGREED, Reason.UNDECIDABLE, Reason.RESIGNED, Reason.OPERATOR}
    if game.outcome is None and reason in ends:
        won = reason is Reason.RESIGNED
        winner = Side.ATTACKER if won else None
        game = game.end(Outcome(winner, Result.WIN if won else Result.DRAW, reason))
    remarks = remarks[: game.ply_count]
    while remarks and not remarks[-1]:
        remarks.pop()
    written = format_game(GameText(game, tags, tuple(remarks)))
    read = parse_game(written)
    assert read.game.plies == game.plies
    assert read.game.position == game.position
    assert read.game.ruleset == game.ruleset
    assert read.game.outcome == game.outcome
    assert read.tags == tags
    assert read.remarks == tuple(remarks)
    assert format_game(read) == written


REAL = f"""[date:2015.05.04]
[attackers:A. Black]
[defenders:W. White]
[result:1]
[termination:White resigns]
[rules:dim:9 name:Tablut esc:e atkf:y ka:y ks:c nj:n cj:n cor: cens: cenh: {START}]
[start-comment:Lines
of talk]

1. e2-g2 e3-h3
[One remark.|Another,
over two lines]

2. b5-b3 e4-f4
3. e1-e2 Ke5-e3-
[the king comes out]
4. a4-a5+
"""


def test_a_game_written_elsewhere_is_read() -> None:
    read = parse_game(REAL.replace("4. a4-a5+", "4. a4-a2+"))
    assert [str(ply) for ply in read.game.plies] == [
        "e2-g2",
        "e3-h3",
        "b5-b3",
        "e4-f4",
        "e1-e2",
        "e5-e3",
        "a4-a2",
    ]
    assert read.game.outcome == Outcome(Side.ATTACKER, Result.WIN, Reason.RESIGNED)
    assert read.tags["start-comment"] == "Lines\nof talk"
    assert read.remarks[:2] == ("One remark.", "Another,\nover two lines")
    assert read.remarks[4:] == ("the king comes out",)


def test_a_resignation_is_a_word_of_its_own() -> None:
    text = REAL.replace("4. a4-a5+", "4. a4-a2 ---").replace("[result:1]\n", "")
    outcome = parse_game(text).game.outcome
    assert outcome == Outcome(Side.ATTACKER, Result.WIN, Reason.RESIGNED)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("1. e2-g2", "2. e2-g2"), "turn 2 where 1 is due; variations are not read"),
        (("2. b5-b3", "b5-b3"), "not a turn such as"),
        (("b5-b3", "b5^b3"), "not a move: 'b5^b3'"),
        (("[rules:", "[rulez:"), "no [rules:...] tag"),
        (("[date:", "[result:1]\n[date:"), "tag 'result' is given twice"),
        (("[result:1]", "[result:7]"), "result '7'; allowed: 1, -1, 0, ?"),
        (("|Another", "|Another|third"), "3 remarks on 2 moves"),
        (("1. e2-g2 e3-h3", "[x]\n1. e2-g2 e3-h3"), "not a turn such as"),
    ],
)
def test_damaged_games_are_refused(change: tuple[str, str], problem: str) -> None:
    text = REAL.replace("4. a4-a5+", "4. a4-a2+").replace(*change)
    with pytest.raises(NotationError) as caught:
        parse_game(text)
    assert problem in str(caught.value)


def test_an_illegal_move_of_a_game_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="a4-a5"):
        parse_game(REAL)


OTG_LIKE = st.text("[]:|123. \ne2-g3hx/K+" + "rulesdimvant", max_size=80)


@given(OTG_LIKE | st.text())
def test_any_text_is_a_game_or_refused(text: str) -> None:
    for whole in (
        text,
        REAL.split("1. e2", maxsplit=1)[0] + text,
        f"[rules:{MARKET_RECORD} {text}]",
    ):
        try:
            read = parse_game(whole)
        except EngineError as error:
            assert str(error)  # noqa: PT017  the property is that there is no other error
        else:
            assert parse_game(format_game(read)).game.plies == read.game.plies
