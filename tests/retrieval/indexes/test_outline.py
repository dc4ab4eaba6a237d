"""Titles and neighbours of chunks: read once, kept up to date, and added to the words' scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.tokens import TermIds, term_ids, terms_and_counts, tokens
from retrieval.indexes.bm25 import Bm25Matrix, ForwardRow
from retrieval.indexes.outline import (
    NEAR_WEIGHT,
    TITLE_WEIGHT,
    Outline,
    OutlineRow,
    is_title,
    near_scores,
    title_scores,
)
from retrieval.indexes.statistics import ChunkIds

LEASE = (
    OutlineRow(1, 7, "", "Notice of Termination"),
    OutlineRow(2, 7, "", "Either party may end the lease in writing."),
    OutlineRow(3, 7, "Rent", "The tenant pays on the first day."),
    OutlineRow(5, 7, "", "The landlord may raise it once a year."),
    OutlineRow(8, 9, "", "Another document begins without a title."),
)
WORDS = ("notice", "rent", "lease", "landlord", "tenant")


def outline(rows: tuple[OutlineRow, ...]) -> Outline:
    return Outline.build(rows, language="english")


def words(rows: tuple[OutlineRow, ...]) -> Bm25Matrix:
    found = [(row.chunk_id, terms_and_counts(row.text)) for row in rows]
    return Bm25Matrix.build([ForwardRow(i, t.length, t.ids_bytes(), t.counts_bytes()) for i, t in found])


def query(text: str) -> TermIds:
    return term_ids(tokens(text))


def titled(found: Outline, text: str) -> list[int]:
    """The chunks below a title with the words."""
    chunk_ids: list[int] = found.chunk_ids[found.titles.scores(query(text)) > 0].tolist()
    return chunk_ids


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Notice of Termination", True),
        ("  § 20-871 Requirements  ", True),
        ("Either party may end the lease.", False),
        ("and so on", False),
        ("Rent:", False),
        ("Two\nlines", False),
        ("One two three four five six seven eight nine ten eleven twelve thirteen fourteen Fifteen", False),
        ("   ", False),
    ],
)
def test_a_title_is_a_short_line_that_ends_in_no_stop(text: str, is_one: bool) -> None:
    assert is_title(text) == is_one


def test_the_title_of_a_chunk_is_its_heading_or_else_the_last_title_of_its_version() -> None:
    found = outline(LEASE)

    assert titled(found, "termination") == [2, 5], "not the title itself, not under a heading, not in another version"
    assert titled(found, "rent") == [3]


def test_neighbours_are_those_of_the_same_version() -> None:
    found, values = outline(LEASE), np.array([1.0, 2.0, 3.0, 4.0, 5.0])

    assert found.before(values).tolist() == [0.0, 1.0, 2.0, 3.0, 0.0]
    assert found.after(values).tolist() == [2.0, 3.0, 4.0, 0.0, 0.0]


def test_titles_and_neighbours_add_their_share_to_the_words() -> None:
    matrix, found, asked = words(LEASE), outline(LEASE), query("termination of the lease")
    own = matrix.scores(asked)

    assert title_scores(matrix, found, asked) == pytest.approx(own + TITLE_WEIGHT * found.titles.scores(asked))
    assert near_scores(matrix, found, asked)[2] == pytest.approx(own[2] + NEAR_WEIGHT * (own[1] + own[3]))


def test_an_empty_corpus_has_an_empty_outline() -> None:
    found = outline(())

    assert found.before(np.zeros(0)).tolist() == found.after(np.zeros(0)).tolist() == []
    assert near_scores(words(()), found, query("rent")).tolist() == []


@given(
    versions=st.lists(
        st.lists(st.tuples(st.sampled_from(WORDS), st.booleans()), min_size=1, max_size=4), min_size=1, max_size=6
    ),
    seen=st.lists(st.sets(st.integers(0, 5)), min_size=1, max_size=3),
)
def test_a_refreshed_outline_equals_one_built_from_scratch(
    versions: list[list[tuple[str, bool]]], seen: list[set[int]]
) -> None:
    by_version = [
        [
            OutlineRow(10 * number + place, number, "", word.title() if is_one else f"The {word} is named here.")
            for place, (word, is_one) in enumerate(chunks)
        ]
        for number, chunks in enumerate(versions)
    ]
    rows = {row.chunk_id: row for chunks in by_version for row in chunks}
    current = outline(())

    def fetch(ids: ChunkIds) -> list[OutlineRow]:
        return [rows[i] for i in ids.tolist()]

    for there in seen:
        present = [row for number in there if number < len(by_version) for row in by_version[number]]
        current = current.refreshed(np.array([row.chunk_id for row in present]), fetch, language="english")
        whole = outline(tuple(present))
        assert current.chunk_ids.tolist() == whole.chunk_ids.tolist()
        assert current.has_before.tolist() == whole.has_before.tolist()
        for word in WORDS:
            assert titled(current, word) == titled(whole, word)
