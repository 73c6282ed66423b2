"""The table of effects and its scenarios."""

from __future__ import annotations

import dataclasses

import pytest

from hardware.mock.effects import EFFECTS, SCENARIOS, Effects, only, slide_sweep, table


def test_every_effect_of_the_model_has_a_switch() -> None:
    assert [f"N{number}" for number in range(1, 23)] == list(EFFECTS)


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_effect_can_be_switched_on_alone(effect: str) -> None:
    alone, nothing, everything = only(effect), only(), Effects()
    changed = {
        field.name
        for field in dataclasses.fields(Effects)
        if getattr(alone, field.name) != getattr(nothing, field.name)
    }
    assert changed
    for field in dataclasses.fields(Effects):
        if field.name in changed:
            assert field.metadata["effect"] == effect
            assert getattr(alone, field.name) == getattr(everything, field.name)


def test_all_effects_together_are_the_defaults() -> None:
    assert only(*EFFECTS) == Effects()


def test_an_unknown_effect_is_refused() -> None:
    with pytest.raises(ValueError, match="'N23'"):
        only("N23")


def test_changes_come_on_top() -> None:
    assert only("N3", slide=1.0).slide == 1.0


def test_the_scenarios_build_on_each_other() -> None:
    def active(name: str) -> set[str]:
        nothing = only()
        return {
            field.metadata["effect"]
            for field in dataclasses.fields(Effects)
            if field.metadata["off"] is not None
            and getattr(SCENARIOS[name], field.name) != getattr(nothing, field.name)
        }

    assert list(SCENARIOS) == [f"S{number}" for number in range(8)]
    assert active("S0") == set()
    assert active("S1") == {"N1", "N2", "N3"}
    assert active("S1") < active("S2") < active("S3") < active("S4")
    assert active("S4") - active("S3") == {"N16", "N17", "N18", "N19"}
    assert {"N12", "N20", "N21"} <= active("S7")


def test_the_sweep_slides_at_one_speed() -> None:
    sweep = slide_sweep(0.05)
    assert (sweep.slide, sweep.pause) == (1.0, 0.0)
    assert sweep.slide_m_s == (0.05, 0.05)


def test_the_table_explains_every_field() -> None:
    assert {row.name for row in table()} == {field.name for field in dataclasses.fields(Effects)}
    assert all(row.text for row in table())
