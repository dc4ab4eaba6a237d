"""Weighted similarity and F1 at k, by hand."""

import numpy as np
import pytest

from retrieval.cases.similarity import WEIGHTINGS, best, f1_at, nearest_neighbours, scores


def cosines(*values: float) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    return np.array(values, np.float32)


def test_a_hybrid_score_weighs_the_three_cosines_and_counts_a_missing_part_as_nothing() -> None:
    found = scores(cosines(0.8, 0.2), cosines(0.5, 1.0), cosines(0.4, float("nan")), weights=WEIGHTINGS["hybrid"])

    assert found.tolist() == pytest.approx([0.25 * 0.8 + 0.40 * 0.5 + 0.35 * 0.4, 0.25 * 0.2 + 0.40 * 1.0])


def test_one_weight_alone_is_that_cosine() -> None:
    for name, place in {"question": 0, "support": 1, "entities": 2}.items():
        parts = [cosines(0.1), cosines(0.2), cosines(0.3)]
        assert scores(*parts, weights=WEIGHTINGS[name])[0] == pytest.approx(0.1 * (place + 1))


def test_the_most_similar_come_first_and_ties_keep_their_order() -> None:
    assert best(cosines(0.5, 0.9, 0.5, 0.1), k=3) == [1, 0, 2]


def test_f1_counts_both_parents() -> None:
    assert f1_at([4, 1, 7], {1, 4}, k=1) == pytest.approx(2 / 3)  # precision 1, recall 1/2
    assert f1_at([4, 1, 7], {1, 4}, k=3) == pytest.approx(4 / 5)  # precision 2/3, recall 1
    assert f1_at([], {1}, k=3) == 0.0


def test_the_nearest_neighbour_of_a_vector_is_never_itself() -> None:
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1]], np.float32)

    assert nearest_neighbours(vectors).tolist() == pytest.approx([0.6, 0.8, 0.8])
