"""`boardctl scene`: text, pictures, and one line for what is wrong."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from typer.testing import CliRunner

from boardctl.cli import build
from boardctl.errors import BadRequestError, BoardctlError
from boardctl.pictures import ALL_SCENES, PicturesError

if TYPE_CHECKING:
    from pathlib import Path


def run(*words: str) -> str:
    """Standard output; what goes wrong is raised as the program's own error."""
    result = CliRunner().invoke(build(), ["scene", *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_a_scene_as_text() -> None:
    shown = run("lifted")
    assert shown.startswith("lifted: A piece is lifted.")
    assert "8 g g c g o g g c g" in shown


def test_its_words_in_german() -> None:
    assert "Ein Stein ist angehoben" in run("lifted", "--language", "de")


def test_the_names_of_all_scenes() -> None:
    assert run("--list").split() == list(ALL_SCENES)


def test_text_into_a_file(tmp_path: Path) -> None:
    out = tmp_path / "scene.txt"
    run("turn", str(out))
    assert out.read_text(encoding="utf-8").startswith("turn: Whose turn.")


def test_a_still_picture(tmp_path: Path) -> None:
    out = tmp_path / "turn.png"
    run("turn", "--png", str(out))
    with Image.open(out) as picture:
        assert picture.format == "PNG"
        assert picture.width > 300


def test_the_palette_changes_the_picture(tmp_path: Path) -> None:
    run("lifted", "--png", str(tmp_path / "a.png"))
    run("lifted", "--png", str(tmp_path / "b.png"), "--palette", "deuteranopia")
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.png").read_bytes()


def test_a_sheet_of_all_scenes(tmp_path: Path) -> None:
    out = tmp_path / "all.png"
    run("--all", "--png", str(out))
    with Image.open(out) as picture:
        assert picture.height > 2 * picture.width


def test_a_moving_picture(tmp_path: Path) -> None:
    out = tmp_path / "ready.gif"
    run("ready", "--gif", str(out))
    with Image.open(out) as picture:
        assert picture.format == "GIF"
        assert getattr(picture, "n_frames", 1) > 5


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ([], "which scene?"),
        (["lifte"], "did you mean 'lifted'?"),
        (["zzz"], "the scenes: attract-wave"),
        (["turn", "a.png", "b.png", "--png"], "'b.png'"),
        (["turn", "--png"], "no file"),
        (["turn", "--png", "--gif", "x"], "choose one"),
        (["turn", "--palette", "pink"], "'pink'"),
        (["turn", "--language", "tlh"], "'tlh'"),
    ],
)
def test_wrong_requests_say_what_and_what_instead(words: list[str], part: str) -> None:
    with pytest.raises(BadRequestError, match=part.replace("?", r"\?")):
        run(*words)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    in_a_file = tmp_path / "file"
    in_a_file.write_text("")
    with pytest.raises(BoardctlError, match="cannot be written: not a directory"):
        run("--all", "--gif", str(in_a_file / "folder"))


@pytest.mark.parametrize("kind", [["--png"], ["--gif"], []])
def test_a_place_that_does_not_exist_is_a_wrong_request(tmp_path: Path, kind: list[str]) -> None:
    with pytest.raises(BadRequestError, match=r"no directory .*such; make it first"):
        run("turn", *kind, str(tmp_path / "such" / "file"))
    with pytest.raises(BadRequestError, match="a directory; name a file in it"):
        run("turn", *kind, str(tmp_path))


def test_without_pillow_the_remedy_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(PicturesError, match=r"boardctl\[pictures\]"):
        run("turn", "--png", str(tmp_path / "x.png"))


@pytest.mark.parametrize(
    ("language", "note"), [("en", "(Colours are named"), ("de", "(Die Farben"), ("da", "(Farverne")]
)
def test_a_caption_says_whose_colours_it_names(language: str, note: str) -> None:
    def shown(name: str, palette: str) -> str:
        return run(name, "--language", language, "--palette", palette)

    assert note in shown("lifted", "deuteranopia")
    assert note in shown("lesson-again", "high-contrast")
    assert note not in shown("lifted", "default")
    assert note not in shown("paused", "deuteranopia"), "no colour is named"
