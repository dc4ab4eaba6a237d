"""Stages and pipelines as data."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from corpora.models import Corpus
from retrieval.cases.similarity import WEIGHTINGS
from retrieval.cutoffs import CUTOFFS, Cutoff
from retrieval.expanders import EXPANDERS
from retrieval.fusion import FUSIONS, Fuse
from retrieval.pipelines.presets import PRESETS
from retrieval.pipelines.rewriting import Rewriting
from retrieval.pipelines.run import queries_run
from retrieval.rerankers import RERANKERS
from retrieval.retrievers import RETRIEVERS, Bm25, Dense
from retrieval.rewriters import REWRITES
from retrieval.rewriters.rewrite import methods
from retrieval.stages import STAGES, Pipeline, Resources
from retrieval.types import Filters, Queries

HYBRID = Fuse(branches=(Bm25(k1=0.9), Dense() % 50), weights=(2, 1)) % 10
UNUSED = Resources(Corpus(), None, None)


def test_operators_build_stages_in_order() -> None:
    assert (Bm25() >> Cutoff(k=10)).stages == (Bm25(), Cutoff(k=10))
    assert Bm25() % 10 == Bm25() >> Cutoff(k=10)


def test_grouping_changes_neither_pipeline_nor_fingerprint() -> None:
    left, right = (Bm25() % 50) % 10, Pipeline(stages=(Bm25() % 50, Cutoff(k=10)))

    assert left == right
    assert hash(left) == hash(right)
    assert left.fingerprint() == right.fingerprint()


def settings_of(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """Any settings of a registered stage, by the types and bounds of its fields."""
    if kind in MANY_FIELDS:
        return MANY_FIELDS[kind]
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for name, field in STAGES.get(kind).model_fields.items():
        least = next((bound.ge for bound in field.metadata if hasattr(bound, "ge")), None)
        most = next((bound.le for bound in field.metadata if hasattr(bound, "le")), None)
        if field.annotation is int:
            fields[name] = st.integers(least, most)
        elif field.annotation is float:
            fields[name] = st.floats(least, most, allow_nan=False, allow_infinity=False)
        else:
            assert name == "kind", f"give {kind} a row in MANY_FIELDS"
    return st.fixed_dictionaries(fields)


@st.composite
def banded(draw: st.DrawFn) -> dict[str, Any]:
    numbers = st.floats(-10, 10, allow_nan=False)
    bounds = sorted(draw(st.lists(numbers, min_size=1, max_size=9)))
    k = draw(st.lists(st.integers(1, 200), min_size=len(bounds) + 1, max_size=len(bounds) + 1))
    return {"signal": draw(st.sampled_from(["top", "drop"])), "stage": "learned", "bounds": bounds, "k": k}


MANY_FIELDS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "rewrite.v1": st.fixed_dictionaries({"method": st.sampled_from(methods()), "q": st.integers(1, 10)}),
    "banded-cutoff.v1": banded(),
    "cases.v1": st.fixed_dictionaries(
        {
            "k": st.integers(1, 50),
            "weights": st.sampled_from(sorted(WEIGHTINGS.values())),
            "context": st.sampled_from(["full", "support"]),
            "intra": st.text("abc/", max_size=5),
        }
    ),
}


def stages(names: Sequence[str]) -> st.SearchStrategy[Any]:
    kinds = st.sampled_from(sorted(names))
    return kinds.flatmap(lambda kind: settings_of(kind).map(lambda values: {"kind": kind, **values}))


def fused(branches: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    both = st.lists(branches, min_size=1, max_size=3).flatmap(
        lambda chosen: st.fixed_dictionaries(
            {"branches": st.just(chosen), "k": st.integers(1, 100), "weights": st.none() | st.just([1.5] * len(chosen))}
        )
    )
    kinds = st.sampled_from(FUSIONS.names())
    return st.builds(lambda kind, values: {"kind": kind, **values}, kinds, both)


searches = st.recursive(stages(RETRIEVERS.names()), fused, max_leaves=5)
pipelines: st.SearchStrategy[dict[str, Any]] = st.builds(
    lambda first, search, others, last: {"stages": [*first, search, *others, *last]},
    st.lists(stages(REWRITES.names()), max_size=1),
    searches,
    st.lists(stages([*RERANKERS.names(), *EXPANDERS.names()]), max_size=2),
    st.lists(stages(CUTOFFS.names()), max_size=2),
) | st.just({"stages": []})


@given(pipelines)
def test_every_pipeline_comes_back_from_json_with_an_equal_fingerprint(document: dict[str, Any]) -> None:
    pipeline = Pipeline.model_validate(document)

    again = Pipeline.model_validate_json(pipeline.model_dump_json())

    assert again == pipeline
    assert again.fingerprint() == pipeline.fingerprint() == Pipeline.model_validate(pipeline.model_dump()).fingerprint()


@pytest.mark.parametrize("pipeline", [Bm25() % 5, Dense() % 5, HYBRID, Fuse(branches=(HYBRID, Bm25())) % 3])
def test_a_pipeline_needs_a_vector_where_one_of_its_stages_does(pipeline: Pipeline) -> None:
    assert pipeline.needs_vector == ("dense.v1" in pipeline.model_dump_json())


# As answers keep them: their fingerprints must stay. They last changed with `max_claims`, from 8 to 40.
@pytest.mark.parametrize(
    ("name", "fingerprint"),
    [
        ("naive", "e31ce0f2c35da24519a3f0c89b24f66f45684c0c9bc8b5545c05a5603674a86b"),
        ("fixed-3", "3ca5cd3e0f96909e94c36d542659e8de006d7b96da7368c8fa933864808ad275"),
        ("fixed-5", "686cf16664232b2f6d9e81ee08cfb32b3bfbc47cf4efe5e43a884660f114ac8f"),
        ("fixed-7", "142dd66c0c92c98a9899d8a297b6497e03f17a38044458caae37a4d5d72c6aa0"),
        ("fixed-10", "c833647d7987cb5cca627d85a1af6078aa3e55d4797399c907373d361ffb0dfa"),
        ("pa-2", "5b89fbac136a73fa0b6662346a79ba3dce31541ca6fe4f22b9941e8347c7baa3"),
        ("pa-3", "0dd2e1a3c4c6e90cd3a35504bad3f045458d507fb500a47dc59c412e45ee9513"),
        ("pa-2+rerank", "80f81ceab3d51b30217e832c509bded61af478e6427d73731f2afa6635f090af"),
        ("pa-3+rerank", "e90080d67894f9d4fb730c6d78b32f38cfa75ca03920e3d8ba243a09a123ad79"),
        ("cited-or-silent", "6d233fb2e7ebe63c5edf1352edb859b7ec59999279a177cde7a7cde361f02351"),
    ],
)
def test_the_fingerprints_of_the_presets_stay(name: str, fingerprint: str) -> None:
    assert PRESETS[name].fingerprint() == fingerprint


def test_a_pipeline_without_stages_finds_nothing() -> None:
    nothing = Pipeline(stages=())

    rewriting = Rewriting(Queries("rent", "rent"), nothing, vectors=(), times=())
    assert queries_run(rewriting, filters=Filters(), resources=UNUSED).hits == ()
    assert not nothing.needs_vector
    assert Pipeline.model_validate_json(nothing.model_dump_json()) == nothing


def test_branch_of_one_stage_is_that_stage() -> None:
    assert Fuse(branches=(Pipeline(stages=(Bm25(),)), Dense())) == Fuse(branches=(Bm25(), Dense()))


def test_fingerprint_covers_every_nested_setting() -> None:
    settings = [Fuse(branches=(Bm25(b=b), Dense()), k=k) % 5 for b in (0.7, 0.75) for k in (60, 10)]

    assert len({pipeline.fingerprint() for pipeline in settings}) == 4


def test_stored_pipeline_inside_a_pipeline_is_flattened() -> None:
    stored = {"stages": [{"kind": "pipeline.v1", "stages": [{"kind": "bm25.v1"}]}, {"kind": "cutoff.v1", "k": 3}]}

    assert Pipeline.model_validate(stored) == Bm25() % 3


@pytest.mark.parametrize(
    ("stages", "sentence"),
    [
        ((Cutoff(k=3),), "Stage 1, Cutoff, needs a Ranking and gets a Query from the question"),
        ((Bm25(), Dense()), "Stage 2, Dense, needs a Query and gets a Ranking from Bm25; put searches side by side"),
    ],
)
def test_chain_that_does_not_fit_is_refused_when_built(stages: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        Pipeline(stages=stages)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"branches": []}, "at least 1 item"),
        ({"branches": [{"kind": "bm25.v1"}], "weights": [1, 2]}, "1 branches and 2 weights"),
        ({"branches": [{"kind": "bm25.v1"}], "weights": [0]}, "Every weight of Fuse is 0"),
        ({"branches": [{"kind": "cutoff.v1", "k": 2}]}, "A branch of Fuse searches, and 'cutoff.v1' does not"),
        (
            {"branches": [{"kind": "splade.v1"}]},
            "No stage is called 'splade.v1'; choose one of: auto-merge.v1, banded-cutoff.v1, beam.v1",
        ),
    ],
)
def test_fusion_that_cannot_work_is_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        Fuse.model_validate(values)


@pytest.mark.parametrize("values", [{"b": 2}, {"k1": -1}, {"top_k": 0}, {"k2": 1}])
def test_bm25_settings_out_of_range_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Bm25.model_validate(values)


def test_text_is_no_list_of_stages() -> None:
    with pytest.raises(ValidationError):
        Pipeline.model_validate({"stages": "bm25.v1"})
