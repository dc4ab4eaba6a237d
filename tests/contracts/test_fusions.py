"""What every fusion keeps: each chunk of its branches once, alike in whatever order they come, with what they said."""

from typing import Any, Literal

import pytest
from pydantic import ValidationError

from corpora.models import Corpus
from retrieval.cutoffs import Cutoff
from retrieval.fusion import FUSIONS
from retrieval.stages import Resources, Stage
from retrieval.types import Query, Ranking

each = pytest.mark.parametrize("kind", FUSIONS.names())


class Finds(Stage):
    """A search that finds what it was told."""

    label = "Told"
    action = "Told"

    kind: Literal["told.v1"] = "told.v1"
    chunks: tuple[int, ...]

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:  # noqa: ARG002 - of every stage
        scored = [(chunk, -float(place)) for place, chunk in enumerate(self.chunks)]
        return Ranking.of(query.text, scored, stage="told"), ""


def fusion(kind: str, *branches: Stage) -> Stage:
    settings: dict[str, Any] = {"branches": branches}
    return FUSIONS.get(kind).model_validate(settings)


def fused(kind: str, *branches: tuple[int, ...]) -> Ranking:
    made = fusion(kind, *(Finds(chunks=chunks) for chunks in branches))
    return made.run(Query("rent"), Ranking("rent", ()), Resources(Corpus(), None, None))[0]


@each
def test_a_fusion_describes_itself_and_the_branches_that_it_runs(kind: str) -> None:
    made = fusion(kind, Finds(chunks=(1,)), Finds(chunks=(2,)))

    assert made.kind == kind
    assert made.label
    assert made.words
    assert [stage.kind for stage in made.inner] == ["told.v1", "told.v1"]
    assert set(made.settable) <= type(made).model_fields.keys()


@each
def test_each_chunk_of_the_branches_is_found_once(kind: str) -> None:
    found = fused(kind, (7, 8), (8, 9), ())

    assert sorted(hit.chunk_id for hit in found.hits) == [7, 8, 9]
    assert found.query_text == "rent"
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)


@each
def test_the_order_of_the_branches_changes_nothing(kind: str) -> None:
    one, other = fused(kind, (7, 8, 9), (9, 4)), fused(kind, (9, 4), (7, 8, 9))

    assert [(hit.chunk_id, hit.score) for hit in one.hits] == [(hit.chunk_id, hit.score) for hit in other.hits]


@each
def test_one_branch_keeps_its_order_and_its_numbers_and_none_found_is_none(kind: str) -> None:
    found = fused(kind, (5, 3, 4))

    assert [hit.chunk_id for hit in found.hits] == [5, 3, 4]
    assert [hit.part("told.rank") for hit in found.hits] == [1.0, 2.0, 3.0]
    assert fused(kind, (), ()).hits == ()


@each
def test_a_branch_that_does_not_search_is_refused(kind: str) -> None:
    with pytest.raises(ValidationError):
        fusion(kind, Cutoff(k=1))
