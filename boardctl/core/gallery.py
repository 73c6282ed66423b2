"""Every situation of docs/lights.md as a scene with a name: a script of hands at a session.

The pictures of the documentation, `boardctl scene NAME` and the golden frames of the tests come
from these scripts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from boardctl.core import scripts
from boardctl.core.rehearsal import Rehearsal
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import Sign
from engine.game import Game
from engine.notation import parse_position
from engine.pieces import Side
from engine.rules import load_variant, with_options

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from boardctl.core.occupancy import Instant
    from boardctl.core.snapshot import Snapshot
    from engine.squares import SquareSet

_ATTACKERS, _DEFENDERS = Side.ATTACKER, Side.DEFENDER


@dataclass(frozen=True, slots=True)
class Story:
    """A scene's script and what a reader is told about it.

    Attributes:
        title: the situation, in a few words.
        caption: what the lights say.
        script: what happens at the table.
        variant: the game; `record` and `side` are its position, when not the start.
        at_s: the moment of the still picture, in seconds after the script's end.
        exposure_s: how long the still picture is exposed, so that lights that blink are on it;
            0 where the moment counts.
        length_s: how long the animated picture runs from the script's end.
        set_up: whether the pieces stand on the board at the beginning.
        sign: a sign of the daemon that needs no session.
    """

    title: str
    caption: str
    script: Callable[[Rehearsal], None] = scripts.wait
    variant: str = "linnaeus"
    record: str = ""
    side: Side = _ATTACKERS
    at_s: float = 0.0
    exposure_s: float = 1.6
    length_s: float = 4.0
    set_up: bool = True
    settings: SessionSettings = field(default_factory=SessionSettings)
    sign: Sign | None = None


@dataclass(frozen=True, slots=True)
class Film:
    """A story that has been played: its last snapshot, when, and where the pieces stand."""

    story: Story
    snapshot: Snapshot
    end: Instant
    closed: SquareSet

    @property
    def still(self) -> Instant:
        """The moment of the still picture."""
        return _later(self.end, self.story.at_s)


COLOUR_NOTE: Final = "(Colours are named as in the default palette.)"
"""Goes with a caption that names colours, where another palette is shown."""

_COLOURS: Final = frozenset(
    {"amber", "blue", "gold", "green", "magenta", "orange", "red", "rose", "violet", "white"}
)


def names_colours(caption: str) -> bool:
    """Say whether an English caption names colours."""
    return not _COLOURS.isdisjoint(word.strip(".,:;").lower() for word in caption.split())


def _later(start: Instant, seconds: float) -> Instant:
    return type(start)(start + seconds)


def film(name: str, rng: random.Random, *, palette: str = "default") -> Film:
    """Play the scene of this name to its end.

    Raises:
        KeyError: no scene has this name; `SCENES` lists them.
    """
    story = SCENES[name]
    options = {} if story.variant == "imperial" else {"first": "attackers"}
    settings = replace(story.settings, variant=story.variant, palette=palette, options=options)
    game = None
    if story.record:
        ruleset = with_options(load_variant(story.variant), options)
        position = parse_position(story.record, story.side)
        game = Game.start(ruleset, side=story.side, position=position)
    table = Rehearsal(settings, rng, game=game, set_up=story.set_up)
    story.script(table)
    snapshot = table.snapshot
    if story.sign is not None:
        snapshot = replace(snapshot, sign=story.sign, sign_at=table.now)
    return Film(story, snapshot, table.now, table.closed)


SCENES: Final[dict[str, Story]] = {
    "attract-wave": Story(
        "Nobody here",
        "A slow wave. Any touch ends it.",
        scripts.attract(4.0),
        set_up=False,
        at_s=4.0,
        exposure_s=0.0,
    ),
    "attract-game": Story(
        "Nobody here, later",
        "The table plays a game of lights against itself.",
        scripts.attract(24.0),
        set_up=False,
        length_s=8.0,
        at_s=0.5,
        exposure_s=0.0,
    ),
    "set-up": Story(
        "Setting up",
        "Each square without its piece breathes in that piece's colour; red blinks where none "
        "belongs.",
        scripts.heap,
        set_up=False,
    ),
    "set-up-allies": Story(
        "Setting up four allies",
        "In Imperial Contest the attackers are four nations: England, France, Turkey, Sardinia.",
        scripts.wait,
        variant="imperial",
        set_up=False,
    ),
    "set-up-done": Story(
        "All set",
        "One sweep from player to player, each half in the colour of the side that sits there.",
        scripts.swept,
        length_s=2.0,
        set_up=False,
        at_s=0.55,
        exposure_s=0.0,
    ),
    "lot": Story(
        "Who begins, by lot",
        "The light runs between the players, slows, and stops with the one who begins.",
        scripts.lot,
        variant="imperial",
        set_up=False,
        length_s=6.0,
        at_s=0.6,
        exposure_s=0.0,
    ),
    "turn": Story(
        "Whose turn",
        "The corners glow in the mover's colour; the last move is dim on both its squares.",
        scripts.opening,
    ),
    "lifted": Story(
        "A piece is lifted",
        "White: its square. Green: it may go there. Orange: it takes there; what it would take "
        "shimmers dark red.",
        scripts.lifted("e8"),
        record="/3ttt3/4t4/4T4/t3T3t/tt1TKTTtt/t1t1T2t1/2T4T1/4t4/3ttt3/",
        side=_ATTACKERS,
    ),
    "lifted-to-win": Story(
        "It could win",
        "Gold runs outwards to each square that wins.",
        scripts.lifted("d4"),
        record="/3ttt3/9/9/3K4t/t3T2tt/t7t/2t6/9/4tt3/",
        side=_DEFENDERS,
        at_s=0.3,
        exposure_s=0.0,
    ),
    "cannot-move": Story(
        "It cannot move",
        "Its square blinks white twice, and that is all.",
        scripts.stuck,
        length_s=2.0,
    ),
    "opponents-piece": Story(
        "Not your piece",
        "Two violet flashes until it is back. Faint orange: a capture from there would take it.",
        scripts.lifted("c7"),
        record="/3ttt3/4t4/4T4/t3T3t/tt1TKTTtt/t1t1T2t1/2T4T1/4t4/3ttt3/",
        side=_ATTACKERS,
    ),
    "take-back": Story(
        "Taking a move back",
        "The piece that has just moved is in a hand: white breathes where it came from.",
        scripts.take_back,
    ),
    "victims": Story(
        "Take these off",
        "Captured pieces pulse red until they are lifted. Play may go on meanwhile.",
        scripts.moved("c9", "c6"),
        record="/3ttt3/4t4/4T4/t1t5t/t1T1K2tt/t2Tt3t/9/4t4/2tttt3/",
        side=_ATTACKERS,
    ),
    "choice": Story(
        "Choose a victim",
        "Imperial Contest takes one piece a move: the candidates pulse magenta by turns.",
        scripts.moved("d1", "d4"),
        variant="imperial",
        record="/3ttt3/9/9/1tT1Tt3/4K4/9/9/4t4/3ttt3/",
        side=_ATTACKERS,
    ),
    "illegal": Story(
        "It may not stand there",
        "Red blinks at once; white breathes where it belongs; green is where it may go.",
        scripts.moved("d1", "f3"),
    ),
    "wrong-side": Story(
        "Not your turn",
        "The piece and its home flash violet twice, again and again.",
        scripts.moved("e7", "f7"),
    ),
    "mismatch": Story(
        "The board was knocked",
        "Missing pieces breathe in their own colour, extra ones blink red; the nearest pair "
        "first, the rest dimmer.",
        scripts.knock,
    ),
    "reveal": Story(
        "Put right: who is who?",
        "Pieces of different kinds were off at once: all show their colours for some seconds.",
        scripts.repaired,
    ),
    "raicki": Story(
        "Raicki",
        "One way is open to the king: gold runs along it until the attackers have answered.",
        scripts.moved("e3", "f3", 2.0),
        record="/3t1t3/9/4T4/t1t5t/t2TK1Ttt/t3T3t/2t6/4t4/3ttt3/",
        side=_DEFENDERS,
        at_s=0.2,
        exposure_s=0.0,
    ),
    "tuicku": Story(
        "Tuicku",
        "Two ways or more: all of them run.",
        scripts.moved("d4", "d6", 2.0),
        record="/3ttt3/4t4/4T4/3K1T3/t3T1T1t/4T3t/2t6/9/5tt2/",
        side=_DEFENDERS,
        length_s=2.4,
        at_s=0.2,
        exposure_s=0.0,
    ),
    "danger": Story(
        "The king is in danger",
        "An option: his square beats like a heart when the next move could take him.",
        scripts.wait,
        variant="market",
        record="/3ttt3/9/9/3tK4/9/4t4/9/9/3ttt3/",
        side=_DEFENDERS,
        settings=SessionSettings(danger=True),
    ),
    "hint": Story(
        "A hint",
        "The piece to move breathes white; green runs to where it should go.",
        scripts.hint,
        at_s=0.5,
        exposure_s=0.0,
    ),
    "won-by-defenders": Story(
        "The king escapes",
        "His road lights square by square, then rings of blue spread from him.",
        scripts.moved("d4", "d9", 2.5),
        record="/3ttt3/9/9/t2K4t/t3T2tt/t7t/2t6/9/4tt3/",
        side=_DEFENDERS,
        length_s=6.5,
        at_s=1.6,
        exposure_s=0.0,
    ),
    "won-glow": Story(
        "After the celebration",
        "The winner's pieces and his side of the table glow until the next set-up.",
        scripts.glow,
        record="/3ttt3/9/9/t2K4t/t3T2tt/t7t/2t6/9/4tt3/",
        side=_DEFENDERS,
    ),
    "won-by-attackers": Story(
        "The king is taken",
        "The ring around him closes, then rings of amber spread.",
        scripts.moved("e8", "e6", 2.5),
        variant="market",
        record="/3ttt3/9/9/4t4/4K3t/t7t/2t6/4t4/3ttt3/",
        side=_ATTACKERS,
        length_s=8.0,
        at_s=0.7,
        exposure_s=0.0,
    ),
    "draw": Story(
        "Draw, or no result",
        "Half and half, breathing by turns.",
        scripts.draw,
    ),
    "unreadable": Story(
        "Squares that cannot be read",
        "They glint violet once a second; play goes on where it can.",
        scripts.unreadable,
    ),
    "help": Story(
        "Needs help",
        "A minute of trouble: the whole edge pulses violet, to be seen across a hall.",
        scripts.call_for_help,
    ),
    "menu": Story(
        "The menu",
        "One piece alone on e5: squares to choose from; green is what holds now.",
        scripts.menu,
    ),
    "menu-choosing": Story(
        "Choosing",
        "Keep the piece there until the ring around it has closed.",
        scripts.choosing,
        at_s=0.2,
        exposure_s=0.0,
    ),
    "menu-confirming": Story(
        "Both must agree",
        "Resign, draw and undecidable are confirmed on the square opposite.",
        scripts.confirming,
    ),
    "lesson": Story(
        "A lesson",
        "The lights lead the piece; a wrong try is led back gently.",
        scripts.lesson,
        at_s=0.6,
        exposure_s=0.0,
    ),
    "lesson-again": Story(
        "Not this way",
        "Rose breathes under the piece, white where it came from: nobody is scolded.",
        scripts.wrong_try,
    ),
    "paused": Story("Paused", "Two bars; the board is not followed.", scripts.pause),
    "shut-down": Story(
        "Shutting down",
        "The edge fills while the button is held.",
        scripts.shutting_down,
    ),
    "starting": Story(
        "Starting",
        "A white ring walks outwards again and again.",
        sign=Sign.STARTING,
        at_s=0.9,
        exposure_s=0.0,
    ),
    "ready": Story(
        "Ready",
        "One green ring.",
        sign=Sign.READY,
        length_s=1.5,
        at_s=0.4,
        exposure_s=0.0,
    ),
    "stopping": Story(
        "Stopping",
        "A white ring closes on the middle.",
        scripts.stop,
        at_s=0.4,
        exposure_s=0.0,
    ),
    "no-configuration": Story(
        "No configuration",
        "A violet cross pulses: ask the keeper of the table.",
        sign=Sign.NO_CONFIGURATION,
    ),
}
"""All scenes by name, in the order of the documentation."""
