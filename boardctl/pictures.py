"""Pictures of the lights: still and animated, made from the daemon's own scene function.

Drawing needs Pillow, which the table itself does not: it comes with `boardctl[pictures]`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from boardctl.core.gallery import COLOUR_NOTE, SCENES, Film, film, names_colours
from boardctl.core.occupancy import Instant
from boardctl.core.palette import Meaning, Rgb
from boardctl.core.scene import lights, scene
from boardctl.errors import BoardctlError
from boardctl.texts import translate
from engine.pieces import Piece
from engine.squares import (
    FILE_NAMES,
    RANK_NAMES,
    SIZE,
    SQUARES,
    Square,
    members,
    square_file,
    square_rank,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

FRAMES_PER_S: Final = 10
"""Of an animated picture; GIF counts in hundredths of a second."""

_EXPOSED_S: Final = 0.05
"""Seconds between the moments that make up a still picture."""

_CELL: Final = 34
_SMOOTH: Final = 2
"""Pictures are drawn this much larger and then scaled down: Pillow's shapes have hard edges."""

_MARGIN: Final = 18
_WOOD: Final = ((66, 45, 29), (58, 39, 25))
_FRAME: Final = (40, 26, 16)
_INK: Final = (176, 150, 120)
_PAPER: Final = (250, 247, 242)
_TEXT: Final = (44, 36, 30)
_GREY: Final = (112, 100, 90)
_PIECES: Final = {
    Piece.ATTACKER: ((26, 24, 26), (150, 138, 128)),
    Piece.DEFENDER: ((232, 218, 192), (160, 138, 104)),
    Piece.KING: ((232, 218, 192), (160, 110, 30)),
}
_COLUMNS: Final = 4
DEFAULT_PALETTE: Final = "default"
_LETTERS: Final = {
    Meaning.ATTACKERS: "a",
    Meaning.DEFENDERS: "d",
    Meaning.KING: "k",
    Meaning.ENGLAND: "E",
    Meaning.FRANCE: "F",
    Meaning.TURKEY: "T",
    Meaning.SARDINIA: "S",
    Meaning.TURN_ATTACKERS: "a",
    Meaning.TURN_DEFENDERS: "d",
    Meaning.LAST_MOVE: "l",
    Meaning.OWN: "o",
    Meaning.TARGET: "g",
    Meaning.CAPTURE: "c",
    Meaning.WIN: "w",
    Meaning.THREATENED: "t",
    Meaning.VICTIM: "v",
    Meaning.CHOICE: "m",
    Meaning.WRONG: "x",
    Meaning.NOT_YOURS: "n",
    Meaning.SUGGESTION: "s",
    Meaning.CALL: "r",
    Meaning.DANGER: "D",
    Meaning.KEEPER: "!",
}


@dataclass(frozen=True, slots=True)
class Look:
    """How scenes are shown: palette, language of the words, seed of the lot."""

    palette: str = DEFAULT_PALETTE
    language: str = "en"
    seed: int = 1

    def caption(self, english: str) -> str:
        """Return a caption in the language; its colours' names are those of the default palette."""
        words = [translate(english, self.language)]
        if self.palette != DEFAULT_PALETTE and names_colours(english):
            words.append(translate(COLOUR_NOTE, self.language))
        return " ".join(words)

    def film(self, name: str) -> Film:
        """Play a scene; each has a generator of its own, so that a sheet shows what cards show."""
        return film(name, random.Random(self.seed), palette=self.palette)  # noqa: S311 - a drawing


PLAIN: Final = Look()


class PicturesError(BoardctlError):
    """Pictures cannot be drawn here."""


def _pillow() -> None:
    """Refuse with a remedy where Pillow is not installed.

    Raises:
        PicturesError: it is not.
    """
    try:
        import PIL  # noqa: F401, PLC0415 - the test whether it is there
    except ImportError as error:
        raise PicturesError(
            "drawing pictures needs Pillow; install it with: pip install 'boardctl[pictures]'"
        ) from error


def text(name: str, look: Look = PLAIN) -> str:
    """Return a scene as nine lines of letters, rank 9 first, with a legend of its letters."""
    shot = look.film(name)
    best: dict[Square, tuple[float, Meaning]] = {}
    for now in _exposure(shot):
        for square, light in lights(shot.snapshot, now).items():
            best[square] = max(
                best.get(square, (0.0, light.meaning)),
                (light.level, light.meaning),
                key=lambda entry: entry[0],
            )
    lit = {square: meaning for square, (level, meaning) in best.items() if level > 0.0}
    rows = [
        " ".join(_LETTERS[lit[at]] if at in lit else "." for at in SQUARES[rank : rank + SIZE])
        for rank in range(SIZE * (SIZE - 1), -1, -SIZE)
    ]
    found = sorted({(_LETTERS[meaning], meaning.value) for meaning in lit.values()})
    board = [f"{rank} {row}" for rank, row in zip(reversed(RANK_NAMES), rows, strict=True)]
    board.append("  " + " ".join(FILE_NAMES))
    story = shot.story
    legend = [f"  {letter} {meaning}" for letter, meaning in found]
    title = translate(story.title, look.language)
    return "\n".join([f"{name}: {title}. {look.caption(story.caption)}", *board, *legend])


def _exposure(shot: Film) -> list[Instant]:
    """Return the moments that make up a still picture."""
    count = round(shot.story.exposure_s / _EXPOSED_S)
    return [Instant(shot.still + place * _EXPOSED_S) for place in range(count + 1)]


def _colours(shot: Film, moments: Iterable[Instant]) -> list[Rgb]:
    """Return each square's brightest colour in some moments."""
    best: list[Rgb] = [(0, 0, 0)] * len(SQUARES)
    for now in moments:
        for square, rgb in enumerate(scene(shot.snapshot, now)):
            if sum(rgb) > sum(best[square]):
                best[square] = rgb
    return best


def write_png(names: Sequence[str], out: Path, look: Look = PLAIN) -> None:
    """Write one scene, or a sheet of several, as a PNG file.

    Raises:
        PicturesError: Pillow is missing.
        OSError: the file cannot be written.
    """
    _pillow()
    films = [look.film(name) for name in names]
    picture = _card(films[0], look) if len(films) == 1 else _sheet(films, look)
    picture.save(out, format="PNG", optimize=True)


def write_gif(name: str, out: Path, look: Look = PLAIN) -> None:
    """Write one scene as an animated GIF file.

    Raises:
        PicturesError: Pillow is missing.
        OSError: the file cannot be written.
    """
    _pillow()
    shot = look.film(name)
    count = round(shot.story.length_s * FRAMES_PER_S)
    moments = [Instant(shot.end + place / FRAMES_PER_S) for place in range(count)]
    frames = [_small(_board(shot, scene(shot.snapshot, now))) for now in moments]
    frames[0].save(
        out,
        format="GIF",
        save_all=True,
        append_images=frames[1:],
        duration=1000 // FRAMES_PER_S,
        loop=0,
        optimize=False,
    )


def _small(picture: Image) -> Image:
    """Return a frame of an animated picture: two thirds of the size, in 64 colours."""
    from PIL import Image  # noqa: PLC0415 - optional, see the module's docstring

    side = picture.width * 2 // 3
    return picture.resize((side, side), Image.Resampling.LANCZOS).quantize(64)


@lru_cache(maxsize=1)
def _glow(size: int) -> Image:
    """Return the mask of a light under a square: bright in the middle, weaker at the rim."""
    from PIL import Image  # noqa: PLC0415 - optional, see the module's docstring

    mask = Image.new("L", (size, size))
    middle = (size - 1) / 2
    for y in range(size):
        for x in range(size):
            away = max(abs(x - middle), abs(y - middle)) / middle
            mask.putpixel((x, y), round(255 * max(0.0, 1.0 - 0.55 * away * away)))
    return mask


def _board(shot: Film, colours: Sequence[Rgb]) -> Image:
    """Return the board: wood, the light that comes through it, and the pieces on top."""
    from PIL import Image, ImageChops, ImageDraw  # noqa: PLC0415 - optional, see above

    cell = _CELL * _SMOOTH
    margin = _MARGIN * _SMOOTH
    side = SIZE * cell + 2 * margin
    wood = Image.new("RGB", (side, side), _FRAME)
    light = Image.new("RGB", (side, side))
    draw = ImageDraw.Draw(wood)
    glow = _glow(cell - 2)
    for square in SQUARES:
        left, top = _corner(square)
        tone = _WOOD[(square_file(square) + square_rank(square)) % 2]
        draw.rectangle((left + 1, top + 1, left + cell - 2, top + cell - 2), fill=tone)
        if any(colours[square]):
            light.paste(colours[square], (left + 1, top + 1), glow)
    picture = ImageChops.screen(wood, light)
    draw = ImageDraw.Draw(picture)
    for square in members(shot.closed):
        _piece(draw, shot, square)
    _labels(draw, cell, margin)
    size = side // _SMOOTH
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def _corner(square: Square) -> tuple[int, int]:
    """Return the left upper corner of a square; rank 9 is on top."""
    left = (_MARGIN + square_file(square) * _CELL) * _SMOOTH
    return left, (_MARGIN + (SIZE - 1 - square_rank(square)) * _CELL) * _SMOOTH


def _piece(draw: ImageDraw, shot: Film, square: Square) -> None:
    cell = _CELL * _SMOOTH
    left, top = _corner(square)
    inset = cell * 0.26
    box = (left + inset, top + inset, left + cell - inset, top + cell - inset)
    piece = shot.snapshot.position.piece_at(square) or Piece.ATTACKER
    fill, rim = _PIECES[piece]
    draw.ellipse(box, fill=fill, outline=rim, width=3)
    if piece is Piece.KING:
        x, y, arm = left + cell / 2, top + cell / 2, cell * 0.13
        draw.line((x - arm, y, x + arm, y), fill=rim, width=5)
        draw.line((x, y - arm, x, y + arm), fill=rim, width=5)


def _labels(draw: ImageDraw, cell: int, margin: int) -> None:
    font = _font(11 * _SMOOTH)
    for place in range(SIZE):
        along = margin + place * cell + cell // 2
        below = margin + SIZE * cell + margin // 2
        draw.text((along, below), FILE_NAMES[place], fill=_INK, font=font, anchor="mm")
        rank = RANK_NAMES[SIZE - 1 - place]
        draw.text((margin // 2, along), rank, fill=_INK, font=font, anchor="mm")


@lru_cache(maxsize=8)
def _font(size: int) -> FreeTypeFont:
    from PIL import ImageFont  # noqa: PLC0415 - optional, see the module's docstring

    return ImageFont.load_default(size)  # type: ignore[return-value]  # Pillow has FreeType


def _card(shot: Film, look: Look) -> Image:
    """Return a board with its title and caption."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - optional, see the module's docstring

    board = _board(shot, _colours(shot, _exposure(shot)))
    width = board.width + 24
    below = 100 if look.palette == DEFAULT_PALETTE else 136  # two lines more for the note
    card = Image.new("RGB", (width, board.height + below), _PAPER)
    card.paste(board, (12, 12))
    draw = ImageDraw.Draw(card)
    draw.text(
        (12, board.height + 20),
        translate(shot.story.title, look.language),
        fill=_TEXT,
        font=_font(19),
    )
    top = board.height + 46
    for line in _wrapped(draw, look.caption(shot.story.caption), board.width):
        draw.text((12, top), line, fill=_GREY, font=_font(14))
        top += 18
    return card


def _wrapped(draw: ImageDraw, words: str, width: int) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if draw.textlength(longer, font=_font(14)) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _sheet(films: Sequence[Film], look: Look) -> Image:
    from PIL import Image  # noqa: PLC0415 - optional, see the module's docstring

    cards = [_card(shot, look) for shot in films]
    width, height = cards[0].size
    rows = -(-len(cards) // _COLUMNS)
    sheet = Image.new("RGB", (width * min(_COLUMNS, len(cards)), height * rows), _PAPER)
    for place, card in enumerate(cards):
        sheet.paste(card, (place % _COLUMNS * width, place // _COLUMNS * height))
    return sheet


ALL_SCENES: Final = tuple(SCENES)
"""The names of all scenes, in the order of the documentation."""
