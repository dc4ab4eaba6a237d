"""The report of a tuning on held-out questions, beside the best fixed k, the hand-set mapping, and the bounds."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from judging.measures.intervals import Interval, bootstrap_statistic, paired_difference
from judging.measures.values import Undefined
from judging.splits import folds_by_group
from legalqa.training.tuning.choosing import (
    CLASSES_ALONE,
    FOLDS,
    MIN_QUESTIONS,
    Cost,
    Fitted,
    Floats,
    Ints,
    SearchedQuestion,
    Shape,
    Table,
    fit,
    fixed_best,
    shape_best,
)
from retrieval.pipelines.adaptive import Bands, Parameter, ParameterMapping, mapping_hand_set

Outcomes = tuple[Floats, Floats]  # recall and cost of every question


@dataclass(frozen=True, slots=True)
class Line:
    """One setting on the held-out questions."""

    name: str
    recall: float
    kilotokens: float

    @property
    def per_kilotoken(self) -> float:
        return self.recall / self.kilotokens if self.kilotokens else 0.0


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a tuning came to.

    Attributes:
        mapping: Fitted on all questions.
        lines: Every setting on the held-out questions; "fixed" and "tuned" are the two that are compared.
        fixed_k: The best fixed k on all questions.
        per_kilotoken: Recall per 1,000 tokens, tuned less the best fixed k, paired, documents drawn again.
        recall: Mean recall, tuned less the best fixed k.
        kilotokens: Mean cost, tuned less the best fixed k.
        over_chance: Recall per 1,000 tokens, tuned less the same with random classes.
        n_asked: Questions, those that ask for the same counted once.
        n_groups: Groups of documents. Where there is one, the questions that ask for the same were held out together.
    """

    mapping: ParameterMapping
    lines: tuple[Line, ...]
    fixed_k: int
    per_kilotoken: Interval | Undefined
    recall: Interval | Undefined
    kilotokens: Interval | Undefined
    over_chance: Interval | Undefined
    n_questions: int
    n_asked: int
    n_groups: int


def tune(
    questions: Sequence[SearchedQuestion],
    *,
    n_classes: int,
    measured_on: str,
    is_reranked: bool,
    cost: Cost | None = None,
    seed: int,
) -> Tuned:
    """Tune a mapping and say, on held-out questions, what it is worth.

    Args:
        questions: At least MIN_QUESTIONS, all with gold passages and the same arms.
        n_classes: Of the predicted labels.
        measured_on: The stage whose scores the arms hold.
        is_reranked: Whether the learned ranker put the hits in order; becomes the mapping's.
        cost: What tokens, calls and seconds count as.
        seed: Of folds, draws and the random class.

    Raises:
        ValueError: too few questions.
    """
    if len(questions) < MIN_QUESTIONS:
        raise ValueError(f"{len(questions)} questions are too few to tune on; give {MIN_QUESTIONS} or more.")
    cost = cost or Cost()
    table = Table.of(questions, cost)
    labels = np.array([question.label for question in questions], np.int64)
    groups, asks = [question.group for question in questions], [question.asks for question in questions]
    n_groups = len(set(groups))
    if n_groups < 2:  # all in one document: held out by what they ask for, which is said in the report
        groups = asks
    oracle = np.array([min(question.n_gold, n_classes) - 1 for question in questions], np.int64)
    outcomes = _held_out(table, labels, oracle, groups, n_classes=n_classes, price=cost.price, seed=seed)
    every = np.arange(len(questions))
    shape = shape_best(table, labels, groups, every, n_classes=n_classes, price=cost.price, seed=seed)
    whole = fit(table, labels, every, shape=shape, n_classes=n_classes, price=cost.price)
    ours, theirs = outcomes["tuned"], outcomes["fixed"]
    names = [str(group) for group in groups]
    return Tuned(
        _mapping(whole, table, n_classes=n_classes, measured_on=measured_on, is_reranked=is_reranked),
        tuple(Line(name, float(recall.mean()), float(cost.mean())) for name, (recall, cost) in outcomes.items()),
        fixed_best(table, every, cost.price) + 1,
        _ratio_difference(ours, theirs, names, seed=seed),
        paired_difference(ours[0].tolist(), theirs[0].tolist(), seed=seed, groups=names),
        paired_difference(ours[1].tolist(), theirs[1].tolist(), seed=seed, groups=names),
        _ratio_difference(ours, outcomes["random class"], names, seed=seed),
        len(questions),
        len(set(asks)),
        n_groups,
    )


def _held_out(
    table: Table, labels: Ints, oracle: Ints, groups: Sequence[Hashable], *, n_classes: int, price: float, seed: int
) -> dict[str, Outcomes]:
    """The result of each way of choosing on questions that it was not chosen on, by its name in the report."""
    chance = np.random.default_rng(seed)
    folds = np.asarray(folds_by_group(groups, n_folds=FOLDS, seed=seed))

    def fixed(places: Ints) -> Outcomes:
        k = fixed_best(table, places, price)
        return table.recall[0, :, k], table.cost[0, :, k]

    def held(classes: Ints, shape_of: Callable[[Ints], Shape]) -> Outcomes:
        def chosen(places: Ints) -> Outcomes:
            mapping = fit(table, classes, places, shape=shape_of(places), n_classes=n_classes, price=price)
            return mapping.outcomes(table, classes)

        return _held(folds, chosen)

    def fitted(classes: Ints) -> Outcomes:
        return held(classes, partial(shape_best, table, classes, groups, n_classes=n_classes, price=price, seed=seed))

    def alone(classes: Ints) -> Outcomes:
        return held(classes, lambda _: CLASSES_ALONE)

    return {
        "fixed": _held(folds, fixed),
        "tuned": fitted(labels),
        "hand-set": _hand_set(table, labels, n_classes),
        "oracle class": fitted(oracle),
        "random class": fitted(chance.permutation(labels)),
        "classes alone": alone(labels),
        "oracle class alone": alone(oracle),
        "oracle k": _oracle_k(table),
    }


def _ratio_difference(ours: Outcomes, theirs: Outcomes, groups: Sequence[str], *, seed: int) -> Interval | Undefined:
    """Mean recall over mean cost, ours less theirs, drawing groups again."""

    def difference(at: Ints) -> float | Undefined:
        paid, paid_by_them = ours[1][at].mean(), theirs[1][at].mean()
        if not paid or not paid_by_them:
            return Undefined("nothing was handed over")
        return float(ours[0][at].mean() / paid - theirs[0][at].mean() / paid_by_them)

    return bootstrap_statistic(difference, len(ours[0]), seed=seed, groups=groups)


def _held(folds: Ints, chosen: Callable[[Ints], Outcomes]) -> Outcomes:
    """What is chosen on the questions of the other folds, on each fold."""
    recalls, costs = np.zeros(len(folds)), np.zeros(len(folds))
    for fold in range(FOLDS):
        places = np.flatnonzero(folds == fold)
        if len(places):
            recall, cost = chosen(np.flatnonzero(folds != fold))
            recalls[places], costs[places] = recall[places], cost[places]
    return recalls, costs


def _hand_set(table: Table, labels: Ints, n_classes: int) -> Outcomes:
    """The paper's mapping; where its number of rewrites was not searched for, the nearest one that was."""
    mapping = mapping_hand_set(n_classes)
    rewrites = np.array([mapping.rewrites.of(label) or 0 for label in range(n_classes)])
    arm = np.abs(np.asarray(table.rewrites)[None, :] - rewrites[:, None]).argmin(axis=1)[labels]
    place = np.array([(mapping.k.of(label) or 1) - 1 for label in range(n_classes)])[labels]
    at = np.arange(len(labels))
    return table.recall[arm, at, place], table.cost[arm, at, place]


def _oracle_k(table: Table) -> Outcomes:
    """Every question cut after the last gold passage among its MAX_K hits: no mapping can do better."""
    full = table.recall[0, :, -1:]
    place = (table.recall[0] >= full - 1e-12).argmax(axis=1)
    at = np.arange(len(place))
    return table.recall[0, at, place], table.cost[0, at, place]


def _mapping(fitted: Fitted, table: Table, *, n_classes: int, measured_on: str, is_reranked: bool) -> ParameterMapping:
    """As people read it. k beside bands is that of the middle band, for searches with other scores."""
    hand_set = mapping_hand_set(n_classes)
    rows = fitted.k + 1
    rewrites = [table.rewrites[a] for a in fitted.arm]
    bands = None
    if fitted.shape.signal is not None:
        arm = int(np.bincount(fitted.arm).argmax())
        bands = Bands(
            signal=fitted.shape.signal,
            measured_on=measured_on,
            bounds=tuple(round(float(value), 6) for value in fitted.bounds[arm]),
            k=tuple(tuple(int(k) for k in row) for row in rows),
        )
    return ParameterMapping(
        n_classes=n_classes,
        k=Parameter(mode="adaptive", values=tuple(int(row[len(row) // 2]) for row in rows)),
        rewrites=_rewrites(rewrites),
        keywords=hand_set.keywords,
        path_length=hand_set.path_length,
        reranker=is_reranked,
        bands=bands,
    )


def _rewrites(values: Sequence[int]) -> Parameter:
    """Off where no class rewrites; a class that does not, beside one that does, takes the least, 1 (ours)."""
    if not any(values):
        return Parameter(mode="off")
    return Parameter(mode="adaptive", values=tuple(max(1, value) for value in values))
