"""Nothing is shared by fixture name; helpers live in tests/support and are imported."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The machine that runs the tests may be busy: a slow example is no failure.
settings.register_profile(
    "boardctl", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("boardctl")
