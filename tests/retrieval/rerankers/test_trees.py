"""Trees: what a question's list adds to a passage's features, and how rows fall through trees kept as numbers."""

import json

import numpy as np
import pytest

from retrieval.rerankers.trees import NEAR, NOTHING_NEAR, Trees, against_the_list, looked_at, near_the_best


@pytest.fixture
def trees() -> Trees:
    """One tree of two questions on columns 1 and 0, and one that is a leaf alone."""
    return Trees(
        feature=np.array([[1, 0, 0, 0, 0], [0, 0, 0, 0, 0]]),
        threshold=np.array([[0.5, -1.0, 0, 0, 0], [0, 0, 0, 0, 0.0]]),
        left=np.array([[1, 3, 2, 3, 4], [0, 0, 0, 0, 0]]),
        right=np.array([[2, 4, 2, 3, 4], [0, 0, 0, 0, 0]]),
        value=np.array([[0, 0, 3.0, 1.0, 2.0], [10.0, 0, 0, 0, 0]]),
        base=-0.5,
        depth=2,
    )


def test_a_row_falls_left_where_its_value_is_not_above_the_threshold(trees: Trees) -> None:
    rows = np.array([[0.0, 0.9], [-1.0, 0.5], [0.0, 0.5]])

    assert trees.score(rows).tolist() == [12.5, 10.5, 11.5]


def test_trees_read_back_as_they_were_written(trees: Trees) -> None:
    rows = np.random.default_rng(3).normal(size=(50, 2))
    again = Trees.read(json.loads(json.dumps(trees.as_mapping())))

    assert again.score(rows) == pytest.approx(trees.score(rows))


def test_a_passage_is_compared_with_the_list_it_is_in() -> None:
    seen = against_the_list(np.array([[1.0, 5.0, 0.0], [3.0, 5.0, 4.0]]))

    assert seen[:, :3].tolist() == [[1, 5, 0], [3, 5, 4]]
    assert seen[:, 3:6] == pytest.approx(np.array([[-1, 0, -1], [1, 0, 1]]), abs=1e-5)
    assert seen[:, 6:].tolist() == [[3, 5, 4], [3, 5, 4]]


def test_an_empty_list_has_no_rows() -> None:
    assert looked_at(np.zeros((0, 6)), np.zeros(0), n=4).shape == (0, 15 + 3 * len(NEAR))


def test_a_passage_is_seen_with_those_beside_it_and_not_with_other_documents() -> None:
    documents, places, scores = np.array([0.0, 0, 1, 0]), np.array([10.0, 11, 12, 30]), np.array([0.0, 2.0, 1.0, -1.0])

    seen = [dict(zip(NEAR, row, strict=True)) for row in near_the_best(documents, places, scores).tolist()]

    mass = np.exp(scores) / np.exp(scores).sum()
    assert seen[0]["within 1"] == pytest.approx(mass[1])
    assert seen[0]["document"] == pytest.approx(mass[1] + mass[3])
    assert seen[0]["within 25"] == pytest.approx(mass[1] + mass[3])
    assert [row["better"] for row in seen] == [1, 0, 0, 2]
    assert [row["better within 3"] for row in seen] == [1, 0, 0, 0]
    assert seen[2]["document"] == 0 and seen[2]["best within 10"] == NOTHING_NEAR
