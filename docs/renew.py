"""Write what the documentation takes from the program: diagram, tables, golden frames, pictures.

Run from the project's root: python docs/renew.py
"""

import re
from pathlib import Path

from boardctl import pictures
from boardctl.core.gallery import SCENES
from boardctl.core.transitions import answers, mermaid

DOCS = Path(__file__).parent
MOVING = ("won-by-defenders", "lot", "tuicku")


def between(text: str, mark: str, new: str) -> str:
    """Return the text with what stands between a mark and the next end mark replaced."""
    pattern = rf"(<!-- {mark} -->\n).*?(<!-- end -->)"
    return re.sub(pattern, lambda found: f"{found[1]}{new}\n{found[2]}", text, flags=re.DOTALL)


def main() -> None:
    """Renew all of it."""
    session = DOCS / "session.md"
    text = between(session.read_text(encoding="utf-8"), "mermaid", f"```mermaid\n{mermaid()}\n```")
    session.write_text(between(text, "answers", answers()), encoding="utf-8")
    golden = DOCS.parent / "tests" / "golden" / "scenes.txt"
    frames = "\n\n".join(pictures.text(name) for name in SCENES)
    golden.write_text(frames + "\n", encoding="utf-8")
    images = DOCS / "images" / "lights"
    images.mkdir(parents=True, exist_ok=True)
    pictures.write_png(pictures.ALL_SCENES, images / "all.png")
    for name in MOVING:
        pictures.write_gif(name, images / f"{name}.gif")


if __name__ == "__main__":
    main()
