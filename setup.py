"""The optional compiled rules core; everything else is in pyproject.toml.

`engine/core.py` is plain Python. With a C compiler it is compiled by Cython with the types of
`engine/core.pxd`; without one the same file is installed as it is.
"""

from setuptools import Extension, setup

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "boundscheck": False,
    "cdivision": True,
    "initializedcheck": False,
    "wraparound": False,
}


def extensions() -> list[Extension]:
    """Return the compiled core, optional; nothing where Cython is missing or fails."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    found = cythonize(["engine/core.py"], compiler_directives=DIRECTIVES)
    for extension in found:
        extension.optional = True  # cythonize drops it when it is set before
    return list(found)


setup(ext_modules=extensions())
