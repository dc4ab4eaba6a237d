"""Stages and pipelines as data."""

from typing import Any

import pytest
from pydantic import ValidationError

from retrieval.cutoffs import Cutoff
from retrieval.fusion import Fuse
from retrieval.retrievers import Bm25, Dense
from retrieval.stages import Pipeline

HYBRID = Fuse(branches=(Bm25(k1=0.9), Dense() % 50), weights=(2, 1)) % 10


def test_operators_build_stages_in_order() -> None:
    assert (Bm25() >> Cutoff(k=10)).stages == (Bm25(), Cutoff(k=10))
    assert Bm25() % 10 == Bm25() >> Cutoff(k=10)


def test_grouping_changes_neither_pipeline_nor_fingerprint() -> None:
    left, right = (Bm25() % 50) % 10, Pipeline(stages=(Bm25() % 50, Cutoff(k=10)))

    assert left == right
    assert hash(left) == hash(right)
    assert left.fingerprint() == right.fingerprint()


@pytest.mark.parametrize("pipeline", [Bm25() % 5, Dense() % 5, HYBRID, Fuse(branches=(HYBRID, Bm25())) % 3])
def test_json_round_trip_is_equal(pipeline: Pipeline) -> None:
    again = Pipeline.model_validate_json(pipeline.model_dump_json())

    assert again == pipeline
    assert again.fingerprint() == pipeline.fingerprint()


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
            "No stage is called 'splade.v1'; choose one of: banded-cutoff.v1, bm25-near.v1",
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
