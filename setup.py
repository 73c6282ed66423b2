"""The optional compiled rules core; everything else is in pyproject.toml.

`engine/core.py` is plain Python. With a C compiler it is compiled by Cython with the types of
`engine/core.pxd`; without one the same file is installed as it is. `BOARDCTL_PURE=1` in the
environment leaves it plain: one wheel for every machine (`scripts/bundle.sh`).
"""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "boundscheck": False,
    "cdivision": True,
    "initializedcheck": False,
    "wraparound": False,
}


class FreshBuild(build_ext):
    """Compiles anew each time: what an earlier build left must not pass for this one's."""

    def build_extension(self, ext: Extension) -> None:
        """Compile one extension; where that fails nothing remains."""
        self.force = True
        built = Path(self.get_ext_filename(ext.name))  # in the source tree: editable installs
        for stale in (Path(self.get_ext_fullpath(ext.name)), built):
            stale.unlink(missing_ok=True)
        super().build_extension(ext)


def extensions() -> list[Extension]:
    """Return the compiled core, optional; nothing where Cython is missing or not wanted."""
    if os.environ.get("BOARDCTL_PURE") == "1":
        return []
    try:
        from Cython.Build import cythonize  # noqa: PLC0415  absent on some machines
    except ImportError:
        return []
    found = cythonize(["engine/core.py"], compiler_directives=DIRECTIVES, build_dir="build/c")
    for extension in found:
        extension.optional = True  # cythonize drops it when it is set before
    return list(found)


setup(ext_modules=extensions(), cmdclass={"build_ext": FreshBuild})
