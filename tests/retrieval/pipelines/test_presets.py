"""Presets and settings changed on top of them."""

from collections.abc import Mapping

import pytest

from legalqa.answering.presets import policy_of
from retrieval.fusion import Fuse
from retrieval.pipelines.changing import PresetError
from retrieval.pipelines.presets import DEFAULT_PRESET, PRESETS, preset_get
from retrieval.rerankers import Learned
from retrieval.retrievers import Bm25, Bm25Near, Bm25Title, Dense
from retrieval.rewriters import Rewrite


def test_every_preset_is_stored_under_its_name_and_survives_json() -> None:
    for name, preset in PRESETS.items():
        assert preset.name == name
        assert type(preset).model_validate_json(preset.model_dump_json()) == preset


def test_default_gates_and_verifies() -> None:
    answer = policy_of(preset_get(DEFAULT_PRESET))

    assert (DEFAULT_PRESET, answer.gate, answer.verify) == ("cited-or-silent", True, True)


def test_default_rewrites_by_rules_until_it_is_told_not_to() -> None:
    assert preset_get(DEFAULT_PRESET).rewriter == Rewrite(method="rules", q=3)
    assert preset_get(DEFAULT_PRESET, {"rewrites": "2"}).rewriter == Rewrite(method="rules", q=2)
    assert preset_get(DEFAULT_PRESET, {"rewriter": "off"}).rewriter is None


def test_naive_is_dense_search_without_checks() -> None:
    naive = preset_get("naive")

    assert naive.pipeline == Dense() % 5
    assert (policy_of(naive).gate, policy_of(naive).verify) == (False, False)


@pytest.mark.parametrize("k", [3, 5, 7, 10])
def test_fixed_presets_differ_in_k_alone(k: int) -> None:
    fixed = preset_get(f"fixed-{k}")

    assert fixed.pipeline == Fuse(branches=(Bm25(), Dense())) % k
    assert policy_of(fixed).evidence_k == k


def test_settings_reach_the_stages_they_name() -> None:
    changed = preset_get(
        "cited-or-silent",
        {
            "evidence_k": "4",
            "k": "6",
            "bm25.k1": "0.9",
            "bm25.b": "0.4",
            "bm25.top_k": "50",
            "dense.top_k": "40",
            "rrf.k": "10",
            "rrf.weights": "2,1,0,1",
            "learned.depth": "60",
            "gate": "off",
            "verify": "No",
            "max_claims": "3",
            "nearest": "7",
        },
    )

    branches = (Bm25(k1=0.9, b=0.4, top_k=50), Bm25Title(), Bm25Near(), Dense(top_k=40))
    fused = Fuse(branches=branches, k=10, weights=(2, 1, 0, 1))
    assert changed.pipeline == (Rewrite(method="rules") >> fused >> Learned(depth=60)) % 6
    assert policy_of(changed).model_dump(exclude={"mode"}) == {
        "gate": False,
        "verify": False,
        "max_claims": 3,
        "evidence_k": 4,
        "nearest": 7,
    }


def test_changed_preset_leaves_the_original_alone() -> None:
    before = preset_get("fixed-5").fingerprint()

    preset_get("fixed-5", {"k": "2"})

    assert preset_get("fixed-5").fingerprint() == before


def test_fingerprint_tells_settings_apart_and_not_their_wording() -> None:
    fixed = preset_get("fixed-5")

    assert preset_get("fixed-5", {"k": "7"}).fingerprint() == preset_get("fixed-7").fingerprint()
    assert fixed.model_copy(update={"title": "Five"}).fingerprint() == fixed.fingerprint()
    assert len({preset.fingerprint() for preset in PRESETS.values()}) == len(PRESETS)


@pytest.mark.parametrize(
    ("name", "overrides", "sentence"),
    [
        ("nave", {}, "No preset is called 'nave'; choose one of: naive, fixed-3"),
        ("naive", {"depth": "3"}, "No setting is called 'depth'; the nearest of "),
        ("fixed-5", {"K": "9"}, "No setting is called 'K'; the nearest of 54 are: k,"),
        ("naive", {"bm25.k1": "1"}, "Preset 'naive' has no bm25 stage; leave 'bm25.k1' out"),
        ("fixed-5", {"k": "five"}, "Setting 'k' is 'five'; give a whole number"),
        ("fixed-5", {"rrf.weights": "2;1"}, "Setting 'rrf.weights' is '2;1'; give a number"),
        ("fixed-5", {"rrf.weights": "2"}, "2 branches and 1 weights"),
        ("fixed-5", {"gate": "maybe"}, "Setting 'gate' is 'maybe'; give on or off"),
        ("fixed-5", {"evidence_k": "9"}, "evidence_k is 9 and the search keeps 5 hits"),
        ("fixed-5", {"bm25.b": "1.5"}, "less than or equal to 1"),
        ("fixed-5", {"k": "0"}, "greater than or equal to 1"),
        ("cited-or-silent", {"verify": "off", "answer.mode": "written"}, "what it writes is always checked"),
    ],
)
def test_setting_that_does_not_fit_says_what_does(name: str, overrides: Mapping[str, str], sentence: str) -> None:
    with pytest.raises(PresetError) as caught:
        preset_get(name, overrides)

    assert sentence in caught.value.message
