"""A loop on the simulated board, by hand-made time, and its observer at the other end."""

from __future__ import annotations

import json
import random
import socket
from typing import TYPE_CHECKING, Any

from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings
from boardctl.hands import SimulatedHands
from boardctl.lights import Lights
from boardctl.link.server import LinkServer, Request
from boardctl.loop import Loop
from boardctl.notify import Notifier
from boardctl.parts import Parts
from boardctl.workshop import Tools
from engine import load_variant
from hardware.backends import open_simulation
from hardware.debounce import Debouncer
from hardware.light import Dimmer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from boardctl.core.effects import Effect
    from boardctl.core.events import Committed


class ListRecorder:
    """A recorder that keeps effects in a list and acknowledges nothing by itself."""

    def __init__(self) -> None:
        self.fault: str | None = None
        self.effects: list[Effect] = []
        self.asked: list[Request] = []
        self.ready: list[tuple[Request, int, Mapping[str, Any]]] = []
        self.acknowledged: list[Committed] = []

    def take(self, effects: Sequence[Effect], now: Instant) -> None:
        del now
        self.effects += effects

    def committed(self) -> Sequence[Committed]:
        found, self.acknowledged = self.acknowledged, []
        return found

    def ask(self, request: Request) -> None:
        self.asked.append(request)

    def answers(self) -> Sequence[tuple[Request, int, Mapping[str, Any]]]:
        found, self.ready = self.ready, []
        return found

    def report(self) -> Mapping[str, Any]:
        return {"ok": self.fault is None}


class Bench:
    """Everything a test of the loop needs; `run` turns it at its own pace."""

    def __init__(self, folder: Path, variant: str = "market", *, scan_hz: float = 200.0) -> None:
        self.now = Instant(1000.0)
        self.simulation = open_simulation(seed=1)
        self.hands = SimulatedHands(self.simulation.hands)
        self.hands.set_up(load_variant(variant).start.occupied)
        self.recorder = ListRecorder()
        self.link = LinkServer(folder / "link")
        self.dimmed: list[float] = []
        self.turns = 0
        settings = SessionSettings(variant=variant)

        def session_for(seen: Occupancy, now: Instant) -> Session:
            del seen
            return Session(settings, now, random.Random(1))

        self.parts = Parts(
            scanner=self.simulation.scanner,
            debouncer=Debouncer(),
            lights=Lights(self.simulation.strip, self._dimmer, brightness=1.0, fps=30.0),
            session_for=session_for,
            recorder=self.recorder,
            link=self.link,
            notifier=Notifier({}),
            scan_hz=scan_hz,
            variant=variant,
            hands=self.hands,
            tools=Tools(rewired=self.simulation.scanner.rewired),
        )
        self.loop = Loop(self.parts, self.now)
        self.observer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.observer.connect(str(folder / "link"))
        self.observer.setblocking(False)
        self._received = b""
        self._number = 0

    def _dimmer(self, brightness: float) -> Dimmer:
        self.dimmed.append(brightness)
        return Dimmer(brightness=brightness, gamma=1.0, max_ma=10_000.0)

    def run(self, seconds: float) -> None:
        """Let time pass, turn by turn as the loop asks for it."""
        until = self.now + seconds
        deadline = self.now
        while deadline <= until:
            self.now = deadline
            self.turns += 1
            deadline = self.loop.turn(self.now)
        self.now = Instant(until)

    def ask(self, kind: str, body: Mapping[str, Any]) -> int:
        """Send a request as an observer; return its number."""
        self._number += 1
        message = {"kind": kind, "id": self._number, "body": body}
        self.observer.sendall(json.dumps(message).encode() + b"\n")
        return self._number

    def answer(self, kind: str, body: Mapping[str, Any], *, within_s: float = 1.0) -> Any:
        """Send a request, let time pass until it is answered, return (status, body)."""
        number = self.ask(kind, body)
        for _ in range(int(within_s / 0.005)):
            self.run(0.005)
            for message in self.told():
                if message["kind"] == "reply" and message["id"] == number:
                    return message["status"], message["body"]
        raise AssertionError(f"no answer to {body}")

    def told(self) -> list[dict[str, Any]]:
        """What the observer has been told since the last call."""
        try:
            while chunk := self.observer.recv(1 << 20):
                self._received += chunk
        except BlockingIOError:
            pass
        *lines, self._received = self._received.split(b"\n")
        return [json.loads(line) for line in lines]

    def close(self) -> None:
        self.observer.close()
        self.link.close()
