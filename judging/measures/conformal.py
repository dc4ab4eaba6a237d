"""A threshold with a promise: how often an answer may be given and be wrong, over all questions."""

from collections.abc import Sequence

import numpy as np

from judging.measures.values import Undefined, Value


def risk_controlled_threshold(chances: Sequence[float], losses: Sequence[float], *, risk: float) -> Value:
    """The lowest chance that, as the threshold, keeps the expected loss of a new question at or below `risk`.

    The promise holds on average over calibration sets of questions of the same kind, which nothing was chosen on.

    Args:
        chances: Of each question, the chance of an answer; it is answered from the threshold on.
        losses: Of each question, the loss if it is answered, 0 to 1; a question that is not answered loses nothing.
        risk: Above 0, below 1: the share of all questions that may be answered and be wrong.

    Returns:
        A chance; undefined where no threshold keeps the promise.

    Raises:
        ValueError: lengths that differ, a loss outside 0 to 1, or a risk outside its range.

    Source: conformal risk control (Angelopoulos et al. 2024): (n * mean loss + 1) / (n + 1) <= risk.
    """
    values, weights = np.asarray(chances, float), np.asarray(losses, float)
    if values.shape != weights.shape or not 0 < risk < 1 or ((weights < 0) | (weights > 1)).any():
        raise ValueError("Give one loss from 0 to 1 for each chance, and a risk between 0 and 1.")
    thresholds = np.unique(values)
    lost = np.asarray([weights[values >= threshold].sum() for threshold in thresholds])
    candidates = thresholds[(lost + 1) / (len(values) + 1) <= risk]
    if not len(candidates):
        return Undefined("even the surest answers are wrong too often, or there are too few grades for this promise")
    return float(candidates[0])
