"""Reciprocal rank fusion against numbers worked out by hand."""

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fusion.ranks import reciprocal_rank_fusion
from retrieval.types import Ranking


def ranking(*chunk_ids: int, stage: str = "bm25", query: str = "penalty") -> Ranking:
    return Ranking.of(query, [(chunk_id, -float(rank)) for rank, chunk_id in enumerate(chunk_ids)], stage=stage)


def test_chunk_scores_the_sum_of_its_reciprocal_ranks() -> None:
    fused = reciprocal_rank_fusion([ranking(7, 8, 9), ranking(9, 7, stage="dense")])

    assert [(hit.chunk_id, hit.rank) for hit in fused.hits] == [(7, 1), (9, 2), (8, 3)]
    assert [hit.score for hit in fused.hits] == pytest.approx([1 / 61 + 1 / 62, 1 / 63 + 1 / 61, 1 / 62])


def test_equal_scores_rank_by_chunk_id() -> None:
    fused = reciprocal_rank_fusion([ranking(5, 2), ranking(2, 5)])

    assert [hit.chunk_id for hit in fused.hits] == [2, 5]


def test_hits_keep_what_each_stage_made_of_them() -> None:
    top = reciprocal_rank_fusion([ranking(7, 8), ranking(8, stage="dense")]).hits[0]

    assert dict(top.parts) == {
        "bm25.rank": 2.0,
        "bm25.score": -1.0,
        "dense.rank": 1.0,
        "dense.score": 0.0,
        "rrf.rank": 1.0,
        "rrf.score": top.score,
    }


def test_stage_that_searched_twice_is_told_apart() -> None:
    top = reciprocal_rank_fusion([ranking(7), ranking(8, 7)]).hits[0]

    assert (top.part("bm25.rank"), top.part("bm25#2.rank")) == (1.0, 2.0)


def test_weights_scale_each_ranking_and_zero_leaves_one_out() -> None:
    pair = [ranking(1, 2), ranking(3, 2)]

    doubled = reciprocal_rank_fusion(pair, k=1, weights=(2, 1))
    alone = reciprocal_rank_fusion(pair, weights=(0, 1))

    assert [(h.chunk_id, h.score) for h in doubled.hits] == [(1, 1.0), (2, 1.0), (3, 0.5)]
    assert [h.chunk_id for h in alone.hits] == [3, 2]


@pytest.mark.parametrize(
    ("rankings", "k", "weights", "sentence"),
    [
        ([], 60, None, "no rankings"),
        ([ranking(1), ranking(1, query="fine")], 60, None, "2 queries"),
        ([ranking(1)], 0, None, "k is 0"),
        ([ranking(1)], 60, (1.0, 2.0), "2 weights for 1 rankings"),
        ([ranking(1)], 60, (-1.0,), "at least 0"),
        ([ranking(1)], 60, (0.0,), "above 0"),
    ],
)
def test_what_cannot_be_fused_is_refused(
    rankings: list[Ranking], k: int, weights: Sequence[float] | None, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        reciprocal_rank_fusion(rankings, k=k, weights=weights)


several = st.lists(
    st.lists(st.integers(0, 20), unique=True, max_size=10).map(lambda ids: ranking(*ids)), min_size=1, max_size=4
)


@given(rankings=several, k=st.integers(1, 100))
def test_union_is_ranked_within_bounds(rankings: list[Ranking], k: int) -> None:
    fused = reciprocal_rank_fusion(rankings, k=k)

    assert {h.chunk_id for h in fused.hits} == {h.chunk_id for r in rankings for h in r.hits}
    assert all(0 < h.score <= len(rankings) / (k + 1) * (1 + 1e-12) for h in fused.hits)
    assert all((a.score, -a.chunk_id) > (b.score, -b.chunk_id) for a, b in itertools.pairwise(fused.hits))


@given(rankings=several, data=st.data())
def test_order_of_the_rankings_changes_no_rank(rankings: list[Ranking], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(rankings))

    one, other = reciprocal_rank_fusion(rankings), reciprocal_rank_fusion(shuffled)

    assert [(h.chunk_id, h.score) for h in one.hits] == [(h.chunk_id, h.score) for h in other.hits]
