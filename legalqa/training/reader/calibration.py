"""From a reader's scores to probabilities, fitted on rows that it did not learn from."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judging.measures.abstention import auc, best_threshold, calibration_error
from judging.measures.values import Undefined, number
from judging.splits import groups_kept
from legalqa.encoder.reading import Calibration
from legalqa.training.reader.evaluation import groups_of
from legalqa.training.reader.rows import AnswerRow, ClaimRow

SEED = 144

Floats = NDArray[np.float32]


def answers_fit(rows: Sequence[AnswerRow], scores: Floats) -> tuple[float, float, float]:
    """Bias and weights of the answer's score and the span's log-odds: a logistic regression of the mean of both.

    Each counts in units of its own deviation. The two say nearly the same, so that a regression with a weight for each
    can give one of them a weight below zero, and reads texts of another kind the wrong way round.

    Source: Platt 1999; Hu et al. 2019 for the mean of the verifier's score and the span's.
    """
    from sklearn.linear_model import LogisticRegression

    features = np.clip(scores[:, [0, 4]].astype(float), -30, 30)
    deviations = features.std(axis=0)
    weights = np.divide(0.5, deviations, out=np.zeros(2), where=deviations > 1e-6)
    fitted = LogisticRegression(C=100.0).fit((features @ weights)[:, None], [row.is_answerable for row in rows])
    answer, span = (fitted.coef_[0, 0] * weights).tolist()
    return float(fitted.intercept_[0]), answer, span


def temperature_fit(rows: Sequence[ClaimRow], scores: Floats) -> float:
    """The temperature of the least log loss of the three labels.

    Source: Guo et al. 2017.
    """
    from scipy.optimize import minimize_scalar

    labels = np.asarray([row.label for row in rows])

    def loss(log_temperature: float) -> float:
        support = Calibration(temperature=float(np.exp(log_temperature))).probabilities(scores)[:, 1:4]
        return float(-np.log(np.maximum(support[np.arange(len(labels)), labels], 1e-12)).mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 3.0), method="bounded").x))


def calibrated(
    questions: Sequence[AnswerRow], question_scores: Floats, claims: Sequence[ClaimRow], claim_scores: Floats
) -> tuple[Calibration, float, dict[str, Any]]:
    """Calibration and threshold by half of the rows' groups, and how honest the probabilities are on the other half.

    Without questions, or without claims, their part stays as the heads give it.
    """
    calibration, threshold, report = Calibration(), 0.5, dict[str, Any]()
    if questions:
        fitted = _half(groups_of(questions))
        bias, answer, span = answers_fit(
            [row for row, is_in in zip(questions, fitted, strict=True) if is_in], question_scores[fitted]
        )
        calibration = Calibration(bias, answer, span)
        probabilities = calibration.probabilities(question_scores)[:, 0]
        truth = np.asarray([row.is_answerable for row in questions])
        best = best_threshold(probabilities[fitted].tolist(), truth[fitted].tolist())
        threshold = 0.5 if isinstance(best, Undefined) else best
        plain = Calibration().probabilities(question_scores)[:, 0]
        rest = ~fitted
        report["answers"] = {
            "fitted_on": int(fitted.sum()),
            "tested_on": int(rest.sum()),
            "auc": number(auc(probabilities[rest].tolist(), truth[rest].tolist()), 4),
            "auc_of_the_answer_alone": number(auc(plain[rest].tolist(), truth[rest].tolist()), 4),
            "calibration_error": number(calibration_error(probabilities[rest].tolist(), truth[rest].tolist()), 4),
            "calibration_error_before": number(calibration_error(plain[rest].tolist(), truth[rest].tolist()), 4),
        }
    if claims:
        fitted = _half(groups_of(claims))
        temperature = temperature_fit(
            [row for row, is_in in zip(claims, fitted, strict=True) if is_in], claim_scores[fitted]
        )
        calibration = Calibration(calibration.bias, calibration.answer, calibration.span, temperature)
        is_supported = np.asarray([row.label == 0 for row in claims])
        report["support"] = {"fitted_on": int(fitted.sum()), "tested_on": int((~fitted).sum())}
        for name, one in (("calibration_error", calibration), ("calibration_error_before", Calibration())):
            supported = one.probabilities(claim_scores)[~fitted, 1].astype(float)
            report["support"][name] = number(calibration_error(supported.tolist(), is_supported[~fitted].tolist()), 4)
    return calibration, threshold, report


def _half(groups: Sequence[str]) -> NDArray[np.bool_]:
    """Which rows are fitted on: those of half the groups."""
    others = groups_kept(groups, share=0.5, seed=SEED)
    return np.asarray([group not in others for group in groups])
