"""Anything may happen at a table in any order: the session always has an answer."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from boardctl.core import commands, events
from boardctl.core.effects import GameAbandoned, GameOver, GameReopened, GameStarted
from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.scene import scene
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import snapshot_json
from boardctl.core.transitions import TABLE
from boardctl.core.triggers import trigger_of
from engine.pieces import Side
from engine.rules import VARIANTS, load_variant
from engine.squares import ALL_SQUARES, CENTRE, NO_SQUARES, SquareSet

SIDES = st.sampled_from(Side)
SQUARES = st.integers(0, 80)
COMMANDS = st.one_of(
    st.builds(commands.NewGame, st.booleans()),
    st.builds(
        commands.SetVariant,
        st.sampled_from([*VARIANTS, "chess", "missing.toml"]),
        st.sampled_from([{}, {"first": "lot"}, {"first": "defenders"}, {"layout": "moon"}]),
    ),
    st.just(commands.Undo()),
    st.builds(commands.Resign, SIDES),
    st.just(commands.AgreeDraw()),
    st.just(commands.DeclareUndecidable()),
    st.builds(
        commands.ConfirmPosition,
        st.sampled_from(
            [
                None,
                "",
                "nonsense",
                "/9/9/9/9/4K4/9/9/9/9/",
                "/9/9/9/9/t3K3t/9/9/9/4T4/",
                "/K8/9/9/9/9/9/9/9/9/",
            ]
        ),
        st.none() | SIDES,
    ),
    st.builds(commands.DeclareResult, st.none() | SIDES),
    st.just(commands.Pause()),
    st.just(commands.Resume()),
    st.just(commands.Hint()),
    st.builds(commands.StartLesson, st.integers(-2, 9)),
    st.builds(
        commands.ChangeSetting,
        st.sampled_from(commands.Setting),
        st.sampled_from(["on", "off", "0.3", "7", "deuteranopia", "de", "purple", ""]),
    ),
)


class TableMachine(RuleBasedStateMachine):
    """A session in the hands of visitors, an operator, and failing hardware."""

    @initialize(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 9), resumed=st.booleans())
    def begin(self, variant: str, seed: int, resumed: bool) -> None:
        from engine.game import Game

        self.now = Instant(50.0)
        rules = load_variant(variant)
        game = Game.start(rules, side=Side.ATTACKER) if resumed else None
        self.session = Session(
            SessionSettings(variant=variant, archive=seed % 2 == 0, danger=True),
            self.now,
            random.Random(seed),
            game=game,
        )
        self.closed = NO_SQUARES
        self.unknown = NO_SQUARES
        self.running = resumed
        self.version = 0

    def send(self, event: events.Event) -> None:
        before = self.session.state
        row = TABLE[before, trigger_of(event)]
        for effect in self.session.handle(event, self.now):
            match effect:
                case GameStarted():
                    assert not self.running, "a game began while another was running"
                    self.running = True
                case GameOver() | GameAbandoned():
                    assert self.running, "a game ended that was not running"
                    self.running = False
                case GameReopened():
                    assert not self.running
                    self.running = True
                case _:
                    pass
        after = self.session.state
        assert after is before or after in row.to, f"{before} --{event}--> {after}"

    def see(self) -> None:
        self.send(events.BoardSeen(Occupancy(self.closed, self.unknown)))

    @rule(square=SQUARES)
    def toggle(self, square: int) -> None:
        self.closed = SquareSet(self.closed ^ 1 << square)
        self.see()

    @rule()
    def set_up(self) -> None:
        self.closed = self.session.snapshot.position.occupied
        self.see()

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        snapshot = self.session.snapshot
        if snapshot.side is None:
            return
        from engine.game import Game

        game = Game.start(
            load_variant(snapshot.variant), side=snapshot.side, position=snapshot.position
        )
        if not game.legal_plies:
            return
        ply = data.draw(st.sampled_from(game.legal_plies))
        self.closed = game.occupied_after(ply)
        self.see()

    @rule()
    def clear_but_e5(self) -> None:
        self.closed = SquareSet(1 << CENTRE)
        self.see()

    @rule(square=SQUARES)
    def one_piece(self, square: int) -> None:
        self.closed = SquareSet(1 << square)
        self.see()

    @rule(unknown=st.sampled_from([0, 0x3FFF, int(ALL_SQUARES)]))
    def chip(self, unknown: int) -> None:
        self.unknown = SquareSet(unknown)
        self.see()

    @rule(seconds=st.sampled_from([0.01, 0.3, 1.0, 2.5, 6.0, 61.0, 1000.0]))
    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        for _ in range(40):
            due = self.session.next_deadline
            if due is None or due > end:
                break
            assert due > self.now - 1e-9
            self.now = Instant(max(due, self.now))
            self.send(events.Tick())
        self.now = Instant(end)
        self.send(events.Tick())

    @rule(command=COMMANDS)
    def command(self, command: commands.Command) -> None:
        self.send(events.CommandGiven(command))

    @rule(button=st.sampled_from(events.Button))
    def press(self, button: events.Button) -> None:
        if button is events.Button.SHUT_DOWN and self.now % 3 > 0.1:
            return  # rare, or nothing else would ever be tried
        self.send(events.ButtonPressed(button))

    @rule(button=st.sampled_from(events.Button), fraction=st.sampled_from([0.0, 0.4, 1.0]))
    def hold(self, button: events.Button, fraction: float) -> None:
        self.send(events.ButtonHeld(button, fraction))

    @rule()
    def fault(self) -> None:
        self.send(events.FaultSeen("chip 0x20 does not answer", SquareSet(0x3FFF)))

    @rule()
    def repaired(self) -> None:
        self.send(events.FaultCleared())

    @rule(game=st.integers(0, 3), ply=st.integers(0, 9))
    def committed(self, game: int, ply: int) -> None:
        self.send(events.Committed(game, ply))

    @invariant()
    def shows(self) -> None:
        if not hasattr(self, "session"):
            return
        snapshot = self.session.snapshot
        assert snapshot.version >= self.version
        assert self.session.snapshot is snapshot
        self.version = snapshot.version
        snapshot_json(snapshot)
        frame = scene(snapshot, self.now)
        assert len(frame) == 81
        assert all(0 <= part <= 255 for rgb in frame for part in rgb)
        due = self.session.next_deadline
        assert due is None or due > self.now


TestTable = TableMachine.TestCase
TestTable.settings = settings(
    max_examples=20,
    stateful_step_count=50,
    deadline=None,
    # Shrinking runs of a whole table takes minutes; the steps printed are readable as they are.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
