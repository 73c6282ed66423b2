"""gpiozero's own mock pins, one clean set for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def pins() -> Iterator[Any]:
    """The pin factory that gpiozero uses during a test."""
    before = gpiozero.Device.pin_factory
    factory = MockFactory(pin_class=MockPWMPin)
    gpiozero.Device.pin_factory = factory
    yield factory
    factory.close()
    gpiozero.Device.pin_factory = before
