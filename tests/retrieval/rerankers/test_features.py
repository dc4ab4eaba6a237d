"""What the ranker looks at, on passages small enough to count by hand."""

import numpy as np
import pytest

from legalqa.encoder import client as encoder
from legalqa.training.collections.corpus import MemoryCorpus
from retrieval.rerankers.features import NAMES, PLACED, features

PASSAGES = (
    "Notice to terminate",
    "Either party may terminate the lease on three months' notice in writing.",
    "The notice is sent by registered post to the landlord.",
    "The tenant pays a rent of 900 euros on the first day of each month.",
)


@pytest.fixture(scope="module")
def corpus() -> MemoryCorpus:
    return MemoryCorpus.build(PASSAGES)


def measured(corpus: MemoryCorpus, question: str) -> dict[str, dict[int, float]]:
    """Each feature by the place of the passage."""
    pool, _ = corpus.pool(question, encoder.encoder().encode([question])[0])
    values = features(pool)
    places = [hit.chunk_id for hit in pool.ranking.hits]
    assert np.isfinite(values).all()
    return {
        name: dict(zip(places, values[:, column].tolist(), strict=True))
        for column, name in enumerate((*NAMES, *PLACED))
    }


def test_the_passage_with_the_questions_words_covers_most(corpus: MemoryCorpus) -> None:
    found = measured(corpus, "Who may terminate the lease in writing?")

    assert max(found["coverage"], key=lambda place: found["coverage"][place]) == 1
    assert found["coverage"][1] == pytest.approx(1.0)
    assert found["coverage"][3] == 0.0


def test_words_side_by_side_are_a_pair_and_a_run(corpus: MemoryCorpus) -> None:
    found = measured(corpus, "Is it sent by registered post?")

    assert found["run"][2] == 3
    assert found["pairs"][2] == 1.0
    assert found["pairs"][3] == 0.0


def test_a_title_counts_for_what_is_under_it(corpus: MemoryCorpus) -> None:
    found = measured(corpus, "terminate")

    assert found["is_title"] == {0: 1.0, 1: 0.0, 2: 0.0, 3: 0.0}
    assert found["title_share"][2] == 1.0
    assert found["coverage"][2] == 0.0


def test_neighbours_are_those_of_the_same_document() -> None:
    apart = MemoryCorpus.build(PASSAGES, [0, 0, 1, 1])

    found = measured(apart, "terminate the lease")

    assert found["before"][2] == 0.0
    assert found["before"][1] > 0.0


def test_a_question_that_shares_no_word_has_finite_features(corpus: MemoryCorpus) -> None:
    found = measured(corpus, "Zebras?")

    assert set(found["coverage"].values()) == {0.0}


def test_numbers_of_the_question_are_looked_for(corpus: MemoryCorpus) -> None:
    found = measured(corpus, "Where is 900 mentioned?")

    assert (found["digits"][3], found["digits"][1]) == (1.0, 0.0)
