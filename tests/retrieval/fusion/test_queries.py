"""Rankings of a question and its rewrites made one."""

from retrieval.fusion.queries import joined, widened
from retrieval.types import Ranking


def ranking(*chunks: int) -> Ranking:
    return Ranking.of("q", [(chunk, 1.0 / place) for place, chunk in enumerate(chunks, start=1)], stage="bm25")


def test_question_without_rewrites_keeps_its_ranking() -> None:
    first = ranking(3, 1, 2)

    assert widened(first, {}) is first
    assert joined(first, {}) is first


def test_rewrites_add_passages_and_each_knows_which_found_it() -> None:
    merged = widened(ranking(3, 1), {1: ranking(7, 3), 2: ranking(7)})

    assert [hit.chunk_id for hit in merged.hits] == [3, 1, 7]
    parts = [dict(hit.parts) for hit in merged.hits]
    assert parts[0]["bm25.rank"] == 1.0
    assert parts[0]["rewrite#1.rank"] == 2.0
    assert parts[2] == {"rewrite#1.rank": 1.0, "rewrite#2.rank": 1.0}


def test_each_of_two_questions_gives_its_best() -> None:
    merged = joined(ranking(1, 2, 3), {1: ranking(1, 2, 4), 2: ranking(9, 8, 7)})

    found = [hit.chunk_id for hit in merged.hits]
    assert found == [1, 2, 9, 8, 4, 7, 3]
    assert dict(merged.hits[2].parts) == {"bm25.rank": 1.0, "bm25.score": 1.0, "rewrite#2.rank": 1.0}


def test_order_of_the_whole_stays_where_it_misses_no_part() -> None:
    merged = joined(ranking(1, 2, 9), {1: ranking(2, 4), 2: ranking(9, 8)})

    assert [hit.chunk_id for hit in merged.hits][:3] == [1, 2, 9]
    assert dict(merged.hits[1].parts)["rewrite#1.rank"] == 1.0
