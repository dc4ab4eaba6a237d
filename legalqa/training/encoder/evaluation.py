"""Before and after, question by question: how well two encoders, or two rankers, find what answers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from judging.measures.intervals import Interval, interval_document, paired_difference
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


def differences(
    questions: Sequence[Compared], *, seed: int, measures: Sequence[str] = MEASURES
) -> dict[str, Interval | Undefined]:
    """After less before, by measure: paired bootstrap over documents, or over questions where there are few of those.

    Args:
        questions: The questions.
        seed: Of the draws.
        measures: Those that every question has.
    """
    groups = [one.group for one in questions]
    clusters = groups if len(set(groups)) >= CLUSTERS else None
    return {
        name: paired_difference(
            [one.after[name] for one in questions], [one.before[name] for one in questions], seed=seed, groups=clusters
        )
        for name in measures
    }


def row_document(
    name: str, title: str, questions: Sequence[Compared], *, seed: int, measures: Sequence[str] = MEASURES
) -> dict[str, Any]:
    """One line of the before/after table, as JSON."""
    return {
        "name": name,
        "title": title,
        "questions": len(questions),
        "before": means([one.before for one in questions], measures=measures),
        "after": means([one.after for one in questions], measures=measures),
        "difference": {
            m: interval_document(v) for m, v in differences(questions, seed=seed, measures=measures).items()
        },
    }


def means(figures: Sequence[Figures], *, measures: Sequence[str] = MEASURES) -> dict[str, float | None]:
    """The mean of each measure over the questions; None without any."""
    return {name: round(float(np.mean([one[name] for one in figures])), 4) if figures else None for name in measures}


def compared_read(rows: Sequence[Mapping[str, Any]]) -> list[Compared]:
    """Questions as they were kept in a file."""
    return [Compared(row["group"], row["before"], row["after"]) for row in rows]
