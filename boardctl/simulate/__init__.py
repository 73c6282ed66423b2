"""Whole games by simulated players over simulated switches: for tests, the demo, the benchmark.

    players     who know the rules, choose moves and make every mistake of `hardware.mock.effects`
    table       the pieces on the wood, whose hands they are in, and the switches' edges
    recording   a whole game as timed frames, beside what truly happened
    autoplay    the same players in real time on a simulated board, for the demo
    measure     how well a reader of the frames followed what truly happened

The players obey the lights as far as it matters for a fair test: a wrong move is taken back, a
forgotten victim is removed sooner or later, a piece that no switch feels is shifted. So the
final record is decidable, which no open loop of random mistakes would be.
"""

from __future__ import annotations

from boardctl.simulate.recording import Recording, Truth, record

__all__ = ["Recording", "Truth", "record"]
