"""The menu of lit squares, opened by one piece alone on e5 and used with that piece.

    9  . . . . u . d . r      u undecidable, d draw, r resign: one row for each side;
    8  . Y Y . . . . . .      such a wish is confirmed on the square opposite, by the other player
    7  . S . M . I . L .      the four games; Y above them their layouts
    6  . R R R l . N N N      R a repeated position: nothing, draw, the defenders lose;
    5  . a . . * . . d .      N no legal move: lost, draw, no result; first: a attackers, l by lot,
    4  . P H B . . E E E      d defenders; P others pass the throne, H halt on it, B the king goes
    3  . p p p . b b b .      back to it; E enclosure: king, all, none; three palettes; brightness
    2  . . w h t . s . .      w warn of danger to the king, h hints, t tutorial, s sound
    1  r . d . u . . . .      * the piece that opened the menu

Only what the game at the table has is lit: the throne's options stand in Linnaeus Tablut alone.
How often a position may come again is a number, and left to the page and the configuration.

A square is chosen by putting the piece on it and waiting for the ring around it to close. Any
second piece ends the menu at once; back on e5 the piece takes an unconfirmed wish back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardctl.core.commands import (
    AgreeDraw,
    ChangeSetting,
    Command,
    DeclareUndecidable,
    Resign,
    Setting,
    SetVariant,
    StartLesson,
)
from boardctl.core.desk import Desk, Go
from boardctl.core.geometry import LAST
from boardctl.core.occupancy import Instant
from boardctl.core.panels import MenuItem, MenuKind, MenuView
from boardctl.core.settings import PALETTES, value_text
from boardctl.core.transitions import State
from engine.pieces import Side
from engine.rules import VARIANTS
from engine.squares import CENTRE, SIZE, Square, members, parse_square

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boardctl.core.playing import Finished, Playing
    from boardctl.core.setup import SetUp

RING_S: Final = 2.0
"""How long the piece must stand on a square to choose it."""

IDLE_S: Final = 60.0
"""How long the menu waits for a hand."""

_GAMES: Final = ("b7", "d7", "f7", "h7")
_PALETTES: Final = ("b3", "c3", "d3")
_BRIGHTNESS: Final = (("f3", "0.2"), ("g3", "0.5"), ("h3", "1.0"))
_SWITCHES: Final = (("c2", Setting.DANGER), ("d2", Setting.HINTS), ("g2", Setting.SOUND))
_OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "first": {"attackers": "b5", "lot": "e6", "defenders": "h5"},
    "enclosure": {"king": "f4", "all": "g4", "none": "h4"},
    "repetition": {"none": "b6", "draw": "c6", "defenders-lose": "d6"},
    "no_move": {"loss": "g6", "draw": "h6", "no-result": "i6"},
}
"""The square of each value of an option."""

_LAYOUTS: Final = ("b8", "c8")
_YES_NO: Final = {"throne_pass": "b4", "throne_stop": "c4", "king_may_return": "d4"}
"""The square of an option that is on or off; it is lit as chosen while the option holds."""

_TUTORIAL: Final = "e2"
_ENDS: Final = {
    0: (("a1", "resign"), ("c1", "draw"), ("e1", "undecidable")),
    LAST: (("i9", "resign"), ("g9", "draw"), ("e9", "undecidable")),
}
_END_KINDS: Final = {
    Side.ATTACKER: MenuKind.END_ATTACKERS,
    Side.DEFENDER: MenuKind.END_DEFENDERS,
}


class Menu:
    """The open menu; `back` is the state it covers, to which it returns."""

    state = State.MENU

    def __init__(self, back: SetUp | Playing | Finished, now: Instant) -> None:
        self.since = now
        self.back = back
        self._at: Square | None = None
        self._at_since = now
        self._wish: MenuItem | None = None
        self._spent: Square | None = None
        self.chosen: Command | None = None

    def view(self, desk: Desk) -> MenuView:
        """Return what the lights show."""
        wish = self._wish
        confirm = None if wish is None else _opposite(wish)
        at = self._at if self._item(desk) is not None else None
        return MenuView(self._items(desk), at, self._at_since, RING_S, wish, confirm)

    def _items(self, desk: Desk) -> tuple[MenuItem, ...]:
        items = [
            MenuItem(parse_square(at), MenuKind.GAME, name, name == desk.ruleset.name)
            for at, name in zip(_GAMES, VARIANTS, strict=True)
        ]
        items += self._options(desk)
        items += [
            MenuItem(parse_square(at), MenuKind.PALETTE, name, name == desk.settings.palette)
            for at, name in zip(_PALETTES, PALETTES, strict=True)
        ]
        items += [
            MenuItem(parse_square(at), MenuKind.BRIGHTNESS, value, self._is_bright(desk, value))
            for at, value in _BRIGHTNESS
        ]
        items += [
            MenuItem(parse_square(at), MenuKind.SWITCH, setting.value, self._is_on(desk, setting))
            for at, setting in _SWITCHES
        ]
        items.append(MenuItem(parse_square(_TUTORIAL), MenuKind.LESSON, "tutorial"))
        return tuple(items) + self._ends(desk)

    @staticmethod
    def _options(desk: Desk) -> Iterable[MenuItem]:
        """Yield the options of the game at the table, each value with its square."""
        options = desk.ruleset.options
        places = dict(_OPTIONS)
        if len(desk.ruleset.layouts) > 1:
            places["layout"] = dict(zip(desk.ruleset.layouts, _LAYOUTS, strict=False))
        for name, squares in places.items():
            for value, at in squares.items():
                if name in options:
                    chosen = value == options[name]
                    yield MenuItem(parse_square(at), MenuKind.OPTION, f"{name}={value}", chosen)
        for name, at in _YES_NO.items():
            if name in options:
                chosen = options[name] == "yes"
                yield MenuItem(parse_square(at), MenuKind.OPTION, f"{name}=yes", chosen)

    def _ends(self, desk: Desk) -> tuple[MenuItem, ...]:
        """The squares that end a game stand only while one is being played."""
        if self.back.state is not State.PLAYING:
            return ()
        return tuple(
            MenuItem(parse_square(at), _END_KINDS[_side_of(rank, desk)], value)
            for rank, row in _ENDS.items()
            for at, value in row
            if value != "undecidable" or desk.ruleset.undecidable
        )

    @staticmethod
    def _is_bright(desk: Desk, value: str) -> bool:
        return abs(desk.settings.brightness - float(value)) < 0.01  # noqa: PLR2004 - of one step

    @staticmethod
    def _is_on(desk: Desk, setting: Setting) -> bool:
        return value_text(desk.settings, setting) == "on"

    def _item(self, desk: Desk) -> MenuItem | None:
        """Return the square under the piece, if it is one to choose."""
        if self._wish is not None:
            item = _opposite(self._wish)
            return item if item.square == self._at else None
        return next((item for item in self._items(desk) if item.square == self._at), None)

    def touched(self, desk: Desk, now: Instant) -> Go | None:
        """The board has changed: the piece was lifted or put, or there are more of them."""
        standing = desk.standing
        if standing.bit_count() > 1:
            return Go(self.back.state, back=True)
        at = next(members(standing), None)
        if at is None or at != self._spent:
            self._spent = None
            if at != self._at:
                self._at, self._at_since = at, now
        if at == CENTRE:
            self._wish = None
        return None

    def step(self, desk: Desk, now: Instant) -> Go | None:
        """Let time pass: the ring closes, or nobody is there."""
        if self._item(desk) is not None and now >= self._at_since + RING_S:
            return self.choose(desk)
        if now >= desk.rested(IDLE_S):
            desk.menu_left = desk.changed_at
            return Go(self.back.state, back=True)
        return None

    def choose(self, desk: Desk) -> Go | None:
        """Choose the square under the piece; `chosen` then holds the wish, if it needs no other."""
        item = self._item(desk)
        if item is None:
            return None
        if self._wish is not None:
            self.chosen, self._wish = _end(self._wish), None
        elif item.kind in _END_KINDS.values():
            self._wish = item
        else:
            self.chosen = self._command(desk, item)
        # The same square is chosen again only by a piece that was lifted and put there anew.
        self._spent, self._at = self._at, None
        return None

    @staticmethod
    def _command(desk: Desk, item: MenuItem) -> Command:
        match item.kind:
            case MenuKind.GAME:
                return SetVariant(item.value, {})
            case MenuKind.OPTION:
                name, _, value = item.value.partition("=")
                if name in _YES_NO and item.chosen:
                    value = "no"
                return SetVariant(desk.settings.variant, {**desk.settings.options, name: value})
            case MenuKind.PALETTE:
                return ChangeSetting(Setting.PALETTE, item.value)
            case MenuKind.BRIGHTNESS:
                return ChangeSetting(Setting.BRIGHTNESS, item.value)
            case MenuKind.SWITCH:
                return ChangeSetting(Setting(item.value), "off" if item.chosen else "on")
            case _:
                return StartLesson()

    def deadlines(self, desk: Desk) -> Iterable[Instant | None]:
        """Return when time alone may change something."""
        return (Instant(self._at_since + RING_S), desk.rested(IDLE_S))


def _side_of(rank: int, desk: Desk) -> Side:
    return desk.south if rank == 0 else desk.south.other


def _end(item: MenuItem) -> Command:
    side = Side.ATTACKER if item.kind is MenuKind.END_ATTACKERS else Side.DEFENDER
    match item.value:
        case "resign":
            return Resign(side)
        case "draw":
            return AgreeDraw()
        case _:
            return DeclareUndecidable()


def _opposite(item: MenuItem) -> MenuItem:
    """Return the square of the other player that confirms a wish: the same file, his edge."""
    file, rank = item.square % SIZE, item.square // SIZE
    other = item.kind is MenuKind.END_ATTACKERS
    kind = MenuKind.END_DEFENDERS if other else MenuKind.END_ATTACKERS
    return MenuItem(Square((LAST - rank) * SIZE + file), kind, item.value)
