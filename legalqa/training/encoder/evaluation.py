"""Before and after, question by question: how well two encoders, or two rankers, find what answers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from judging.measures.intervals import interval_document, paired_difference
from judging.measures.ranking import ndcg_at, recall_at, reciprocal_rank
from judging.measures.values import Undefined, Value

MEASURES = ("recall@1", "recall@5", "recall@10", "mrr", "ndcg@10")
CLUSTERS = 10  # ours: documents from which on they are drawn, and not single questions

Figures = dict[str, float]


def question_figures(ranking: Sequence[str], gold: Collection[str]) -> Figures:
    """The measures of one question that something answers, by name; what comes after `ranking` was not found."""
    grades = dict.fromkeys(gold, 1.0)
    figures: dict[str, Value] = {f"recall@{k}": recall_at(ranking, gold, k) for k in (1, 5, 10)}
    figures |= {"mrr": reciprocal_rank(ranking, gold), "ndcg@10": ndcg_at(ranking, grades, 10)}
    return {name: round(float(value), 6) for name, value in figures.items() if not isinstance(value, Undefined)}


@dataclass(frozen=True, slots=True)
class Compared:
    """One question before and after, with the group of documents that it belongs to."""

    group: str
    before: Figures
    after: Figures


def row_document(
    name: str, title: str, questions: Sequence[Compared], *, seed: int, measures: Sequence[str] = MEASURES
) -> dict[str, Any]:
    """One line of the before/after table, as JSON: means, and after less before.

    The differences are by a paired bootstrap over documents, or over questions where there are few documents.

    Args:
        name: Of the line.
        title: The same in words.
        questions: The questions.
        seed: Of the draws.
        measures: Those that every question has.
    """
    groups = [one.group for one in questions]
    clusters = groups if len(set(groups)) >= CLUSTERS else None
    row: dict[str, Any] = {"name": name, "title": title, "questions": len(questions)}
    row |= {"before": {}, "after": {}, "difference": {}}
    for measure in measures:
        before, after = [one.before[measure] for one in questions], [one.after[measure] for one in questions]
        row["before"][measure], row["after"][measure] = _mean(before), _mean(after)
        difference = paired_difference(after, before, seed=seed, groups=clusters)
        row["difference"][measure] = interval_document(difference)
    return row


def _mean(values: Sequence[float]) -> float | None:
    return round(float(np.mean(values)), 4) if values else None
