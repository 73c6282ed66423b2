"""The game at the board as a state machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from boardctl.core.effects import Effect
    from boardctl.core.events import Event
    from boardctl.core.occupancy import Instant
    from boardctl.core.settings import SessionSettings
    from boardctl.core.snapshot import Snapshot
    from engine.game import Game


class Session:
    """The game at one board."""

    def __init__(
        self,
        settings: SessionSettings,
        now: Instant,
        rng: random.Random,
        *,
        game: Game | None = None,
    ) -> None:
        raise NotImplementedError

    def handle(self, event: Event, now: Instant) -> list[Effect]:
        """Take one event in; return what the shell is to do, in order. Never raises."""
        raise NotImplementedError

    @property
    def snapshot(self) -> Snapshot:
        """What the table shows now."""
        raise NotImplementedError

    @property
    def next_deadline(self) -> Instant | None:
        """When the session wants a `Tick`, should nothing happen before."""
        raise NotImplementedError
