"""The figures of a corpus's own reader, counted by hand."""

import pytest

from legalqa.training.reader.own import compared, reading_figures, report_document
from legalqa.training.reader.questions import ReaderQuestion

RENT = ReaderQuestion("What is the rent?", right=(1,), is_held_out=True, answering=("900 euros.",), others=("A.", "B."))
MAYOR = ReaderQuestion("Who was mayor?", is_silent=True, is_held_out=True, others=("C.",))
LEARNED = ReaderQuestion("What is the fee?", right=(2,), answering=("5 euros.",), others=("A.",))


def test_a_right_passage_is_first_only_where_it_comes_before_every_other() -> None:
    every = [0.1, 0.2, 0.5, 0.8]

    assert reading_figures([0.6], [0.5, 0.1], every) == {"first": 1.0, "mrr": 1.0, "auc": 0.75}
    assert reading_figures([0.5], [0.5, 0.1], every) == {"first": 0.0, "mrr": 0.5, "auc": 0.625}, "a tie is not a lead"
    assert reading_figures([0.9, 0.15], [0.2], every) == {"first": 1.0, "mrr": 1.0, "auc": 0.625}


def test_questions_without_a_right_passage_count_only_as_passages_that_do_not_answer() -> None:
    read = [{"before": [0.4, 0.6, 0.1], "after": [0.7, 0.6, 0.1]}, {"before": [0.5], "after": [0.2]}]
    [row] = compared([RENT, MAYOR], read)

    assert (row.before["first"], row.after["first"]) == (0.0, 1.0)
    assert row.before["auc"] == pytest.approx(1 / 3)
    assert row.after["auc"] == 1.0


def test_the_report_is_of_the_held_out_questions_alone() -> None:
    read = [{"before": [0.4, 0.6, 0.1], "after": [1.0, 0.0, 0.0]}, {"before": [0.5], "after": [0.0]}]
    report = report_document([LEARNED, RENT, MAYOR], read, training={}, provenance={}, seed=144)

    assert report["questions"] == {
        "learned": 1, "learned_unanswered": 0, "held_out": 1, "held_out_unanswered": 1
    }  # fmt: skip
    assert (report["main"], report["rows"][0]["difference"]["first"]["value"]) == ("first", 1.0)
    assert report["calibration"]["after"] == 0.0 < report["calibration"]["before"]


def test_without_a_passage_that_does_not_answer_nothing_is_compared() -> None:
    alone = ReaderQuestion("What is the rent?", right=(1,), is_held_out=True, answering=("900 euros.",))

    assert compared([alone], [{"before": [0.4], "after": [0.7]}]) == []
