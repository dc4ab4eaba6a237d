"""The regression and the temperature that make probabilities of a reader's scores, on data whose truth is known."""

from typing import Any

import numpy as np
import pytest

from legalqa.encoder.reading import Calibration
from legalqa.training.reader.calibration import answers_fit, calibrated, temperature_fit
from legalqa.training.reader.rows import AnswerRow, ClaimRow

N = 4_000
NO_SCORES = np.zeros((0, 7), dtype=np.float32)


def scores(**columns: Any) -> Any:
    made = np.zeros((N, 7), dtype=np.float32)
    for name, values in columns.items():
        made[:, int(name.removeprefix("at"))] = values
    return made


def questions(truth: Any, *, groups: int = N) -> list[AnswerRow]:
    return [
        AnswerRow(str(n), "Who pays?", "The tenant.", bool(one), group=str(n % groups)) for n, one in enumerate(truth)
    ]


def test_the_regression_finds_the_odds_that_the_truth_was_drawn_by() -> None:
    chance = np.random.default_rng(1)
    answer, span = chance.normal(0, 2, N), chance.normal(0, 2, N)
    truth = chance.random(N) < 1 / (1 + np.exp(-(-1 + 0.5 * answer + 0.5 * span)))

    fitted = answers_fit(questions(truth), scores(at0=answer, at4=2 * span))
    assert fitted == pytest.approx((-1, 0.5, 0.25), abs=0.15)


def test_of_two_scores_that_say_the_same_none_counts_against_an_answer() -> None:
    chance = np.random.default_rng(6)
    span = chance.normal(0, 2, N)
    truth = chance.random(N) < 1 / (1 + np.exp(-span))
    answer = span + chance.normal(0, 0.3, N)  # says nothing that the span does not

    _, of_answer, of_span = answers_fit(questions(truth), scores(at0=answer, at4=span))
    assert of_answer == pytest.approx(of_span, rel=0.05)
    assert of_span == pytest.approx(0.5, abs=0.1)


def test_a_score_beyond_all_measure_does_not_carry_the_fit_away() -> None:
    chance = np.random.default_rng(2)
    answer = chance.normal(0, 2, N)
    truth = chance.random(N) < 1 / (1 + np.exp(-0.7 * answer))
    answer[0] = 1e6

    assert answers_fit(questions(truth), scores(at0=answer))[1] == pytest.approx(0.7, abs=0.15)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_the_temperature_is_that_by_which_scores_are_too_sure(temperature: float) -> None:
    chance = np.random.default_rng(3)
    true_scores = chance.normal(0, 2, (N, 3))
    odds = np.exp(true_scores)
    odds /= odds.sum(axis=1, keepdims=True)
    labels = [int(chance.choice(3, p=row)) for row in odds]
    claims = [ClaimRow(str(n), "c", "e", label) for n, label in enumerate(labels)]
    made = np.zeros((N, 7), dtype=np.float32)
    made[:, 1:4] = true_scores * temperature

    assert temperature_fit(claims, made) == pytest.approx(temperature, rel=0.1)


def test_rows_of_one_document_are_fitted_on_or_tested_on_together() -> None:
    chance = np.random.default_rng(4)
    truth = chance.random(N) < 0.5
    rows = questions(truth, groups=10)
    _, _, report = calibrated(rows, scores(at0=2.0 * truth - 1), [], NO_SCORES)

    assert report["answers"]["fitted_on"] + report["answers"]["tested_on"] == N
    assert report["answers"]["fitted_on"] % (N // 10) == 0
    assert report["answers"]["auc"] == 1.0


def test_without_claims_the_support_head_is_left_as_it_is_and_without_questions_the_answers_head() -> None:
    chance = np.random.default_rng(5)
    truth = chance.random(N) < 0.5
    claims = [ClaimRow(str(n), "c", str(n), int(chance.integers(3))) for n in range(N)]

    no_claims, _, told = calibrated(questions(truth), scores(at0=truth), [], NO_SCORES)
    assert (no_claims.temperature, set(told)) == (1.0, {"answers"})
    no_questions, threshold, told = calibrated([], NO_SCORES, claims, scores(at1=chance.normal(0, 4, N)))
    assert (no_questions.bias, no_questions.answer, no_questions.span) == (0.0, 1.0, 0.0)
    assert (threshold, set(told)) == (0.5, {"support"})


def test_with_nothing_at_all_the_reader_stays_as_its_heads_give_it() -> None:
    assert calibrated([], NO_SCORES, [], NO_SCORES) == (Calibration(), 0.5, {})
