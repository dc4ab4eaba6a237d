"""What every cutoff keeps: the first hits of a ranking as they are, at most as many as it says, and no others."""

import pytest
from pydantic import ValidationError

from corpora.models import Corpus
from retrieval.cutoffs import CUTOFFS, BandedCutoff, Cut, Cutoff
from retrieval.stages import Resources
from retrieval.types import Filters, Query, Ranking, SideEvidence, Source

ROWS: dict[str, Cut] = {
    "cutoff.v1": Cutoff(k=3),
    "banded-cutoff.v1": BandedCutoff(signal="drop", stage="bm25", bounds=(5.0,), k=(3, 2)),
}
NONE_KEPT: dict[str, object] = {"cutoff.v1": 0, "banded-cutoff.v1": (3, 0)}
SIDE = SideEvidence(Source("triplet", "1"), "The tenant pays the rent.", 0.5, "graph")
each = pytest.mark.parametrize("kind", CUTOFFS.names())


def ranking(*scores: float) -> Ranking:
    made = Ranking.of("rent", [(10 + place, score) for place, score in enumerate(scores)], stage="bm25")
    return Ranking(made.query_text, made.hits, (SIDE,))


STEEP, FLAT = ranking(20.0, 9.0, 8.0, 7.0, 6.0), ranking(9.0, 8.9, 8.8, 8.7, 8.6)


def cut(kind: str, before: Ranking) -> Ranking:
    return ROWS[kind].run(Query("rent"), before, Resources(Corpus(), None, None))[0]


@each
def test_a_cutoff_describes_itself(kind: str) -> None:
    cutoff = ROWS[kind]

    assert (cutoff.kind, cutoff.takes, cutoff.gives) == (kind, "Ranking", "Ranking")
    assert cutoff.label
    assert cutoff.words
    with pytest.raises(ValidationError):
        type(cutoff).model_validate(cutoff.model_dump() | {"k": NONE_KEPT[kind]})


@each
@pytest.mark.parametrize("before", [STEEP, FLAT], ids=["steep", "flat"])
def test_a_cutoff_keeps_the_first_hits_as_they_are_and_at_most_what_it_says(kind: str, before: Ranking) -> None:
    after = cut(kind, before)

    assert 1 <= len(after.hits) <= ROWS[kind].most == 3
    assert after.hits == before.hits[: len(after.hits)]


def test_a_ranking_is_no_flatter_for_a_hit_that_fell_behind_by_what_is_excluded() -> None:
    query, fell = Query("rent", Filters(excluded_paragraph_ids=("a",))), ranking(20.0, 60.0, 8.0, 7.0, 6.0)
    cutoff, resources = ROWS["banded-cutoff.v1"], Resources(Corpus(), None, None)

    assert len(cutoff.run(query, fell, resources)[0].hits) == len(cutoff.run(query, STEEP, resources)[0].hits) == 2


@each
def test_what_is_shorter_stays_whole_with_the_evidence_beside_it(kind: str) -> None:
    for before in (ranking(2.0, 1.0), ranking()):
        assert cut(kind, before) == before
