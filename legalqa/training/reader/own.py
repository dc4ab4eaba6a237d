"""The report of a corpus's own reader: beside the packaged one, on questions that it has not learned from."""

import bisect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from judging.measures.abstention import calibration_error
from judging.measures.values import number
from legalqa.training.encoder.evaluation import Compared, Figures, row_document
from legalqa.training.reader.questions import ReaderQuestion

MEASURES = ("first", "mrr", "auc")
ROW, TITLE = "reader", "The passages that an answer reads"
SIDES = ("before", "after")

Read = Mapping[str, Sequence[float]]  # probabilities of the right passages, then of the others, by side


def pairs_of(question: ReaderQuestion) -> list[tuple[str, str]]:
    """The passages that are read for a question: the right ones, then the others."""
    return [(question.text, passage) for passage in (*question.answering, *question.others)]


def reading_figures(right: Sequence[float], others: Sequence[float], every: Sequence[float]) -> Figures:
    """How well the right passages of one question are told from others, each 0 to 1.

    Args:
        right: Their probabilities, at least one.
        others: Those of the question's other passages.
        every: Those of the passages of all questions that do not answer, rising, at least one.

    Returns:
        `first`: whether a right passage comes before all others. `mrr`: the reciprocal rank of the first right one.
        `auc`: the share of `every` that a right passage comes before, ties counting one half. Its mean over questions
        is the area under the ROC curve where each question counts alike.
    """
    rank = 1 + sum(other >= max(right) for other in others)
    below = [bisect.bisect_left(every, one) + bisect.bisect_right(every, one) for one in right]
    return {"first": float(rank == 1), "mrr": 1 / rank, "auc": float(np.mean(below)) / (2 * len(every))}


def compared(questions: Sequence[ReaderQuestion], readings: Sequence[Read]) -> list[Compared]:
    """The questions that have right passages, before and after; none where no passage does not answer."""
    every = {
        side: sorted(
            p for one, reading in zip(questions, readings, strict=True) for p in reading[side][len(one.answering) :]
        )
        for side in SIDES
    }
    if not every["before"]:
        return []
    rows = []
    for question, reading in zip(questions, readings, strict=True):
        if n := len(question.answering):
            before, after = (reading_figures(reading[side][:n], reading[side][n:], every[side]) for side in SIDES)
            rows.append(Compared(str(question.group), before, after))
    return rows


def report_document(
    questions: Sequence[ReaderQuestion],
    readings: Sequence[Read],
    *,
    training: Mapping[str, Any],
    provenance: Mapping[str, Any],
    seed: int,
) -> dict[str, Any]:
    """Everything that the page of a reader shows.

    Args:
        questions: All that had passages.
        readings: Of the held-out ones, in their order.
        training: Seconds, steps, losses and so on.
        provenance: As it is in the artefact.
        seed: Of the draws of the intervals.
    """
    held_out = [one for one in questions if one.is_held_out]
    comparisons = compared(held_out, readings)
    truth = [place < len(one.answering) for one in held_out for place in range(len(pairs_of(one)))]
    return {
        "questions": {
            "learned": sum(bool(one.answering) for one in questions if not one.is_held_out),
            "learned_unanswered": sum(not one.answering for one in questions if not one.is_held_out),
            "held_out": len(comparisons),
            "held_out_unanswered": sum(not one.answering for one in held_out),
        },
        "main": "first",
        "rows": [row_document(ROW, TITLE, comparisons, seed=seed, measures=MEASURES)],
        "calibration": {
            side: number(calibration_error([p for one in readings for p in one[side]], truth), 4) for side in SIDES
        },
        "training": dict(training),
        "provenance": dict(provenance),
    }
