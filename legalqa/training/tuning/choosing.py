"""Tuning a parameter mapping on questions whose right passages are known, with what a search costs in the objective.

The measure. Of a question, recall is the share of its gold passages among the passages that the setting hands over;
cost is what was handed over in tokens of the encoder, with calls of a language model and seconds converted to tokens
at stated rates. "Recall per 1,000 tokens" is the mean recall over the mean cost in thousands, over all questions (a
mean of each question's own ratio would reward short passages, and k = 1). Because fewer passages always look better by
that ratio alone, a mapping may not buy it with recall: it is fitted to reach at least the recall of the best fixed k on
its training questions, at the least cost. The best fixed k is the one with the highest recall - price * cost.

Everything that is reported is of held-out questions: they are dealt into folds by document (`judging.splits`), and for
each fold the fixed k, the bounds of the bands, the shape of the mapping and all its values come from the other folds.

Source: HyPA-RAG A.13 names hand-set mappings, missing bounds and more classes as its limits; the rest is ours.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judging.splits import folds_by_group
from retrieval.cutoffs.signals import Signal, ranking_signal

MAX_K = 20  # ours: hits looked at of each question
FOLDS, INNER_FOLDS = 5, 3
MIN_QUESTIONS = 20  # ours: below, a fold would be a handful
SHRINK = 25.0  # ours: pseudo-questions of its band that every cell starts with, so that a small cell follows the others
PRICES = np.geomspace(0.003, 10.0, 100)  # prices of 1,000 tokens, in recall, tried while looking for the least cost
BANDS = (3, 5)  # how many bands are tried
SIGNALS: tuple[Signal, ...] = ("top", "drop")

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Cost:
    """What is paid, in recall and in tokens.

    price: Recall that 1,000 tokens are worth: what makes one fixed k the best. token_per_call, token_per_s: tokens that
    a call of a language model and a second of searching count as.
    """

    price: float = 0.05
    tokens_per_call: float = 500.0
    tokens_per_s: float = 100.0


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to search for a question, by how many rewrites: what its first hits brought, hit by hit.

    gold: Gold passages that no hit before it held. tokens: handed over with the hit. scores: of the hits, best first.
    """

    gold: tuple[int, ...]
    tokens: tuple[int, ...]
    scores: tuple[float, ...]
    calls: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchedQuestion:
    """A question after its searches.

    Attributes:
        group: Of documents; it is held out whole.
        asks: What it asks for: the same for a repetition and for the same thing in other words.
        label: Its predicted class.
        arms: By number of rewrites; 0 for no rewrites.
    """

    id: str
    group: Hashable
    asks: Hashable
    n_gold: int
    label: int
    arms: Mapping[int, Arm]


@dataclass(frozen=True, slots=True)
class Shape:
    """What k may depend on: the class or not, bands of a signal or not."""

    signal: Signal | None = None
    n_bands: int = 1
    by_class: bool = True


CLASSES_ALONE = Shape()
SHAPES = (
    Shape(by_class=False),
    *(Shape(signal, n, by_class=False) for signal in SIGNALS for n in BANDS),
    CLASSES_ALONE,
    *(Shape(signal, n) for signal in SIGNALS for n in BANDS),
)


@dataclass(frozen=True, slots=True)
class Table:
    """The questions as arrays: recall and cost by arm, question and k (place 0 is k = 1), and signals by arm."""

    rewrites: tuple[int, ...]
    recall: Floats  # [arms, n, MAX_K]
    cost: Floats  # [arms, n, MAX_K], thousands of tokens
    signals: Mapping[Signal, Floats]  # [arms, n]

    @classmethod
    def of(cls, questions: Sequence[SearchedQuestion], cost: Cost) -> "Table":
        rewrites = tuple(sorted(questions[0].arms))
        recall = np.zeros((len(rewrites), len(questions), MAX_K))
        spent = np.zeros_like(recall)
        signals: dict[Signal, Floats] = {signal: np.zeros((len(rewrites), len(questions))) for signal in SIGNALS}
        for a, q in enumerate(rewrites):
            for n, question in enumerate(questions):
                arm = question.arms[q]
                recall[a, n] = _filled(np.cumsum(arm.gold[:MAX_K]) / question.n_gold)
                flat = arm.calls * cost.tokens_per_call + arm.seconds * cost.tokens_per_s
                spent[a, n] = (_filled(np.cumsum(arm.tokens[:MAX_K])) + flat) / 1000
                for signal in SIGNALS:
                    signals[signal][a, n] = ranking_signal(arm.scores, signal)
        return cls(rewrites, recall, spent, signals)


def _filled(sums: Floats) -> Floats:
    """Sums for every k up to MAX_K: a ranking that ends early brings nothing more."""
    last = float(sums[-1]) if len(sums) else 0.0
    return np.concatenate([sums, np.full(MAX_K - len(sums), last)])


@dataclass(frozen=True, slots=True)
class Fitted:
    """A mapping as arrays: the arm of each class, the bounds of each class's arm, and k - 1 by class and band."""

    shape: Shape
    arm: Ints  # [classes]
    bounds: Floats  # [arms, bands - 1]
    k: Ints  # [classes, bands]

    def outcomes(self, table: Table, labels: Ints) -> tuple[Floats, Floats]:
        """Recall and cost of every question."""
        at = np.arange(len(labels))
        arm = self.arm[labels]
        place = self.k[labels, _bands(table, self.shape, self.bounds)[arm, at]]
        return table.recall[arm, at, place], table.cost[arm, at, place]


def _bands(table: Table, shape: Shape, bounds: Floats) -> Ints:
    """The band of each question in each arm, [arms, n]."""
    if shape.signal is None:
        return np.zeros(table.recall.shape[:2], np.int64)
    values = table.signals[shape.signal]
    return np.stack([np.searchsorted(bounds[a], values[a], side="right") for a in range(len(values))])


def fixed_best(table: Table, places: Ints, price: float) -> int:
    """The k - 1 with the highest mean recall - price * cost on the chosen questions, without rewriting.

    `price` is the recall that 1,000 tokens are worth.
    """
    worth = table.recall[0, places].mean(axis=0) - price * table.cost[0, places].mean(axis=0)
    return int(worth.argmax())


def fit(table: Table, labels: Ints, places: Ints, *, shape: Shape, n_classes: int, price: float) -> Fitted:
    """The mapping of a shape that recalls as much as the best fixed k on the chosen questions, at the least cost.

    For one price of tokens each cell (class, arm, band) takes its own best k, and each class its best arm; that price
    is the highest that still reaches the recall. Where none does, the mapping with the most recall comes back.

    Args:
        table: All questions.
        labels: The class of each.
        places: Places of the questions to fit on.
        shape: What k may depend on besides the class.
        n_classes: How many classes there are.
        price: Recall that 1,000 tokens are worth, by which the fixed k is the best.
    """
    target = float(table.recall[0, places, fixed_best(table, places, price)].mean())
    bounds = _bounds(table, shape, places)
    cells = _cells(table, labels, places, _bands(table, shape, bounds)[:, places], shape=shape, n_classes=n_classes)
    worth = cells.recall - PRICES[:, None, None, None, None] * cells.cost  # [prices, classes, arms, bands, k]
    k = worth.argmax(axis=4)
    arm = (np.take_along_axis(worth, k[..., None], 4)[..., 0] * cells.share).sum(axis=3).argmax(axis=2)
    row = np.take_along_axis(k, arm[..., None, None], 2)[:, :, 0]  # [prices, classes, bands]
    at = np.ix_(np.arange(n_classes), np.arange(shape.n_bands))
    recall = cells.recall_sum[at[0], arm[..., None], at[1], row].sum(axis=(1, 2)) / len(places)
    cost = cells.cost_sum[at[0], arm[..., None], at[1], row].sum(axis=(1, 2)) / len(places)
    reached = np.flatnonzero(recall >= target - 1e-12)
    best = int(reached[cost[reached].argmin()]) if len(reached) else int(recall.argmax())
    return Fitted(shape, arm[best], bounds, row[best])


@dataclass(frozen=True, slots=True)
class Cells:
    """What each (class, arm, band, k) brings: estimated per question, and summed over the questions that fell there.

    recall, cost: [classes, arms, bands, MAX_K], means drawn towards those of the band, whatever the class.
    recall_sum, cost_sum: the same as plain sums. share: [classes, arms, bands], of the questions of a class.
    """

    recall: Floats
    cost: Floats
    recall_sum: Floats
    cost_sum: Floats
    share: Floats


def _bounds(table: Table, shape: Shape, places: Ints) -> Floats:
    """Quantiles of the signal on the chosen questions, for each arm."""
    if shape.signal is None:
        return np.zeros((len(table.rewrites), 0))
    parts = np.arange(1, shape.n_bands) / shape.n_bands
    return np.stack([np.quantile(row[places], parts) for row in table.signals[shape.signal]])


def _cells(table: Table, labels: Ints, places: Ints, bands: Ints, *, shape: Shape, n_classes: int) -> Cells:
    """The cells of the chosen questions; where the class does not count, every class has its band's estimates."""
    sizes = (n_classes, len(table.rewrites), shape.n_bands)
    recall, cost, recall_sum, cost_sum = (np.zeros((*sizes, MAX_K)) for _ in range(4))
    share = np.zeros(sizes)
    for a in range(sizes[1]):
        for b in range(shape.n_bands):
            here = bands[a] == b
            mine = places[here] if here.any() else places
            whole_recall, whole_cost = table.recall[a, mine].mean(axis=0), table.cost[a, mine].mean(axis=0)
            for c in range(n_classes):
                cell = places[here & (labels[places] == c)]
                recall_sum[c, a, b] = table.recall[a, cell].sum(axis=0)
                cost_sum[c, a, b] = table.cost[a, cell].sum(axis=0)
                n = len(cell) if shape.by_class else 0
                recall[c, a, b] = (recall_sum[c, a, b] if n else 0.0) + SHRINK * whole_recall
                cost[c, a, b] = (cost_sum[c, a, b] if n else 0.0) + SHRINK * whole_cost
                recall[c, a, b], cost[c, a, b] = recall[c, a, b] / (n + SHRINK), cost[c, a, b] / (n + SHRINK)
                share[c, a, b] = n + SHRINK * len(mine) / len(places)
    return Cells(recall, cost, recall_sum, cost_sum, share / share.sum(axis=2, keepdims=True))


def shape_best(
    table: Table, labels: Ints, groups: Sequence[Hashable], places: Ints, *, n_classes: int, price: float, seed: int
) -> Shape:
    """The shape whose mappings do best on questions held out of the chosen ones: recall - price * cost."""
    folds = np.asarray(folds_by_group([groups[i] for i in places], n_folds=INNER_FOLDS, seed=seed))
    worth = []
    for shape in SHAPES:
        total = 0.0
        for fold in range(INNER_FOLDS):
            inner, outer = places[folds != fold], places[folds == fold]
            if not len(inner) or not len(outer):
                continue
            fitted = fit(table, labels, inner, shape=shape, n_classes=n_classes, price=price)
            recall, cost = fitted.outcomes(table, labels)
            total += float((recall[outer] - price * cost[outer]).sum())
        worth.append(total)
    return SHAPES[int(np.argmax(worth))]
