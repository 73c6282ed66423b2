"""Programs that some tests need beyond Python."""

from __future__ import annotations

import shutil

import pytest


def need(*names: str) -> str:
    """Return the path of the first of *names* found on PATH; skip the test where none is.

    With BOARDCTL_NO_SKIP=1 (as CI sets it) `tests/conftest.py` turns the skip into a failure.
    """
    for name in names:
        path = shutil.which(name)
        if path is not None:
            return path
    pytest.skip(f"needs {' or '.join(names)}, which is not installed")
