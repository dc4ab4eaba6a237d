"""Exact search by cosine in memory, against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.indexes.vectors import Floats, Ids, VectorMatrix, WindowRows

SIZE = 8


def unit(n: int, seed: int) -> Floats:
    drawn = np.random.default_rng(seed).normal(size=(n, SIZE)).astype(np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)


def stored(chunks: list[int], *, first_id: int = 100, seed: int = 1) -> WindowRows:
    """One window for each entry of `chunks`; a chunk that comes twice has two windows."""
    return WindowRows(
        np.arange(first_id, first_id + len(chunks)), np.asarray(chunks, np.int64), unit(len(chunks), seed)
    )


def part(rows: WindowRows, keep: Ids) -> WindowRows:
    at = np.flatnonzero(np.isin(rows.ids, keep))
    return WindowRows(rows.ids[at], rows.chunk_ids[at], rows.vectors[at])


def by_hand(rows: WindowRows, vector: Floats, k: int) -> list[int]:
    best: dict[int, float] = {}
    for chunk, window in zip(rows.chunk_ids.tolist(), rows.vectors, strict=True):
        best[chunk] = max(best.get(chunk, -2.0), float(window @ vector))
    return sorted(best, key=lambda chunk: (-round(best[chunk], 6), chunk))[:k]


@settings(max_examples=60, deadline=None)
@given(chunks=st.lists(st.integers(1, 30), max_size=60), k=st.integers(1, 12), seed=st.integers(0, 999))
def test_the_best_chunks_are_those_of_brute_force(chunks: list[int], k: int, seed: int) -> None:
    rows, vector = stored(chunks, seed=seed), unit(1, seed + 1)[0]
    ids, scores = VectorMatrix.build(rows).top(vector, k=k)

    assert ids.tolist() == by_hand(rows, vector, k)
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)


@settings(max_examples=40, deadline=None)
@given(
    chunks=st.lists(st.integers(1, 20), min_size=1, max_size=40),
    before=st.sets(st.integers(0, 39)),
    after=st.sets(st.integers(0, 39)),
)
def test_a_refreshed_matrix_equals_one_built_from_scratch(chunks: list[int], before: set[int], after: set[int]) -> None:
    rows = stored(chunks)
    then, now = (rows.ids[[i for i in sorted(which) if i < len(chunks)]] for which in (before, after))
    refreshed = VectorMatrix.build(part(rows, then)).refreshed(now, lambda missing: part(rows, missing))
    scratch = VectorMatrix.build(part(rows, now))

    assert refreshed.ids.tolist() == scratch.ids.tolist()
    assert refreshed.chunk_ids.tolist() == scratch.chunk_ids.tolist()
    assert np.array_equal(refreshed.vectors, scratch.vectors)


def test_nothing_is_fetched_when_nothing_changed() -> None:
    matrix = VectorMatrix.build(stored([1, 2, 3]))

    def fetch(missing: Ids) -> WindowRows:
        raise AssertionError(f"fetched {missing}")

    assert matrix.refreshed(matrix.ids, fetch) is matrix


def test_only_allowed_chunks_come_back() -> None:
    matrix = VectorMatrix.build(stored([1, 2, 2, 3, 4]))

    assert set(matrix.top(unit(1, 5)[0], k=10, allowed=np.array([2, 4, 99]))[0].tolist()) == {2, 4}


def test_chunks_with_the_same_words_tie_in_order_of_their_ids() -> None:
    same = np.repeat(unit(1, 3), 5, axis=0)
    matrix = VectorMatrix.build(WindowRows(np.arange(5), np.array([9, 4, 7, 1, 3]), same))

    assert matrix.top(same[0], k=3)[0].tolist() == [1, 3, 4]


def test_an_empty_corpus_has_no_best_chunk() -> None:
    assert VectorMatrix.empty().top(unit(1, 1)[0], k=3)[0].tolist() == []


def test_the_windows_of_a_chunk_are_all_returned() -> None:
    rows = stored([5, 6, 5])
    chunk_ids, vectors = VectorMatrix.build(rows).of([5])

    assert chunk_ids.tolist() == [5, 5]
    assert np.array_equal(vectors, rows.vectors[[0, 2]])


def test_no_chunk_at_all_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="at least one"):
        VectorMatrix.build(stored([1])).top(unit(1, 1)[0], k=0)
