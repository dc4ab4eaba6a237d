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
            {
                "branches": st.just(chosen),
                "k": st.integers(1, 100),
                "weights": st.none() | st.just([1.5] * len(chosen)),
            }
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


# As answers of earlier versions keep them: their fingerprints must stay.
@pytest.mark.parametrize(
    ("name", "fingerprint"),
    [
        ("naive", "402c81c25d1a7c912c70b885107d42d487a8a1c3064f94d1158a724f329cedf3"),
        ("fixed-3", "ba68d769218509bc8f889ebd278864a4dcd7b5d356429a1dd1dbf8aae939419c"),
        ("fixed-5", "7f05fe42a649b12577d2a2b088c10157559d8e300f17a78ed09c7d9f1f28d7db"),
        ("fixed-7", "3f146c869eb125b7159e1ee5cbbc89a1cd711ce65ecddf689e5712f3ccba06b6"),
        ("fixed-10", "8c7e17896f0e3de945b00afff88835ac345a6347086242742004bcebecfd984f"),
        ("pa-2", "df01d65885ac380b5a2c2d3e8c69361107f65eaa1ab93212f3fe10c1d312c1bc"),
        ("pa-3", "e9733032453b9e36f1eb87d2d5e209e01e4d498c73d6df7a13564c08b8b7715f"),
        ("pa-2+rerank", "3e858e0cda35abe1eee40d6b3390dacf7f8540cc9d6426116b367cd3b48685ac"),
        ("pa-3+rerank", "71a3f4a85b62785dbe45d2ca6b1b6fc29cd8f32dcea1ec43590f73a508fa2364"),
        ("cited-or-silent", "f82f88e43ee03992d3bda8b688602f264fdc3033f6a970ac8e1b0f7d89f0a472"),
    ],
)
def test_the_fingerprints_of_the_presets_stay(name: str, fingerprint: str) -> None:
    assert PRESETS[name].fingerprint() == fingerprint


def test_a_pipeline_without_stages_finds_nothing() -> None:
    nothing = Pipeline(stages=())

    assert queries_run(nothing, Queries("rent", "rent"), [], filters=Filters(), resources=UNUSED).hits == ()
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
        (
            (Bm25(), Dense()),
            "Stage 2, Dense, needs a Query and gets a Ranking from Bm25; put searches side by side",
        ),
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
