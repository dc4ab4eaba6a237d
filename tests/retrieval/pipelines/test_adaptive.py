"""Parameter mappings: the tables of the paper, what a class comes to, and what a person sets overrides it."""

import pytest
from pydantic import ValidationError

from legalqa.answering.presets import policy_of
from retrieval.cutoffs import BandedCutoff, Cutoff
from retrieval.cutoffs.signals import band_of, ranking_signal, stage_scores
from retrieval.forms import WORDS, MappingForm
from retrieval.pages.mappings import class_titles, mapping_rows
from retrieval.pipelines.adaptive import (
    HAND_SET,
    Bands,
    Parameter,
    ParameterMapping,
    class_words,
    mapping_hand_set,
    preset_adapt,
)
from retrieval.pipelines.presets import PRESETS, preset_get
from retrieval.rerankers import Learned
from retrieval.rewriters import Rewrite
from retrieval.types import Hit


@pytest.mark.parametrize(
    ("n_classes", "k", "rewrites", "keywords", "path_length"),
    [(2, (5, 10), (3, 5), (4, 5), (2, 3)), (3, (3, 5, 7), (3, 5, 7), (3, 4, 5), (1, 2, 3))],
)
def test_the_hand_set_mappings_are_those_of_tables_5_and_6(
    n_classes: int,
    k: tuple[int, ...],
    rewrites: tuple[int, ...],
    keywords: tuple[int, ...],
    path_length: tuple[int, ...],
) -> None:
    mapping = mapping_hand_set(n_classes)

    assert (mapping.k.values, mapping.rewrites.values) == (k, rewrites)
    assert (mapping.keywords.values, mapping.path_length.values) == (keywords, path_length)
    assert mapping_hand_set(5).k.values == (3, 5, 7, 7, 7)


@pytest.mark.parametrize(("label", "k"), [(0, 3), (1, 5), (2, 7)])
def test_a_class_makes_an_adaptive_preset_concrete(label: int, k: int) -> None:
    adapted = preset_adapt(preset_get("pa-3"), label=label, mapping=HAND_SET[3])
    first, *_, last = adapted.preset.pipeline.stages

    assert (first, last) == (Rewrite(method="auto", q=k), Cutoff(k=k))
    assert (policy_of(adapted.preset).evidence_k, adapted.preset.adaptive) == (k, None)
    assert (adapted.keywords, adapted.path_length) == (label + 3, label + 1)


def test_off_and_fixed_parameters_and_the_ranker_are_settings_too() -> None:
    mapping = ParameterMapping(
        n_classes=2,
        k=Parameter(mode="fixed", values=(6,)),
        rewrites=Parameter(mode="off"),
        keywords=Parameter(mode="off"),
        path_length=Parameter(mode="off"),
        reranker=True,
    )
    adapted = preset_adapt(preset_get("pa-2"), label=1, mapping=mapping)

    assert [type(stage).__name__ for stage in adapted.preset.pipeline.stages] == ["Fuse", "Learned", "Cutoff"]
    assert (adapted.k, adapted.rewrites, adapted.keywords) == (6, None, None)
    plain = preset_adapt(preset_get("pa-2", {"reranker": "off"}), label=1, mapping=mapping)
    assert Learned() not in plain.preset.pipeline.stages


def test_what_a_person_sets_overrides_the_mapping() -> None:
    changed = preset_get("pa-3", {"k": "9", "rewrites": "2", "rewriter": "rules"})
    adapted = preset_adapt(changed, label=0, mapping=HAND_SET[3])

    assert (adapted.k, adapted.preset.pipeline.stages[0]) == (9, Rewrite(method="rules", q=2))
    silent = preset_adapt(preset_get("pa-3", {"rewriter": "off"}), label=0, mapping=HAND_SET[3])
    assert silent.rewrites is None


def test_the_panel_turns_any_method_into_an_adaptive_one_and_back() -> None:
    sorted_too = preset_get("cited-or-silent", {"classifier": "2"})
    adapted = preset_adapt(sorted_too, label=1, mapping=HAND_SET[2])

    assert Learned() in adapted.preset.pipeline.stages
    assert adapted.k == 10
    assert preset_get("pa-3", {"classifier": "off"}).adaptive is None
    assert preset_get("fixed-5", {"reranker": "learned"}).pipeline.stages[-2:] == (Learned(), Cutoff(k=5))
    assert preset_get("fixed-5", {"rewriter": "rules", "rewrites": "4"}).pipeline.stages[0] == Rewrite(
        method="rules", q=4
    )


def test_bands_count_only_behind_the_stage_they_were_measured_on() -> None:
    bands = Bands(signal="drop", measured_on="learned.v1", bounds=(1.0, 2.0), k=((9, 5, 1), (9, 6, 2), (12, 7, 3)))
    mapping = HAND_SET[3].model_copy(update={"bands": bands})

    ranked = preset_adapt(preset_get("pa-3+rerank"), label=2, mapping=mapping)
    assert ranked.preset.pipeline.stages[-1] == BandedCutoff(
        signal="drop", stage="learned", bounds=(1.0, 2.0), k=(12, 7, 3)
    )
    assert (policy_of(ranked.preset).evidence_k, ranked.is_banded) == (12, True)
    plain = preset_adapt(preset_get("pa-3"), label=2, mapping=mapping)
    assert (plain.k, plain.is_banded) == (7, False)


def test_the_signal_says_how_steeply_a_ranking_falls() -> None:
    hits = [Hit(n, n, 0.1, (("learned.score", score),)) for n, score in enumerate((4.0, 2.0, 2.0, 1.0, 0.0, 0.0), 1)]

    assert stage_scores([*hits, Hit(9, 9, 0.1)], "learned") == [4.0, 2.0, 2.0, 1.0, 0.0, 0.0]
    assert ranking_signal(stage_scores(hits, "learned"), "drop") == 3.0
    assert (ranking_signal([4.0], "top"), ranking_signal([], "drop")) == (4.0, 0.0)
    assert [band_of(value, (1.0, 2.0)) for value in (0.5, 1.0, 1.5, 2.5)] == [0, 1, 1, 2]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"k": {"mode": "adaptive", "values": [1, 2]}}, "k has 2 values and there are 3 classes"),
        ({"k": {"mode": "fixed", "values": [1, 2]}}, "A fixed parameter has one value"),
        ({"k": {"mode": "off", "values": [1]}}, "A parameter that is off has no value"),
        ({"rewrites": {"mode": "fixed", "values": [11]}}, "rewrites is above 10"),
    ],
)
def test_a_mapping_that_does_not_fit_says_why(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        ParameterMapping.model_validate({**HAND_SET[3].model_dump(), **change})


def test_every_class_has_words_and_every_adaptive_preset_a_mapping() -> None:
    assert [class_words(label, 3) for label in range(3)][:2] == ["one provision", "two provisions"]
    assert class_words(3, 4) == "4 or more provisions"
    adaptive = {name for name, preset in PRESETS.items() if preset.adaptive}
    assert adaptive == {f"{name}{rest}" for name in ("pa-2", "pa-3", "hypa-2", "hypa-3") for rest in ("", "+rerank")}


def test_the_form_shows_and_takes_every_parameter() -> None:
    stored = mapping_hand_set(3)
    typed = {"k_mode": "fixed", "k_0": "6", "rewrites_mode": "off", "keywords_mode": "fixed", "keywords_0": "4"}
    typed |= {"path_length_mode": "off"}

    form = MappingForm(typed, mapping=stored, has_graph=True)

    assert form.is_valid()
    assert [row["words"] for row in form.table] == list(WORDS.values())
    assert [title for title, _ in form.table[0]["cells"]] == class_titles(3)
    assert [row["symbol"] for row in mapping_rows(stored, has_graph=True)] == ["k", "Q", "K", "S"]
    saved = ParameterMapping.model_validate(form.as_mapping())
    assert (saved.k.values, saved.rewrites.mode) == ((6,), "off")
    assert (saved.keywords.values, saved.path_length.mode) == ((4,), "off")
