"""BM25 against a brute-force scorer, before and after refreshes."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.tokens import TermIds, term_ids, terms_and_counts, tokens
from retrieval.indexes.bm25 import Bm25Matrix, ForwardRow
from retrieval.indexes.statistics import ChunkIds, TermStatistics

PASSAGES = {
    1: "An employer shall not use an automated tool without a bias audit.",
    2: "A bias audit is an impartial evaluation by an independent auditor.",
    3: "The penalty is $500 for a first violation.",
    5: "A bias audit is an impartial evaluation by an independent auditor.",
    9: "Notice shall be given ten business days before the use of the tool.",
}
WORDS = ("audit", "bias", "tool", "notice", "employer", "penalty", "summary", "§ 20-871", "city", "agency")


def row(chunk_id: int, text: str) -> ForwardRow:
    terms = terms_and_counts(text)
    return ForwardRow(chunk_id, terms.length, terms.ids_bytes(), terms.counts_bytes())


def matrix(passages: dict[int, str]) -> Bm25Matrix:
    return Bm25Matrix.build([row(chunk_id, text) for chunk_id, text in passages.items()])


def query(text: str) -> TermIds:
    return term_ids(tokens(text))


def brute_force(passages: dict[int, str], text: str, *, k1: float = 1.2, b: float = 0.75) -> list[tuple[int, float]]:
    """Score each passage by the formula alone, best first, ties by chunk id."""
    documents = {chunk_id: tokens(passage) for chunk_id, passage in passages.items()}
    average = sum(map(len, documents.values())) / len(documents)
    found = []
    for chunk_id, words in documents.items():
        score = 0.0
        for term in sorted(set(tokens(text)), key=lambda term: int(term_ids([term])[0])):
            df = sum(term in other for other in documents.values())
            tf = words.count(term)
            idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
            norm = k1 * (1 - b + b * len(words) / average)
            score += idf * (tf * (k1 + 1) / (tf + norm)) if tf else 0.0
        if score > 0:
            found.append((chunk_id, round(score, 9)))
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def assert_same_arrays(one: Bm25Matrix, other: Bm25Matrix) -> None:
    for name in ("chunk_ids", "lengths", "terms", "bounds", "documents", "counts"):
        assert getattr(one, name).dtype == getattr(other, name).dtype
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def random_passages(source: random.Random, ids: Sequence[int]) -> dict[int, str]:
    return {i: " ".join(source.choices(WORDS, k=source.randint(1, 12))) for i in ids}


def test_score_is_that_of_the_formula_by_hand() -> None:
    # Chunks of 2 and 4 terms, "audit" in the first: idf = ln(1 + 1.5/1.5), norm = 1.2 * (0.25 + 0.75 * 2/3).
    scores = matrix({1: "bias audit", 2: "city agency data penalty"}).scores(query("audit"))

    assert scores.tolist() == pytest.approx([math.log(2) * 2.2 / 1.9, 0.0])


def test_equal_passages_rank_by_chunk_id() -> None:
    ids, scores = matrix(PASSAGES).top(query("independent evaluation"), k=10)

    assert ids.tolist() == [2, 5]
    assert scores[0] == scores[1]


def test_ties_at_the_cutoff_go_to_the_lower_chunk_id() -> None:
    ids, _ = matrix(PASSAGES).top(query("independent evaluation"), k=1)

    assert ids.tolist() == [2]


def test_two_hundred_random_queries_rank_as_brute_force_does() -> None:
    source = random.Random(20871)
    unused = source.sample(range(2000), 800)  # new chunks take ids between the old ones, never one used before
    passages: dict[int, str] = {}
    current = matrix(passages)

    def fetch(ids: ChunkIds) -> list[ForwardRow]:
        return [row(i, passages[i]) for i in ids.tolist()]

    for _ in range(10):
        for chunk_id in source.sample(sorted(passages), len(passages) // 5):
            del passages[chunk_id]
        passages |= random_passages(source, [unused.pop() for _ in range(80)])
        current = current.refreshed(np.array(list(passages)), fetch)
        for _ in range(20):
            text = " ".join(source.choices(WORDS, k=source.randint(1, 5)))
            ids, scores = current.top(query(text), k=25)
            expected = brute_force(passages, text)[:25]
            assert ids.tolist() == [chunk_id for chunk_id, _ in expected]
            assert scores.tolist() == pytest.approx([score for _, score in expected], abs=2e-9)


@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=30),
    versions=st.lists(st.sets(st.integers(0, 29)), min_size=1, max_size=4),
)
def test_refreshed_matrix_equals_one_built_from_scratch(texts: list[str], versions: list[set[int]]) -> None:
    rows = {i: row(i, text) for i, text in enumerate(texts)}
    current = matrix({})

    for version in versions:
        present = sorted(version & set(rows))
        current = current.refreshed(np.array(present), lambda ids: [rows[i] for i in ids.tolist()])
        assert_same_arrays(current, Bm25Matrix.build([rows[i] for i in present]))


def test_refresh_fetches_only_what_is_new() -> None:
    asked: list[list[int]] = []

    def fetch(ids: ChunkIds) -> list[ForwardRow]:
        asked.append(ids.tolist())
        return [row(i, "A summary of the audit.") for i in ids.tolist()]

    refreshed = matrix(PASSAGES).refreshed(np.array([9, 7, 2]), fetch)

    assert asked == [[7]]
    assert refreshed.chunk_ids.tolist() == [2, 7, 9]


def test_refresh_without_changes_returns_the_same_matrix() -> None:
    current = matrix(PASSAGES)

    assert current.refreshed(np.array(list(PASSAGES)), lambda _: ()) is current


def test_chunk_that_vanished_before_it_was_fetched_is_left_out() -> None:
    refreshed = matrix(PASSAGES).refreshed(np.array([1, 2, 77]), lambda _: ())

    assert_same_arrays(refreshed, matrix({i: PASSAGES[i] for i in (1, 2)}))


def test_row_nobody_asked_for_is_refused() -> None:
    with pytest.raises(ValueError, match="chunk 8 was not asked for"):
        matrix(PASSAGES).refreshed(np.array([1, 7]), lambda _: [row(8, "audit")])


def test_allowed_chunks_are_the_only_ones_returned_and_keep_their_scores() -> None:
    everything = dict(zip(*(a.tolist() for a in matrix(PASSAGES).top(query("bias audit"), k=9)), strict=True))

    ids, scores = matrix(PASSAGES).top(query("bias audit"), k=9, allowed=np.array([5, 3, 999]))

    assert ids.tolist() == [5]
    assert scores.tolist() == [everything[5]]


def test_settings_change_scores_without_a_new_matrix() -> None:
    one = matrix(PASSAGES)

    for k1, b in [(1.2, 0.75), (0.9, 0.4), (0.0, 0.0), (2.0, 1.0)]:
        ids, scores = one.top(query("bias audit tool"), k=9, k1=k1, b=b)
        expected = brute_force(PASSAGES, "bias audit tool", k1=k1, b=b)
        assert ids.tolist() == [i for i, _ in expected]
        assert scores.tolist() == pytest.approx([score for _, score in expected])


def test_terms_repeated_in_a_query_count_once() -> None:
    one = matrix(PASSAGES)

    assert np.array_equal(one.scores(query("audit audit audit")), one.scores(query("audit")))


@pytest.mark.parametrize("text", ["", "zebra"])
def test_query_without_known_terms_finds_nothing(text: str) -> None:
    ids, scores = matrix(PASSAGES).top(query(text), k=5)

    assert (ids.tolist(), scores.tolist()) == ([], [])


def test_empty_corpus_finds_nothing() -> None:
    assert matrix({}).top(query("audit"), k=5)[0].tolist() == []
    assert matrix({4: "", 6: ""}).top(query("audit"), k=5)[0].tolist() == []


@pytest.mark.parametrize(("k", "k1", "b"), [(0, 1.2, 0.75), (5, -0.1, 0.75), (5, 1.2, 1.1), (5, math.inf, 0.5)])
def test_settings_out_of_range_are_refused(k: int, k1: float, b: float) -> None:
    with pytest.raises(ValueError, match=r"at least"):
        matrix(PASSAGES).top(query("audit"), k=k, k1=k1, b=b)


def test_chunk_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="Chunk 3 comes twice"):
        Bm25Matrix.build([row(3, "audit"), row(3, "bias")])


def test_row_whose_terms_and_counts_differ_is_refused() -> None:
    with pytest.raises(ValueError, match="Chunk 3 has 16 bytes of terms and 2 of counts"):
        Bm25Matrix.build([ForwardRow(3, 2, b"\0" * 16, b"\0" * 2)])


def test_size_in_bytes_counts_every_array() -> None:
    one = matrix({1: "bias audit", 2: "audit"})

    before = one.nbytes
    one.scores(query("audit"))

    # 2 ids, 2 lengths, 2 terms, 3 bounds of 8 bytes; 3 documents of 4; 3 counts of 2; then 3 weights of 8.
    assert (before, one.nbytes) == (72 + 12 + 6, 90 + 24)


def test_statistics_say_which_of_some_chunks_hold_which_terms() -> None:
    words: TermStatistics = matrix(PASSAGES)
    terms, chunks = query("bias tool zebra"), np.array([9, 1])
    known = {chunk: set(tokens(PASSAGES[chunk])) for chunk in PASSAGES}

    assert words.size == len(PASSAGES)
    assert words.presence(terms, chunks).tolist() == [[False, True], [True, True], [False, False]]
    assert words.holds(terms).tolist() == [True, True, False]
    assert words.spread(query("bias audit")) == sum({*tokens("bias audit")} <= held for held in known.values())
    assert words.spread(query("")) == words.spread(terms) == 0
    assert words.lengths_of(chunks).tolist() == [len(tokens(PASSAGES[chunk])) for chunk in chunks.tolist()]


def test_statistics_score_some_chunks_as_a_search_scores_them() -> None:
    words: TermStatistics = matrix(PASSAGES)
    expected = dict(brute_force(PASSAGES, "bias audit tool"))

    scores = words.scores_of(query("bias audit tool"), np.array([9, 2, 1]))

    assert np.round(scores, 9).tolist() == [expected.get(chunk, 0.0) for chunk in (9, 2, 1)]
