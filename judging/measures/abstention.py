"""How well a confidence tells right from wrong, and how honest its numbers are.

`confidences` are numbers, higher for surer; `labels` say for each whether it was true. Items of equal confidence
always go together, so that no measure depends on the order in which they were given.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judging.measures.values import Undefined, Value

ONE_LABEL = Undefined("all labels are the same")
NO_ITEMS = Undefined("no items")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Neighbours by confidence: their number, mean confidence, and the share that is true."""

    n: int
    confidence: float
    share: float


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Answering everything of at least `threshold`: the share answered, and the share of it that is wrong."""

    threshold: float
    coverage: float
    risk: float


def auc(confidences: Sequence[float], labels: Sequence[bool]) -> Value:
    """Chance that a true item has a higher confidence than a false one, ties counting one half.

    Returns:
        0 to 1, 0.5 by chance; undefined where all labels are the same.

    Source: scikit-learn's `roc_auc_score`.
    """
    from sklearn.metrics import roc_auc_score

    scores, truth = _arrays(confidences, labels)
    return ONE_LABEL if truth.all() or not truth.any() else float(roc_auc_score(truth, scores))


def balanced_accuracy(confidences: Sequence[float], labels: Sequence[bool], *, threshold: float) -> Value:
    """Mean of the shares of true items at or above the threshold and of false ones below it.

    Args:
        confidences: One a question, on any scale.
        labels: Whether each item is true.
        threshold: On the scale of the confidences.

    Returns:
        0 to 1, 0.5 by chance; undefined where all labels are the same.

    Source: scikit-learn's `balanced_accuracy_score`.
    """
    from sklearn.metrics import balanced_accuracy_score

    scores, truth = _arrays(confidences, labels)
    if truth.all() or not truth.any():
        return ONE_LABEL
    return float(balanced_accuracy_score(truth, scores >= threshold))


def best_threshold(confidences: Sequence[float], labels: Sequence[bool]) -> Value:
    """The threshold of the highest balanced accuracy on these items, for use on others; the lowest of equals."""
    scores, truth = _arrays(confidences, labels)
    if truth.all() or not truth.any():
        return ONE_LABEL
    thresholds, places = np.unique(scores, return_inverse=True)
    true_at = np.bincount(places, weights=truth, minlength=len(thresholds))
    false_at = np.bincount(places, weights=~truth, minlength=len(thresholds))
    true_above = np.cumsum(true_at[::-1])[::-1] / true_at.sum()
    false_below = (np.cumsum(false_at) - false_at) / false_at.sum()
    return float(thresholds[int(np.argmax(true_above + false_below))])


def reliability_bins(probabilities: Sequence[float], labels: Sequence[bool], *, bins: int = 10) -> list[ReliabilityBin]:
    """Cut the items, sorted by probability, into bins of as equal a number as can be.

    Equal probabilities stay in one bin, so there may be fewer bins than asked for, and of unlike size.

    Raises:
        ValueError: bins < 1, or a probability outside 0 to 1.
    """
    values, truth = _arrays(probabilities, labels)
    if bins < 1:
        raise ValueError(f"{bins} bins hold nothing; ask for one at least.")
    if len(values) and not (values.min() >= 0 and values.max() <= 1):
        raise ValueError("A probability is outside 0 to 1; calibrate the scores first.")
    _, runs, counts = np.unique(values, return_inverse=True, return_counts=True)
    middles = np.cumsum(counts) - counts / 2
    bin_of = (middles * bins / max(len(values), 1)).astype(int)[runs]  # a run goes where its middle is
    return [
        ReliabilityBin(int(at.sum()), float(values[at].mean()), float(truth[at].mean()))
        for number in range(bins)
        if (at := bin_of == number).any()
    ]


def calibration_error(probabilities: Sequence[float], labels: Sequence[bool], *, bins: int = 10) -> Value:
    """Mean distance between a bin's mean probability and its share of true items, weighted by its number (ECE).

    Returns:
        0 to 1, 0 for honest probabilities; undefined without items.

    Raises:
        ValueError: as `reliability_bins`.

    Source: Naeini et al. 2015. Differs: bins of equal mass instead of equal width.
    """
    reliability = reliability_bins(probabilities, labels, bins=bins)
    if not reliability:
        return NO_ITEMS
    n = sum(one.n for one in reliability)
    return sum(one.n * abs(one.confidence - one.share) for one in reliability) / n


def risk_coverage(confidences: Sequence[float], is_right: Sequence[bool]) -> list[RiskPoint]:
    """The risk at each threshold, from answering only the surest to answering all.

    Returns:
        One point for each distinct confidence, coverage rising; empty without items.
    """
    scores, truth = _arrays(confidences, is_right)
    thresholds, places = np.unique(scores, return_inverse=True)
    n = np.cumsum(np.bincount(places, minlength=len(thresholds))[::-1])
    wrong = np.cumsum(np.bincount(places, weights=~truth, minlength=len(thresholds))[::-1])
    return [
        RiskPoint(float(threshold), float(count / len(scores)), float(errors / count))
        for threshold, count, errors in zip(thresholds[::-1], n, wrong, strict=True)
    ]


def aurc(confidences: Sequence[float], is_right: Sequence[bool]) -> Value:
    """Area under the risk-coverage curve: the mean over n = 1 … N of the risk among the surest n. Less is better.

    Within a run of equal confidences the expected risk over all orders is taken: wrong items spread evenly.

    Returns:
        0 to 1; undefined without items.

    Source: Geifman and El-Yaniv 2017. Differs: ties as above.
    """
    scores, truth = _arrays(confidences, is_right)
    if not len(scores):
        return NO_ITEMS
    _, places, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    expected_wrong = np.cumsum(np.repeat(np.bincount(places, weights=~truth) / counts, counts))
    return float(np.mean(expected_wrong / np.arange(1, len(scores) + 1)))


def _arrays(confidences: Sequence[float], labels: Sequence[bool]) -> tuple[Floats, NDArray[np.bool_]]:
    scores, truth = np.asarray(confidences, np.float64), np.asarray(labels, np.bool_)
    if scores.shape != truth.shape:
        raise ValueError(f"{len(scores)} confidences do not go with {len(truth)} labels; give one for each.")
    if not np.isfinite(scores).all():
        raise ValueError("A confidence is not a number; leave the item out and count it as undefined.")
    return scores, truth
