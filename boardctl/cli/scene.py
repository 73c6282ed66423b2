"""`boardctl scene`: pictures of the lights, made by the daemon's own scene function."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardctl.errors import BadRequestError, BoardctlError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boardctl.pictures import Look

Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME] [OUT]",
        help="The scene (left out with --all), and the file to write; text goes to the screen.",
        show_default=False,
    ),
]
All = Annotated[bool, typer.Option("--all", help="Every scene; with --gif OUT is a directory.")]
Png = Annotated[bool, typer.Option("--png", help="A still picture; with --all one sheet.")]
Gif = Annotated[bool, typer.Option("--gif", help="An animated picture.")]
Names = Annotated[bool, typer.Option("--list", help="Print the names of all scenes.")]
Palette = Annotated[str, typer.Option("--palette", help="default, deuteranopia, high-contrast.")]
Language = Annotated[str, typer.Option("--language", help="Of the words: en, de, da.")]
Seed = Annotated[int, typer.Option("--seed", help="Draws the lot of the scenes that have one.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boardctl scene --all --png lights.png")(scene)


def scene(  # noqa: PLR0913 - one parameter an option
    arguments: Arguments = None,
    *,
    every: All = False,
    png: Png = False,
    gif: Gif = False,
    names: Names = False,
    palette: Palette = "default",
    language: Language = "en",
    seed: Seed = 1,
) -> None:
    """Show what the table's lights say: as text, as a picture, or moving."""
    from boardctl import pictures  # noqa: PLC0415 - the rules commands start without it

    if names:
        typer.echo("\n".join(pictures.ALL_SCENES))
        return
    if png and gif:
        raise BadRequestError("--png and --gif: choose one of them")
    look = _look(palette, language, seed)
    chosen, out = _read(arguments or [], pictures.ALL_SCENES, every=every)
    if out is None and (png or gif):
        raise BadRequestError("no file to write the picture to; add its name: ... OUT")
    if out is not None and not (every and gif):
        _check_file(out)
    try:
        if out is None or not (png or gif):
            _write_text(chosen, out, look)
        elif png:
            pictures.write_png(chosen, out, look)
        else:
            _write_gifs(chosen, out, look, every=every)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BoardctlError(f"{out}: cannot be written: {reason}") from error


def _check_file(out: Path) -> None:
    """Refuse a file that cannot be.

    Raises:
        BadRequestError: it is a directory, or lies in one that does not exist.
    """
    if out.is_dir():
        raise BadRequestError(f"{out}: a directory; name a file in it")
    if not out.parent.is_dir():
        raise BadRequestError(f"{out}: no directory {out.parent}; make it first")


def _look(palette: str, language: str, seed: int) -> Look:
    """Return how the scenes are shown.

    Raises:
        BadRequestError: no such palette or language.
    """
    from boardctl.core.settings import LANGUAGES, PALETTES  # noqa: PLC0415 - see scene
    from boardctl.pictures import Look  # noqa: PLC0415 - likewise

    if palette not in PALETTES:
        raise BadRequestError(f"unknown palette: {palette!r}; one of {', '.join(PALETTES)}")
    if language not in LANGUAGES:
        raise BadRequestError(f"unknown language: {language!r}; one of {', '.join(LANGUAGES)}")
    return Look(palette, language, seed)


def _read(
    arguments: Sequence[str], known: Sequence[str], *, every: bool
) -> tuple[Sequence[str], Path | None]:
    """Return the scenes asked for and the file.

    Raises:
        BadRequestError: no such scene, none at all, or too many words.
    """
    words = list(arguments)
    chosen: Sequence[str] = known
    if not every:
        if not words:
            raise BadRequestError(f"which scene? --all, or one of: {', '.join(known)}")
        name = words.pop(0)
        if name not in known:
            from difflib import get_close_matches  # noqa: PLC0415 - only on the way to an error

            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the scenes: {', '.join(known)}"
            raise BadRequestError(f"no scene named {name!r}; {hint}")
        chosen = [name]
    if len(words) > 1:
        raise BadRequestError(f"too many words: {' '.join(words[1:])!r}; one file is written")
    return chosen, Path(words[0]) if words else None


def _write_gifs(chosen: Sequence[str], out: Path, look: Look, *, every: bool) -> None:
    from boardctl import pictures  # noqa: PLC0415 - the rules commands start without it

    if not every:
        pictures.write_gif(chosen[0], out, look)
        return
    out.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        pictures.write_gif(name, out / f"{name}.gif", look)


def _write_text(chosen: Sequence[str], out: Path | None, look: Look) -> None:
    from boardctl import pictures  # noqa: PLC0415 - the rules commands start without it

    text = "\n\n".join(pictures.text(name, look) for name in chosen)
    if out is None:
        typer.echo(text)
    else:
        out.write_text(text + "\n", encoding="utf-8")
