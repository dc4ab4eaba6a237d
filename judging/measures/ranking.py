"""How well a ranking holds the passages that people marked: rank counted from 1, ids compared as they are."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from judging.measures.values import Undefined, Value

NO_GOLD = Undefined("no passage is marked as relevant")


def hit_at(ranked: Sequence[str], gold: Collection[str], k: int) -> Value:
    """1 if a gold passage is in the first k, else 0; undefined without gold.

    Raises:
        ValueError: k < 1, or a passage is ranked twice.
    """
    return float(_found(ranked, gold, k) > 0) if gold else NO_GOLD


def recall_at(ranked: Sequence[str], gold: Collection[str], k: int) -> Value:
    """Share of the gold passages that are in the first k, 0 to 1; undefined without gold.

    Raises:
        ValueError: as `hit_at`.
    """
    return _found(ranked, gold, k) / len(set(gold)) if gold else NO_GOLD


def precision_at(ranked: Sequence[str], gold: Collection[str], k: int) -> Value:
    """Gold passages in the first k, over k, 0 to 1; undefined without gold.

    A ranking shorter than k is divided by k all the same, as trec_eval does: places left empty are wasted.

    Raises:
        ValueError: as `hit_at`.
    """
    return _found(ranked, gold, k) / k if gold else NO_GOLD


def reciprocal_rank(ranked: Sequence[str], gold: Collection[str]) -> Value:
    """1 over the rank of the first gold passage, 0 where none was found; undefined without gold.

    Stops at the first: adding 1/rank for every hit can pass 1.
    """
    if not gold:
        return NO_GOLD
    return next((1.0 / rank for rank, passage in enumerate(_once(ranked), start=1) if passage in set(gold)), 0.0)


def average_precision(ranked: Sequence[str], gold: Collection[str]) -> Value:
    """Mean over the gold passages of the precision at their ranks, 0 for those not found; undefined without gold.

    Source: trec_eval's `map`.
    """
    if not gold:
        return NO_GOLD
    relevant, n_found, total = set(gold), 0, 0.0
    for rank, passage in enumerate(_once(ranked), start=1):
        if passage in relevant:
            n_found += 1
            total += n_found / rank
    return total / len(relevant)


def ndcg_at(ranked: Sequence[str], grades: Mapping[str, float], k: int) -> Value:
    """Discounted gain of the first k over that of the best order, 0 to 1; undefined where no grade is above 0.

    A passage of grade g at rank r gains g / log2(r + 1); one without a grade gains nothing.

    Args:
        ranked: Passages, best first, each once.
        grades: Grade >= 0 of each judged passage.
        k: Places that count, > 0.

    Raises:
        ValueError: k < 1, a passage is ranked twice, or a grade is negative.

    Source: Järvelin and Kekäläinen's DCG with linear gain, as in trec_eval's `ndcg_cut`.
    """
    if any(grade < 0 for grade in grades.values()):
        raise ValueError("A grade is below 0; give 0 to what is not relevant.")
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    if not best:
        return NO_GOLD
    gained = [grades.get(passage, 0.0) for passage in _first(ranked, k)]
    return _discounted(gained) / _discounted(best[:k])


def _discounted(gains: Sequence[float]) -> float:
    return float(np.sum(np.asarray(gains, np.float64) / np.log2(np.arange(2, len(gains) + 2))))


def _found(ranked: Sequence[str], gold: Collection[str], k: int) -> int:
    return len(set(_first(ranked, k)) & set(gold))


def _first(ranked: Sequence[str], k: int) -> Sequence[str]:
    if k < 1:
        raise ValueError(f"The cutoff is {k}; look at one place at least.")
    return _once(ranked)[:k]


def _once(ranked: Sequence[str]) -> Sequence[str]:
    if len(set(ranked)) < len(ranked):
        raise ValueError("A passage is ranked twice; a ranking holds each once.")
    return ranked
