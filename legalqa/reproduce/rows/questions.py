"""Rows that come from asking: what was found, answered, cited or met with silence, on collections with gold."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from judging.measures import abstention, answers, ranking
from judging.measures.intervals import bootstrap_mean, bootstrap_statistic, paired_difference
from judging.measures.values import Undefined, Value, average
from legalqa.common.errors import ApplicationError
from legalqa.reproduce.types import Context, Figure
from legalqa.training.ranker.types import QuestionOutcome

Outcomes = Sequence[QuestionOutcome]
Figures = Mapping[str, Figure]

KINDS = {"one": "1", "two": "2", "more": "3+"}
BINS = 10  # bins of equal width of the calibration error


def ll144_figures(outcomes: Outcomes, _context: Context) -> Figures:
    """Answerable questions answered on a gold quote, and the others declined."""
    answerable = [o for o in outcomes if o.is_answerable]
    others = [o for o in outcomes if not o.is_answerable]
    return {
        "answered": Figure.count(sum(o.cites_gold for o in answerable), len(answerable)),
        "declined": Figure.count(sum(not o.is_answered for o in others), len(others)),
    }


def policy_copilot_figures(outcomes: Outcomes, context: Context) -> Figures:
    """Answers, silences, what is in the first five, and citations."""
    answerable = [o for o in outcomes if o.is_answerable]
    others = [o for o in outcomes if not o.is_answerable]
    with_gold = [o for o in answerable if o.gold]
    return {
        "answer_rate": Figure.share(answers.answer_rate(outcomes)),
        "abstention": Figure.count(sum(not o.is_answered for o in others), len(others)),
        "hit": Figure.share(average(ranking.hit_at(o.ranked, o.gold, 5) for o in with_gold)),
        "recall": Figure.of(
            bootstrap_mean(_numbers(ranking.recall_at(o.ranked, o.gold, 5) for o in with_gold), seed=context.seed),
            note=_baseline([ranking.recall_at(o.baseline, o.gold, 5) for o in with_gold]),
        ),
        "cited": Figure.share(average(answers.cited_gold(o) for o in answerable)),
    }


def obliqa_figures(outcomes: Outcomes, context: Context) -> Figures:
    """Recall@10 by complexity, and its gain over the fusion on the same questions, documents drawn again."""
    figures: dict[str, Figure] = {}
    for name, kind in KINDS.items():
        of_kind = [o for o in outcomes if o.kind == kind and o.is_answerable]
        figures[f"recall_{name}"] = _recall(of_kind, 10, context)
        figures[f"gain_{name}"] = _gain(of_kind, 10, context)
    return figures


def hops_figures(outcomes: Outcomes, context: Context) -> Figures:
    """Those of questions with several passages: the fusion that they are compared with is that of `fixed-10`."""
    several = {name for name, kind in KINDS.items() if kind != "1"}
    figures = obliqa_figures(outcomes, context)
    return {name: figure for name, figure in figures.items() if name.rpartition("_")[2] in several}


def contractnli_figures(outcomes: Outcomes, context: Context) -> Figures:
    """Gold spans in the first five of the contract, and telling NotMentioned from the rest."""
    mentioned = [o for o in outcomes if o.is_answerable]
    labels = np.asarray([o.is_answerable for o in outcomes])
    probabilities = np.asarray([o.answerable for o in outcomes if o.answerable is not None])
    decisions = np.asarray([float(o.is_answered) for o in outcomes])
    groups = [o.group for o in outcomes]

    def auc(at: NDArray[np.int64]) -> Value:
        return abstention.auc(probabilities[at].tolist(), labels[at].tolist())

    def accuracy(at: NDArray[np.int64]) -> Value:
        return abstention.balanced_accuracy(decisions[at].tolist(), labels[at].tolist(), threshold=0.5)

    return {
        "recall": _recall(mentioned, 5, context),
        "gain": _gain(mentioned, 5, context),
        "auc": _drawn(auc, groups, context),
        "accuracy": _drawn(accuracy, groups, context),
    }


def calibration_figures(outcomes: Outcomes, context: Context) -> Figures:
    """Whether the probability of a question is honest, and whether it orders them better than the raw score does."""
    right = np.asarray([o.found(5) for o in outcomes])
    probabilities = np.asarray([o.probability for o in outcomes])
    raw = np.asarray([o.fusion_score for o in outcomes])

    def error(at: NDArray[np.int64]) -> Value:
        return abstention.calibration_error(probabilities[at].tolist(), right[at].tolist(), bins=BINS)

    def gain(at: NDArray[np.int64]) -> Value:
        theirs = abstention.aurc(raw[at].tolist(), right[at].tolist())
        ours = abstention.aurc(probabilities[at].tolist(), right[at].tolist())
        return theirs if isinstance(theirs, Undefined) else ours if isinstance(ours, Undefined) else theirs - ours

    groups = [o.group for o in outcomes]
    return {"error": _drawn(error, groups, context), "aurc_gain": _drawn(gain, groups, context)}


def _recall(outcomes: Outcomes, k: int, context: Context) -> Figure:
    values = _numbers(ranking.recall_at(o.ranked, o.gold, k) for o in outcomes)
    interval = bootstrap_mean(values, seed=context.seed, groups=[o.group for o in outcomes])
    return Figure.of(interval, note=_baseline([ranking.recall_at(o.baseline, o.gold, k) for o in outcomes]))


def _gain(outcomes: Outcomes, k: int, context: Context) -> Figure:
    ours = _numbers(ranking.recall_at(o.ranked, o.gold, k) for o in outcomes)
    theirs = _numbers(ranking.recall_at(o.baseline, o.gold, k) for o in outcomes)
    return Figure.of(paired_difference(ours, theirs, seed=context.seed, groups=[o.group for o in outcomes]))


def _drawn(statistic: Callable[[NDArray[np.int64]], Value], groups: Sequence[str], context: Context) -> Figure:
    return Figure.of(bootstrap_statistic(statistic, len(groups), seed=context.seed, groups=groups, draws=1000))


def _numbers(values: Iterable[Value]) -> list[float]:
    """The values of questions that all have gold.

    Raises:
        ApplicationError: one has none: it would be left out in silence, and the groups would no longer fit.
    """
    every = list(values)
    numbers = [value for value in every if not isinstance(value, Undefined)]
    if len(numbers) < len(every):
        raise ApplicationError("A question that counts as answerable has no gold passage.", code="no_gold")
    return numbers


def _baseline(values: Sequence[Value]) -> str:
    mean = average(values).value
    return "" if isinstance(mean, Undefined) else f"the fusion alone {mean:.3f}"
