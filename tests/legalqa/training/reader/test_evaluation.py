"""Figures of a reader on invented scores, by hand."""

import numpy as np
import pytest

from legalqa.training.reader.calibration import calibrated
from legalqa.training.reader.evaluation import Scored, figures_document, span_f1, word_overlap
from legalqa.training.reader.rows import AnswerRow, ClaimRow

PASSAGE = "The tenant pays the monthly rent."


def asked(*, answers: bool, source: str = "cuad", group: str = "a") -> AnswerRow:
    spans = ((4, 10),) if answers else ()
    return AnswerRow("1", "Who pays?", PASSAGE, answers, spans, source=source, group=group)


def test_spans_are_judged_by_words_without_articles_and_silence_where_nothing_answers() -> None:
    assert span_f1(asked(answers=True), (0, 10)) == 1.0
    assert span_f1(asked(answers=True), (4, 15)) == pytest.approx(2 / 3)
    assert span_f1(asked(answers=True), None) == 0.0
    assert span_f1(asked(answers=False), None) == 1.0
    assert span_f1(asked(answers=False), (4, 10)) == 0.0


def test_overlap_is_the_share_of_the_questions_terms_in_the_passage() -> None:
    assert word_overlap([("Tenants pay rent?", PASSAGE), ("Who repairs roofs?", PASSAGE)]).tolist() == [1.0, 0.0]


def test_sources_of_one_kind_of_rows_are_told_together_and_the_others_apart() -> None:
    sources = ("squad2_dev_train_half", "unansq_dev", "cuad", "cuad")
    rows = [asked(answers=at % 2 == 0, source=source, group=str(at)) for at, source in enumerate(sources)]
    probabilities = np.zeros((4, 7))
    probabilities[:, 0], probabilities[:, 5:] = [0.9, 0.8, 0.7, 0.1], (4, 10)

    document = figures_document(Scored(rows, probabilities, {}, np.zeros((0, 7))), seconds=1.0)
    found = {one["source"]: one["balanced_accuracy"] for one in document["by_source"]}
    assert found == {"SQuAD 2-like": 0.5, "cuad": 1.0}
    assert document["answerable_accuracy"] == 1.0
    assert document["unanswerable_accuracy"] == 0.5
    assert document["span_f1"] == 0.75


def test_calibration_is_fitted_on_half_of_the_groups_and_makes_scores_that_are_too_sure_honest() -> None:
    chance = np.random.default_rng(3)
    truth = chance.random(600) < 0.5
    questions = [asked(answers=bool(one), group=str(at)) for at, one in enumerate(truth)]
    claims = [ClaimRow(str(at), "c", str(at), int(chance.integers(3))) for at in range(600)]
    scores = np.zeros((600, 7), dtype=np.float32)
    scores[:, 0] = 8 * (truth - 0.5) + 8 * chance.normal(size=600)
    claim_scores = np.zeros((600, 7), dtype=np.float32)
    claim_scores[:, 1:4] = 6 * chance.normal(size=(600, 3))

    calibration, threshold, report = calibrated(questions, scores, claims, claim_scores)
    assert calibration.answer < 0.5
    assert calibration.temperature > 5
    assert 0.2 < threshold < 0.8
    assert report["answers"]["calibration_error"] < report["answers"]["calibration_error_before"]
    assert report["answers"]["fitted_on"] == report["answers"]["tested_on"] == 300
