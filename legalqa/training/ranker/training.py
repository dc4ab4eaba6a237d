"""Training the evidence ranker and its calibrated probability on public collections.

The order is learned listwise: the softmax over the candidates of a question should fall on its gold passages (ListNet's
top-one loss). Weights that speak for a passage may not turn against it: with collections as unlike as rules, contracts
and news, that bound is what lets a model hold on a collection that it has not seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from legalqa.encoder import client as encoder
from legalqa.training.collections.corpus import vectors_of
from legalqa.training.collections.questions import LabelledQuestion, QuestionSet
from legalqa.training.ranker.boosting import trees_grow
from retrieval.rerankers.features import NAMES, features
from retrieval.rerankers.model import FIRST, Linear, RankerModel, confidence_features
from retrieval.rerankers.trees import Trees, looked_at

SEED = 144
LISTED = 40  # ours: candidates of a question that training reads; a gold one below them teaches little
L2_ORDER, L2_CONFIDENCE = 1e-2, 2e-3
PULL = 20.0  # ours: questions' worth of penalty towards a known model; at 2,000 questions as weak as L2_ORDER
TREES_FROM = 800  # ours: with fewer questions, trees learn them by heart
GROWN = 60  # ours: candidates of a question that trees learn from
# Small collections, and the one that is not law, weigh less.
SET_WEIGHTS = {"policy_copilot": 0.3, "wice": 0.5}

FALLING = frozenset({"rank_bm25", "rank_title", "rank_near", "rank_dense", "rank_fusion", "is_title"})
FREE, LEFT_OUT = frozenset({"length"}), frozenset({"question_length"})

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Examined:
    """A question after the search: its candidates with their features."""

    question: LabelledQuestion
    collection: str
    candidates: NDArray[np.int64]
    features: Values
    baseline: tuple[int, ...]
    fusion_score: float

    @property
    def labels(self) -> Values:
        """1 for gold candidates, else 0."""
        return np.isin(self.candidates, np.array(self.question.gold, np.int64)).astype(np.float64)

    @property
    def is_answerable(self) -> bool:
        return bool(self.question.gold)

    def ranked(self, model: RankerModel) -> NDArray[np.int64]:
        """The candidates by a model, best first."""
        return np.asarray(self.candidates[np.argsort(-model.scores(self.features), kind="stable")])


def examine(question_set: QuestionSet, *, name: str = encoder.NAME) -> list[Examined]:
    """Search for every question of a collection; `name` is the encoder that the corpus's vectors are by."""
    vectors = vectors_of([question.text for question in question_set.questions], name=name)
    examined = []
    for question, vector in zip(question_set.questions, vectors, strict=True):
        pool, baseline = question_set.corpus.pool(question.text, vector, allowed=question.allowed)
        if pool.ranking.hits:
            examined.append(
                Examined(
                    question,
                    question_set.name,
                    np.array([hit.chunk_id for hit in pool.ranking.hits], np.int64),
                    features(pool),
                    tuple(hit.chunk_id for hit in baseline.hits),
                    pool.ranking.hits[0].score,
                )
            )
    return examined


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Examined questions by collection."""

    examined: Mapping[str, Sequence[Examined]]

    def without(self, collection: str) -> "TrainingData":
        """The same without one collection."""
        return TrainingData({name: rows for name, rows in self.examined.items() if name != collection})


def ranker_train(
    data: TrainingData, *, provenance: Mapping[str, object], towards: RankerModel | None = None
) -> RankerModel:
    """Train order and probability; deterministic.

    With `towards`, weights begin at that model's and are held near them, as strongly as PULL questions would: a site
    with fifty questions mostly keeps what was learned on thousands of others, one with thousands goes its own way.
    The penalty is PULL / n · |w - w0|² over n questions, on that model's scales, and never below the usual L2.
    From TREES_FROM questions on, trees over the features and the linear order have the last word.

    Args:
        data: At least one collection.
        provenance: Kept with the model.
        towards: The model to begin from: `data` are the questions of one site.
    """
    order = _fit_order(data, towards.order if towards else None)
    trees = _fit_trees(data, order) if towards else None
    model = RankerModel(order, order, provenance, trees)
    # Scores of trees are of another scale than those that the known model's probability was learned on.
    confidence = towards.confidence if towards and trees is None else None
    return replace(model, confidence=_fit_confidence(data, model, confidence))


def _fit_trees(data: TrainingData, order: Linear) -> Trees | None:
    """Trees over how each of a question's first candidates stands out; None if there are too few questions."""
    useful = [e for examined in data.examined.values() for e in examined if e.labels[:GROWN].any()]
    if len(useful) < TREES_FROM:
        return None
    rows = [looked_at(e.features, order.score(e.features), n=len(NAMES))[:GROWN] for e in useful]
    return trees_grow(np.concatenate(rows), np.concatenate([e.labels[:GROWN] for e in useful]), seed=SEED)


def _fit_order(data: TrainingData, towards: Linear | None) -> Linear:
    stacked, labels, starts, weights = [], [], [], []
    n_rows = 0
    for name, examined in data.examined.items():
        useful = [e for e in examined if 0 < e.labels[:LISTED].sum() < len(e.labels[:LISTED])]
        for one in useful:
            gold = one.labels[:LISTED]
            stacked.append(one.features[:LISTED, : len(NAMES)])
            labels.append(gold / gold.sum())
            starts.append(n_rows)
            weights.append(SET_WEIGHTS.get(name, 1.0) / len(useful))
            n_rows += len(gold)
    if not stacked and towards is not None:  # nothing to tell apart: every list is all gold or none of it
        return towards
    return _listwise(np.concatenate(stacked), np.concatenate(labels), np.array(starts), np.array(weights), towards)


def _listwise(
    rows: Values, labels: Values, starts: NDArray[np.int64], weights: Values, towards: Linear | None
) -> Linear:
    from scipy.optimize import minimize

    means, scales = (rows.mean(axis=0), rows.std(axis=0) + 1e-6) if towards is None else (towards.means, towards.scales)
    scaled = (rows - means) / scales
    first = np.zeros(len(NAMES)) if towards is None else towards.weights
    l2 = _pull(L2_ORDER, len(starts), towards)
    share = weights / weights.sum()
    question = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(rows))))

    def loss(w: Values) -> tuple[float, Values]:
        scores = scaled @ w
        scores -= np.maximum.reduceat(scores, starts)[question]
        exps = np.exp(scores)
        totals = np.add.reduceat(exps, starts)
        fit = share @ (np.add.reduceat(labels * scores, starts) - np.log(totals))
        slope = scaled.T @ ((labels - exps / totals[question]) * share[question])
        apart = w - first
        return float(-fit + l2 * apart @ apart), 2 * l2 * apart - slope

    bounds = [_bound(name) for name in NAMES]
    optimum = minimize(loss, first, jac=True, method="L-BFGS-B", bounds=bounds)
    return Linear(optimum.x, means, scales, 0.0)


def _pull(l2: float, n: int, towards: Linear | None) -> float:
    """The weight of the penalty: as with the collections, or more towards a known model where questions are few."""
    return l2 if towards is None else max(l2, PULL / max(1, n))


def _bound(name: str) -> tuple[float | None, float | None]:
    if name in LEFT_OUT:
        return 0.0, 0.0
    if name in FREE:
        return None, None
    return (None, 0.0) if name in FALLING else (0.0, None)


def is_found(one: Examined, model: RankerModel) -> bool:
    """Whether a gold passage is among the first FIRST by the model."""
    return one.is_answerable and not set(one.question.gold).isdisjoint(one.ranked(model)[:FIRST].tolist())


def _fit_confidence(data: TrainingData, model: RankerModel, towards: Linear | None) -> Linear:
    """The chance of a gold passage among the first FIRST."""
    parts = []
    for name, examined in data.examined.items():
        labels = np.array([float(is_found(e, model)) for e in examined])
        weights = np.full(len(labels), SET_WEIGHTS.get(name, 1.0) / len(labels))
        measured = np.array([confidence_features(e.features, model.scores(e.features)) for e in examined])
        parts.append((measured, labels, weights))
    n = sum(len(labels) for _, labels, _ in parts)
    return _logistic(parts, _pull(L2_CONFIDENCE, n, towards), towards)


def _logistic(parts: Sequence[tuple[Values, Values, Values]], l2: float, towards: Linear | None) -> Linear:
    """Logistic regression by L-BFGS-B; L2 towards zero, or towards a model's weights."""
    from scipy.optimize import minimize

    rows, labels, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    means, scales = (rows.mean(axis=0), rows.std(axis=0) + 1e-9) if towards is None else (towards.means, towards.scales)
    scaled = np.column_stack([(rows - means) / scales, np.ones(len(rows))])
    share = weights / weights.sum()
    first = np.zeros(scaled.shape[1]) if towards is None else np.append(towards.weights, towards.bias)

    def loss(w: Values) -> tuple[float, Values]:
        odds = scaled @ w
        slope = scaled.T @ (share * (1.0 / (1.0 + np.exp(-odds)) - labels))
        shift = np.append((w - first)[:-1], 0.0 if towards is None else w[-1] - first[-1])
        return float(share @ (np.logaddexp(0.0, odds) - labels * odds) + l2 * shift @ shift), slope + 2 * l2 * shift

    fit = minimize(loss, first, jac=True, method="L-BFGS-B")
    return Linear(fit.x[:-1], means, scales, float(fit.x[-1]))
