"""The row of peers, on invented searches whose figures can be counted by hand."""

import pytest

from legalqa.reproduce.expected import expected_load
from legalqa.reproduce.rows.peers import OURS, peer_figures, recall_of


def test_a_passage_that_was_split_takes_one_of_the_ten_places() -> None:
    found = ["a", "a", *"bcdefghij", "late"]

    assert recall_of(found, ["j", "late"]) == 0.5


def test_peers_are_compared_question_by_question_in_recall_and_in_the_slow_end_of_time() -> None:
    recalls = {OURS: [1.0, 1.0, 0.5, 1.0], "llamaindex": [1.0, 0.0, 0.5, 1.0], "txtai": [1.0, 1.0, 1.0, 1.0]}
    times = {OURS: [10.0] * 4, "llamaindex": [40.0] * 4, "txtai": [5.0] * 4}

    figures = peer_figures(recalls, times, ["1", "2", "3", "4"], seed=144)

    assert figures["recall"].value == pytest.approx(3.5 / 4)
    assert figures["gain_llamaindex"].value == pytest.approx(1 / 4)
    assert figures["gain_txtai"].value == pytest.approx(-0.5 / 4)
    assert (figures["time_llamaindex"].value, figures["time_txtai"].value) == (0.25, 2.0)
    assert set(figures) == set(expected_load().rows["peers"].figures)
