"""The result of an experiment as one plain document, for the page, the API and the command.

The document (all of it JSON):

- `baseline`, `seed`, `level`, `is_whole` (false where the budget ended it), `marked` (how many differences are),
  `cost`, `judge_cost`
- `measures[]`: `name`, `judge` ("" for a rule), `label`, `help`, `is_share`, `less_is_better`
- `cells[]`: `key`, `preset`, `title`, `overrides`, `generator`, `is_unchecked`, `n`, `failed`, `reused`,
  `seconds_median`, `seconds_p95`, `tokens`, `cost`, `judge_cost`
- `rows[]`, one a cell and measure: `preset` (the cell's key), `metric` (the measure's name), `judge`, `value`,
  `low`, `high`, `n`, `undefined`, `statuses` and `reasons` (why undefined, in kind and in words, with counts) and
  `delta`: None for the baseline, else `value`, `low`, `high`, `n`, `wins`, `ties`, `losses`, `p`, `p_holm`, `is_marked`
- `warnings[]`: `judge`, `words`, `n` (values of which they are true) and `of` (all of that judge)
- `types[]`: as rows, by question type, without delta
- `compared`: None, or with the previous experiment: `experiment`, `is_regression`, `rows[]` of differences
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np

from judging.experiments.rules import RULES
from judging.experiments.settings import ExperimentSettings, is_unchecked, preset_names
from judging.judges.registry import is_less_better
from judging.measures.comparison import holm, mcnemar, sign_flip
from judging.measures.intervals import LEVEL, Interval, bootstrap_mean, paired_difference, wilson
from judging.measures.values import Undefined, number
from judging.models import Experiment, ExperimentAnswer, ExperimentScore

SIGNIFICANT = 1 - LEVEL
Measure = tuple[str, str]  # a measure's judge and name
Values = Mapping[UUID, float]  # a measure's values by question, repeats averaged


@dataclass(frozen=True, slots=True)
class Answered:
    """What the report reads of one answer."""

    cell: str
    question: UUID
    question_type: str
    is_failed: bool
    is_reused: bool
    seconds: float
    tokens: int
    cost: Decimal


@dataclass(frozen=True, slots=True)
class Scored:
    """What the report reads of one score."""

    cell: str
    question: UUID
    question_type: str
    measure: Measure
    value: float | None
    status: str
    reason: str
    warning: str
    cost: Decimal


@dataclass(frozen=True, slots=True)
class StoredResults:
    """All that a report is made of."""

    answers: tuple[Answered, ...]
    scores: tuple[Scored, ...]


def results_read(*, experiment: Experiment) -> StoredResults:
    """Everything that was stored of an experiment, in two queries."""
    answers = ExperimentAnswer.objects.filter(experiment=experiment).order_by("question__ordinal", "cell", "repeat")
    fields = ("cell", "question_id", "question__question_type", "answer_id", "is_reused", "seconds", "tokens", "cost")
    scores = ExperimentScore.objects.filter(experiment=experiment).order_by("pk")
    of_score = ("answer__cell", "answer__question_id", "answer__question__question_type", "judge", "measure")
    return StoredResults(
        tuple(
            Answered(cell, question, kind, answer is None, is_reused, seconds, tokens, cost)
            for cell, question, kind, answer, is_reused, seconds, tokens, cost in answers.values_list(*fields)
        ),
        tuple(
            Scored(cell, question, kind, (judge, measure), *rest)
            for cell, question, kind, judge, measure, *rest in scores.values_list(
                *of_score, "value", "status", "reason", "warning", "cost"
            )
        ),
    )


def results_document(
    *,
    settings: ExperimentSettings,
    stored: StoredResults,
    is_whole: bool = True,
    previous: tuple[UUID, StoredResults] | None = None,
) -> dict[str, Any]:
    """The result as the module describes it.

    Args:
        settings: Of the experiment.
        stored: What was stored of it.
        is_whole: Whether every question was answered by every configuration.
        previous: The experiment that it repeats, with what was stored of that.
    """
    measures = _measures(settings, stored.scores)
    values = _values(stored.scores)
    rows = [
        _row(cell.key, measure, _of(stored.scores, cell.key, measure), values, settings)
        for cell in settings.cells
        for measure in measures
    ]
    _correct([row["delta"] for row in rows if row["delta"]])
    return {
        "baseline": settings.baseline,
        "seed": settings.seed,
        "level": LEVEL,
        "is_whole": is_whole,
        "marked": sum(bool(row["delta"] and row["delta"]["is_marked"]) for row in rows),
        "cost": str(sum((a.cost for a in stored.answers if not a.is_reused), Decimal(0))),
        "judge_cost": str(sum((s.cost for s in stored.scores), Decimal(0))),
        "measures": [_measure_document(measure) for measure in measures],
        "cells": [_cell(settings, key, stored) for key in settings.by_key],
        "rows": rows,
        "warnings": _warnings(stored.scores),
        "types": _types(settings, measures, stored),
        "compared": _compared(settings, measures, values, previous) if previous else None,
    }


def _measures(settings: ExperimentSettings, scores: Iterable[Scored]) -> list[Measure]:
    judged = dict.fromkeys(score.measure for score in scores if score.measure[0])
    return [*(("", name) for name in settings.measures), *judged]


def _measure_document(measure: Measure) -> dict[str, Any]:
    judge, name = measure
    rule = RULES.get(name) if not judge else None
    return {
        "name": name,
        "judge": judge,
        "label": rule.label if rule else f"{name} ({judge})",
        "help": rule.help if rule else f"As {judge} judges it.",
        "is_share": rule.is_share if rule else False,
        "less_is_better": _is_less_better(measure),
    }


def _is_less_better(measure: Measure) -> bool:
    judge, name = measure
    if judge:
        return is_less_better(name)
    return name in RULES and RULES[name].less_is_better


def _values(scores: Iterable[Scored]) -> dict[tuple[str, Measure], dict[UUID, float]]:
    """The mean of the repeats of each question, by cell and measure."""
    values: dict[tuple[str, Measure], dict[UUID, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        if score.value is not None:
            values[score.cell, score.measure][score.question].append(score.value)
    return {key: {q: float(np.mean(v)) for q, v in by_question.items()} for key, by_question in values.items()}


def _of(scores: Sequence[Scored], cell: str, measure: Measure) -> list[Scored]:
    return [score for score in scores if score.cell == cell and score.measure == measure]


def _row(
    cell: str,
    measure: Measure,
    scores: Sequence[Scored],
    values: Mapping[tuple[str, Measure], Values],
    settings: ExperimentSettings,
) -> dict[str, Any]:
    mine = values.get((cell, measure), {})
    theirs = values.get((settings.baseline, measure), {})
    undefined = {score.question: score for score in scores if score.question not in mine}
    return {
        **_figure(cell, measure, mine, scores, settings.seed),
        "statuses": dict(Counter(score.status for score in undefined.values())),
        "reasons": dict(Counter(score.reason for score in undefined.values())),
        "delta": None if cell == settings.baseline else _delta(measure, mine, theirs, settings.seed),
    }


def _figure(cell: str, measure: Measure, values: Values, scores: Sequence[Scored], seed: int) -> dict[str, Any]:
    estimate = _interval(list(values.values()), measure, seed)
    interval = None if isinstance(estimate, Undefined) else estimate
    return {
        "preset": cell,
        "metric": measure[1],
        "judge": measure[0],
        "value": interval.value if interval else None,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n": len(values),
        "undefined": len({score.question for score in scores} - set(values)),
    }


def _interval(values: Sequence[float], measure: Measure, seed: int) -> Interval | Undefined:
    if _is_binary(measure, values):
        return wilson(round(sum(values)), len(values))
    return bootstrap_mean(values, seed=seed)


def _is_binary(measure: Measure, values: Iterable[float]) -> bool:
    """Whether the values are rights and wrongs; the mean of several repeats may be between them."""
    rule = RULES.get(measure[1]) if not measure[0] else None
    return rule is not None and rule.is_binary and all(value in (0.0, 1.0) for value in values)


def _delta(measure: Measure, mine: Values, theirs: Values, seed: int) -> dict[str, Any] | None:
    """The difference to the baseline on the questions that both have a value for; None where there are none.

    Rights and wrongs are tested by McNemar, other shares and judges' grades by sign flips; what an answer takes
    (seconds, tokens, cost) is not tested.
    """
    shared = sorted(set(mine) & set(theirs))
    ours, others = [mine[q] for q in shared], [theirs[q] for q in shared]
    interval = paired_difference(ours, others, seed=seed)
    if isinstance(interval, Undefined):
        return None
    better = -1 if _is_less_better(measure) else 1
    signs = [better * np.sign(a - b) for a, b in zip(ours, others, strict=True)]
    wins, losses = signs.count(1), signs.count(-1)
    return {
        "value": interval.value,
        "low": interval.low,
        "high": interval.high,
        "n": len(shared),
        "wins": wins,
        "ties": len(shared) - wins - losses,
        "losses": losses,
        "p": _p(measure, ours, others, seed),
        "p_holm": None,
        "is_marked": False,
        "is_worse": better * interval.value < 0,
    }


def _p(measure: Measure, ours: Sequence[float], others: Sequence[float], seed: int) -> float | None:
    if not measure[0] and not RULES[measure[1]].is_share:
        return None
    is_binary = _is_binary(measure, [*ours, *others])
    differences = [a - b for a, b in zip(ours, others, strict=True)]
    return number(mcnemar(ours, others) if is_binary else sign_flip(differences, seed=seed))


def _correct(deltas: Sequence[dict[str, Any]]) -> None:
    """Put the corrected p into each difference that was tested, and mark those still significant."""
    tested = [delta for delta in deltas if delta["p"] is not None]
    for delta, p in zip(tested, holm([delta["p"] for delta in tested]), strict=True):
        assert not isinstance(p, Undefined)  # all that went in are numbers
        delta["p_holm"], delta["is_marked"] = p, p < SIGNIFICANT


def _cell(settings: ExperimentSettings, key: str, stored: StoredResults) -> dict[str, Any]:
    cell = settings.by_key[key]
    mine = [answer for answer in stored.answers if answer.cell == key]
    seconds = [answer.seconds for answer in mine if not answer.is_failed]
    return {
        "key": key,
        "preset": cell.preset,
        "title": preset_names().get(cell.preset, cell.preset),
        "overrides": cell.overrides,
        "generator": cell.generator,
        "is_unchecked": is_unchecked(cell),
        "n": len(mine),
        "failed": sum(answer.is_failed for answer in mine),
        "reused": sum(answer.is_reused for answer in mine),
        "seconds_median": round(float(np.median(seconds)), 3) if seconds else None,
        "seconds_p95": round(float(np.quantile(seconds, 0.95)), 3) if seconds else None,
        "tokens": sum(answer.tokens for answer in mine),
        "cost": str(sum((answer.cost for answer in mine), Decimal(0))),
        "judge_cost": str(sum((score.cost for score in stored.scores if score.cell == key), Decimal(0))),
    }


def _warnings(scores: Iterable[Scored]) -> list[dict[str, Any]]:
    """Why values of a judge may flatter, with the number of values, most first."""
    valued = [score for score in scores if score.value is not None]
    counts = Counter((score.measure[0], score.warning) for score in valued if score.warning)
    n_of_judge = Counter(score.measure[0] for score in valued)
    return [
        {"judge": judge, "words": words, "n": n, "of": n_of_judge[judge]} for (judge, words), n in counts.most_common()
    ]


def _types(settings: ExperimentSettings, measures: Sequence[Measure], stored: StoredResults) -> list[dict[str, Any]]:
    """Every measure by question type; none where the questions have no types."""
    by_type: dict[tuple[str, str, Measure], list[Scored]] = defaultdict(list)
    for score in stored.scores:
        if score.question_type:
            by_type[score.question_type, score.cell, score.measure].append(score)
    rows = []
    for kind in sorted({key[0] for key in by_type}):
        for cell in settings.cells:
            for measure in measures:
                scores = by_type.get((kind, cell.key, measure), [])
                values = _values(scores).get((cell.key, measure), {})
                rows.append({"type": kind, **_figure(cell.key, measure, values, scores, settings.seed)})
    return rows


def _compared(
    settings: ExperimentSettings,
    measures: Sequence[Measure],
    values: Mapping[tuple[str, Measure], Values],
    previous: tuple[UUID, StoredResults],
) -> dict[str, Any]:
    """What changed since the experiment that this one repeats; worse only where the corrected test says so."""
    experiment_id, stored = previous
    before = _values(stored.scores)
    rows = []
    for cell in settings.cells:
        for measure in measures:
            delta = _delta(
                measure, values.get((cell.key, measure), {}), before.get((cell.key, measure), {}), settings.seed
            )
            if delta is not None:
                rows.append({"preset": cell.key, "metric": measure[1], "judge": measure[0], **delta})
    _correct(rows)
    return {
        "experiment": str(experiment_id),
        "is_regression": any(row["is_marked"] and row["is_worse"] for row in rows),
        "rows": rows,
    }
