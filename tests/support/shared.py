"""The folder of specifications and test data beside the project, where there is one.

A user's clone has none: tests that need it skip with a message.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"no test data at {SHARED.name}/ beside the project"
)
