"""The crash drill: power fails at random moments, and nothing is lost or invented.

    python -m tests.crash.drill --rounds 1000 --seed 1 --tables 4

A drill mostly waits, so several tables are drilled side by side. At each a daemon runs on the
simulated board; hands play random legal games through its socket. SIGKILL ends it at a random
moment: while it starts, between two plies, with a piece in the air, within the milliseconds of a
commit. The wooden board is the drill's own memory of it and outlives the daemon; sometimes hands
go on while the power is off. After each start must hold:

* the archive holds every ply that had been confirmed to an observer, and no ply that hands did
  not make;
* the table shows the game as the hands have it, and it goes on.

Hands move on only when the board has heard of the motion before, so that a busy machine does not
make two of them one.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boardctl.archive import Store, open_database
from engine import VARIANTS, Game, Side, load_variant
from tests.crash.hands import Hands
from tests.support.archives import all_games

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[2]
SETTLE_S: Final = 8.0
"""The table must show the hands' game within so long of its first snapshot."""

LONGEST_LIFE_S: Final = 3.0
SAVED_S: Final = 0.5
"""After so long a ply that is shown is on the disk, too."""

DARK: Final = 0.3
"""How often hands go on without power, if the table knew all that went before: two plies that no
switch has reported to anybody cannot always be told apart."""

ROUNDS_A_VARIANT: Final = 25


class DrillError(AssertionError):
    """Something was lost or invented."""


class Observer:
    """The page's end of the link, without waiting."""

    def __init__(self, path: Path) -> None:
        self._sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._sock.connect(str(path))
        except OSError:
            self._sock.close()
            raise
        self._sock.setblocking(False)
        self._received = b""
        self._number = self._heard = 0

    def snapshots(self) -> Iterator[dict[str, Any]]:
        """Yield the snapshots that have come."""
        with contextlib.suppress(BlockingIOError, ConnectionError):
            while chunk := self._sock.recv(1 << 18):
                self._received += chunk
        *lines, self._received = self._received.split(b"\n")
        for line in lines:
            message = json.loads(line)
            if message["kind"] == "snapshot":
                yield message["snapshot"]
            elif message["kind"] == "reply":
                self._heard += 1
                if message["status"] != 200:
                    raise DrillError(f"the board refuses a hand: {message}")

    @property
    def is_heard(self) -> bool:
        """Whether the board has taken in every motion."""
        return self._heard == self._number

    def do(self, body: dict[str, Any]) -> None:
        """Move a simulated hand."""
        self._number += 1
        line = json.dumps({"kind": "sim", "id": self._number, "body": body}).encode() + b"\n"
        with contextlib.suppress(ConnectionError):
            self._sock.sendall(line)

    def close(self) -> None:
        self._sock.close()


class Drill:
    """One state directory, one variant, many power cuts."""

    def __init__(self, folder: Path, variant: str, rng: random.Random) -> None:
        self._folder = folder
        self._variant = variant
        self._rng = rng
        self._hands = self._new_hands()
        self._confirmed: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._agreed_at: float | None = None
        self.cuts = self.games = self.checked = 0

    def _new_hands(self) -> Hands:
        game = Game.start(load_variant(self._variant), side=Side.ATTACKER)
        return Hands(game, self._rng, int(game.position.occupied))

    def round(self) -> None:
        """Start the daemon, let hands play, cut the power; check what is left."""
        self._start()
        try:
            self._live(self._rng.uniform(0.0, LONGEST_LIFE_S))
        finally:
            self._cut()
        rested = time.monotonic() - self._agreed_at if self._agreed_at is not None else 0.0
        self._check_archive()
        if rested > SAVED_S and self._rng.random() < DARK:
            self._play_in_the_dark()

    def _start(self) -> None:
        self._agreed_at = None
        environ = {
            **os.environ,
            "BOARDCTL_TABLE__VARIANT": self._variant,
            "BOARDCTL_TABLE__OPTIONS": '{ first = "attackers" }',
            "BOARDCTL_SWITCHES__DRIVER": "simulated",
            "BOARDCTL_SWITCHES__PIECES": f"{self._hands.pieces:x}",
            "BOARDCTL_LEDS__DRIVER": "simulated",
            "BOARDCTL_RUN__STATE_DIR": str(self._folder),
            "BOARDCTL_RUN__SOCKET": str(self._folder / "link"),
        }
        file = self._folder / "boardctl.toml"
        file.touch()
        command = [sys.executable, "-m", "boardctl", "run", "-c", str(file)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, env=environ, cwd=ROOT, stderr=log)

    def _cut(self) -> None:
        self._check_alive()
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self.cuts += 1

    # --- while the power is on -------------------------------------------------------------------

    def _live(self, seconds: float) -> None:
        """Watch and play until *seconds* after the first snapshot (or, at times, before it)."""
        born = time.monotonic()
        patience_s = seconds if self._rng.random() < 0.15 else 60.0
        observer = self._connect(born + patience_s)
        if observer is None:
            return
        with contextlib.closing(observer):
            if self._resumed(observer):
                self._play(observer, time.monotonic() + seconds)

    def _connect(self, until: float) -> Observer | None:
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                return Observer(self._folder / "link")
            time.sleep(0.01)  # noqa: TID251  a process is awaited
        return None

    def _resumed(self, observer: Observer) -> bool:
        """Wait until the table shows the game that the hands have; False: the game had ended."""
        shown: dict[str, Any] = {}
        until = time.monotonic() + SETTLE_S
        while time.monotonic() < until:
            for snapshot in observer.snapshots():
                self._check(snapshot)
                shown = snapshot
            if shown and shown["moves"] == self._hands.plies and shown["reading"] != "mismatch":
                self.checked += 1
                return True
            time.sleep(0.01)  # noqa: TID251  as above
        told = {key: shown.get(key) for key in ("moves", "reading", "missing", "extra")}
        raise DrillError(f"after a cut: {told}; the hands have {self._hands.plies}")

    def _play(self, observer: Observer, until: float) -> None:
        move_at, pause_s = time.monotonic(), 0.0
        while time.monotonic() < until:
            self._check_alive()
            for snapshot in observer.snapshots():
                self._check(snapshot)
            if not observer.is_heard:
                move_at = time.monotonic() + pause_s
            elif time.monotonic() >= move_at:
                square = self._hands.next_motion()
                if square is None:
                    self._new_game(observer)
                    return
                observer.do(self._hands.move(square))
                self._agreed_at = None
                pause_s = self._rng.choice((0.06, 0.15, 0.3, 0.6))
                if self._hands.is_resting:
                    # Two plies that no switch has told apart cannot be told apart from the board.
                    pause_s += 0.4
            time.sleep(0.005)  # noqa: TID251  as above

    def _new_game(self, observer: Observer) -> None:
        """Wait for the end to be told, then set the pieces up again."""
        until = time.monotonic() + SETTLE_S
        finished = False
        while not finished:
            if time.monotonic() > until:
                raise DrillError(f"the end is not told: {self._hands.game.outcome}")
            for snapshot in observer.snapshots():
                self._check(snapshot)
                finished = snapshot["reading"] == "finished"
            time.sleep(0.01)  # noqa: TID251  as above
        self.games += 1
        self._hands = self._new_hands()
        self._confirmed, self._agreed_at = [], None
        observer.do({"setup": True})
        self._resumed(observer)

    def _play_in_the_dark(self) -> None:
        """Finish the ply that is half made, or make one, while nobody watches."""
        if self._hands.is_resting and self._hands.next_motion() is not None:
            self._hands.motions.insert(0, self._hands.making.from_square)  # type: ignore[union-attr]
        while self._hands.motions:
            self._hands.move(self._hands.motions.pop(0))

    # --- what must hold --------------------------------------------------------------------------

    def _check_alive(self) -> None:
        assert self._process is not None
        if self._process.poll() is not None:
            log = (self._folder / "log").read_text()[-2000:]
            raise DrillError(f"the daemon ended by itself ({self._process.returncode}): {log}")

    def _check(self, snapshot: dict[str, Any]) -> None:
        """Nothing invented, nothing confirmed lost."""
        moves, made = snapshot["moves"], self._hands.plies
        if not made and snapshot["reading"] == "finished":
            return  # the last words of the game before
        if snapshot["reading"] in {"setup", "lot"} or (made and not moves):
            return  # between two games, or before the resumed one is shown
        if moves != made:
            self._agreed_at = None
        elif self._agreed_at is None:
            self._agreed_at = time.monotonic()
        if moves != made[: len(moves)]:
            raise DrillError(f"invented: the table shows {moves}; the hands made {made}")
        confirmed = moves[: snapshot["final"]]
        if confirmed[: len(self._confirmed)] != self._confirmed[: len(confirmed)]:
            raise DrillError(f"changed: confirmed were {self._confirmed}; now {confirmed}")
        if len(confirmed) > len(self._confirmed):
            self._confirmed = confirmed

    def _check_archive(self) -> None:
        """Read a copy of the database as the cut has left it."""
        if not (self._folder / "games.db").exists():
            return
        copy = self._folder / "copy"
        copy.mkdir(exist_ok=True)
        for ending in ("", "-wal"):
            shutil.copy(self._folder / f"games.db{ending}", copy)
        store = Store(open_database(copy / "games.db"))
        with contextlib.closing(store.database):
            if store.check() is not None:
                raise DrillError(f"the database is damaged: {store.check()}")
            games = all_games(store)
        shutil.rmtree(copy)
        kept = games[-1].moves if games else []
        if kept[: len(self._confirmed)] != self._confirmed:
            raise DrillError(f"lost: confirmed were {self._confirmed}; kept is {kept}")
        if kept != self._hands.plies[: len(kept)] and self._confirmed:
            raise DrillError(f"invented: kept is {kept}; the hands made {self._hands.plies}")


class _Shift:
    """Blocks of rounds, drilled by several threads until one fails."""

    def __init__(self, rounds: int, *, show: bool) -> None:
        self.totals = dict.fromkeys(("cuts", "games", "checked"), 0)
        self._rounds = rounds
        self._show = show
        self._lock = threading.Lock()
        self._failed = threading.Event()

    def drill(self, block: int, rounds: int) -> None:
        """Drill one table; raises DrillError with the seed that fails."""
        variant = VARIANTS[block % len(VARIANTS)]
        with tempfile.TemporaryDirectory(prefix="drill-") as folder:
            drill = Drill(Path(folder), variant, random.Random(block))
            for number in range(rounds):
                if self._failed.is_set():
                    return
                try:
                    drill.round()
                except DrillError as error:
                    self._failed.set()
                    log = (Path(folder) / "log").read_text()[-3000:]
                    where = f"round {number} of seed {block} ({variant})"
                    raise DrillError(f"{where}: {error}\n{log}") from error
                self._note_round()
        with self._lock:
            self.totals["games"] += drill.games
            self.totals["checked"] += drill.checked

    def _note_round(self) -> None:
        with self._lock:
            self.totals["cuts"] += 1
            if self._show:
                sys.stderr.write(f"\r{self.totals['cuts']}/{self._rounds} power cuts")


def run(rounds: int, seed: int, *, tables: int = 1, show: bool = False) -> dict[str, int]:
    """Drill so many rounds; return what was done. Raises DrillError with the seed that fails."""
    shift = _Shift(rounds, show=show)
    with ThreadPoolExecutor(tables) as pool:
        drills = [
            pool.submit(shift.drill, seed + number, min(ROUNDS_A_VARIANT, rounds - first))
            for number, first in enumerate(range(0, rounds, ROUNDS_A_VARIANT))
        ]
    for drill in drills:
        drill.result()
    return shift.totals


def main() -> None:
    """Run the drill from the command line."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("--rounds", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--tables", type=int, default=4, help="drilled side by side")
    given = arguments.parse_args()
    begun = time.monotonic()
    try:
        totals = run(given.rounds, given.seed, tables=given.tables, show=sys.stderr.isatty())
    except DrillError as error:
        sys.exit(f"\ncrash drill failed: {error}")
    took = time.monotonic() - begun
    sys.stdout.write(
        f"{totals['cuts']} power cuts in {took:.0f} s: {totals['checked']} games gone on with, "
        f"{totals['games']} played to the end, every confirmed ply kept, none invented\n"
    )


if __name__ == "__main__":
    main()
