from __future__ import annotations

from dataclasses import replace

import pytest

from engine import VARIANTS, load_variant, with_options
from engine.ruleset import FIELDS, option_text
from engine.ruleset_text import common_text, names_text, rule_texts


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_rule_is_a_sentence_with_its_source(variant: str, language: str) -> None:
    ruleset = load_variant(variant)
    rules = rule_texts(ruleset, language)
    assert len({rule.key for rule in rules}) == len(rules)
    for rule in rules:
        assert rule.text.endswith(".")
        assert rule.source
        assert rule.heading
        assert rule.value == option_text(rule.key, getattr(ruleset, rule.key))
        assert rule.is_option == (rule.key in ruleset.options)


@pytest.mark.parametrize("key", FIELDS)
def test_every_value_of_every_rule_has_its_words(key: str) -> None:
    spec = FIELDS[key]
    base = replace(load_variant("linnaeus"), repetition="draw")
    seen = {"en": set[str](), "de": set[str]()}
    for choice in spec.choices:
        ruleset = replace(base, **{key: spec.read(choice)})  # type: ignore[arg-type]  # by name
        for language, texts in seen.items():
            texts.update(rule.text for rule in rule_texts(ruleset, language) if rule.key == key)
    assert len(seen["en"]) == len(seen["de"]) == len(spec.choices)
    assert not seen["en"] & seen["de"]


def test_where_a_source_is_silent_the_text_says_so() -> None:
    rules = {rule.key: rule for rule in rule_texts(load_variant("market"), "en")}
    assert rules["no_move"].source == "MARKET §5.5; source silent: our default"
    assert rules["first"].source == "MARKET §5.4, R2"
    german = {rule.key: rule for rule in rule_texts(load_variant("sea-battle"), "de")}
    assert german["first"].source.endswith("Quellen uneins: unsere Festlegung")
    assert german["king_sides"].source.endswith("unsere Lesart")


def test_throne_rules_are_told_where_there_is_a_throne() -> None:
    keys = {rule.key for rule in rule_texts(load_variant("market"), "en")}
    assert "throne" in keys
    assert not {"throne_pass", "king_may_return", "throne_ring"} & keys


def test_a_count_is_told_where_something_is_counted() -> None:
    market = load_variant("market")
    assert "repetition_count" not in {rule.key for rule in rule_texts(market, "en")}
    counted = with_options(market, {"repetition": "draw", "repetition_count": "4"})
    texts = [rule.text for rule in rule_texts(counted, "en") if rule.key == "repetition_count"]
    assert texts == ["The occurrence that counts is number 4; the start position is the first."]


def test_names_and_what_is_common() -> None:
    assert names_text(load_variant("imperial"), "en") == (
        "Attackers: allies; Defenders: imperial army; King: emperor"
    )
    assert "edge" in common_text("en")
    assert "Rand" in common_text("de")
