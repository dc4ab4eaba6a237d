"""Texts are found by the runs of words that they share with a query, rare ones first."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.tokens import TermIds, term_ids, tokens
from retrieval.indexes.wording import RUN, WordingIndex, WordingRow, runs_of

TEXTS = {
    3: "The power of superintendence must be exercised sparingly in appropriate cases.",
    5: "Courts held that the power of superintendence must never replace an appeal.",
    9: "Sparingly, cases exercised appropriate must superintendence power.",
}


def terms(text: str) -> TermIds:
    return term_ids(tokens(text))


def index(*chunk_ids: int) -> WordingIndex:
    return WordingIndex.build([WordingRow(chunk, terms(TEXTS[chunk])) for chunk in chunk_ids])


def test_a_run_is_three_index_terms_and_each_counts_once() -> None:
    assert RUN == 3
    assert len(runs_of(terms("power superintendence"))) == 0
    assert len(runs_of(terms("power power power power"))) == 1
    assert set(runs_of(terms("rent paid monthly"))) & set(runs_of(terms("monthly paid rent"))) == set()


def test_the_score_is_the_squared_idf_of_shared_runs_over_the_root_of_the_length() -> None:
    # Chunks 3 and 5 share "power superintendence must"; "superintendence must exercised" is in chunk 3 alone.
    found, scores = index(3, 5, 9).top(terms("power of superintendence must be exercised"), k=5)

    assert found.tolist() == [3, 5]
    first = (log(3 / 2) ** 2 + log(3) ** 2) / sqrt(len(terms(TEXTS[3])))
    assert scores.tolist() == pytest.approx([first, log(3 / 2) ** 2 / sqrt(len(terms(TEXTS[5])))])


def test_only_what_is_allowed_is_found() -> None:
    query = terms("power of superintendence must")

    assert index(3, 5, 9).top(query, k=5, allowed=np.array([5]))[0].tolist() == [5]
    assert index(3, 5, 9).top(query, k=1)[0].tolist() == [3], "the shorter of the two that share the run"


@given(st.permutations([3, 5, 9]), st.sets(st.sampled_from([3, 5, 9])))
def test_an_index_kept_up_to_date_is_the_one_built_afresh(order: list[int], now: set[int]) -> None:
    before = index(*order[:2])

    after = before.refreshed(
        np.array(sorted(now), np.int64), lambda ids: [WordingRow(i, terms(TEXTS[i])) for i in ids.tolist()]
    )

    fresh = index(*sorted(now))
    assert after.chunk_ids.tolist() == fresh.chunk_ids.tolist()
    assert after.lengths.tolist() == fresh.lengths.tolist()
    assert after.runs.tolist() == fresh.runs.tolist()
    assert after.places.tolist() == fresh.places.tolist()
