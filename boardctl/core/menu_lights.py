"""The lights of the menu: what can be chosen, what holds now, what must be confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardctl.core import animations
from boardctl.core.light import Frame, Light
from boardctl.core.motion import Motion, level
from boardctl.core.palette import Meaning
from boardctl.core.panels import MenuKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from boardctl.core.occupancy import Instant
    from boardctl.core.snapshot import Snapshot


def menu_lights(snapshot: Snapshot, now: Instant) -> Frame:
    """Return the menu's squares, and the ring around the one the piece stands on."""
    menu = snapshot.menu
    if menu is None:
        return {}
    items = menu.items if menu.confirm is None else (menu.confirm,)
    frame: Frame = {}
    for item in items:
        frame[item.square] = _MENU[item.kind](item.chosen, item.value, now)
    if menu.wish is not None:
        wish = _MENU[menu.wish.kind](False, menu.wish.value, now)
        frame[menu.wish.square] = wish._replace(level=0.5)
    if menu.at is not None:
        frame |= animations.closing_ring(menu.at, (now - menu.at_since) / menu.ring_s)
    return frame


def _menu_plain(chosen: bool, _value: str, _now: Instant) -> Light:
    return Light(Meaning.TARGET, 1.0) if chosen else Light(Meaning.OWN, 0.35)


def _menu_brightness(chosen: bool, value: str, _now: Instant) -> Light:
    return Light(Meaning.TARGET if chosen else Meaning.OWN, max(0.1, float(value)))


def _menu_end(meaning: Meaning) -> Callable[[bool, str, Instant], Light]:
    motions = {"resign": Motion.BLINK, "draw": Motion.BREATHE, "undecidable": Motion.TIDE}
    return lambda _chosen, value, now: Light(meaning, level(motions[value], now))


_MENU: Final = {
    MenuKind.GAME: _menu_plain,
    MenuKind.PALETTE: _menu_plain,
    MenuKind.SWITCH: _menu_plain,
    MenuKind.OPTION: _menu_plain,
    MenuKind.LESSON: lambda _chosen, _value, now: Light(Meaning.CALL, level(Motion.BREATHE, now)),
    MenuKind.BRIGHTNESS: _menu_brightness,
    MenuKind.END_ATTACKERS: _menu_end(Meaning.ATTACKERS),
    MenuKind.END_DEFENDERS: _menu_end(Meaning.DEFENDERS),
}
