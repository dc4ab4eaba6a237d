"""How steeply a ranking falls, and into which band that puts it."""

from collections.abc import Sequence
from typing import Literal

from retrieval.types import Hit

Signal = Literal["top", "drop"]
NEXT = 5  # ours: hits after the best one that say how steeply a ranking falls


def stage_scores(hits: Sequence[Hit], stage: str) -> list[float]:
    """The scores that a stage gave to the first hits, in their order; it ends at the first hit without one."""
    scores = []
    for hit in hits:
        score = hit.part(f"{stage}.score")
        if score is None:
            break
        scores.append(score)
    return scores


def ranking_signal(scores: Sequence[float], signal: Signal) -> float:
    """How steeply a ranking falls: the best score, or that minus the mean of the next five; 0 for an empty ranking.

    Args:
        scores: Of the hits, best first; the last one stands for those that are missing.
        signal: "top" or "drop".
    """
    if not scores:
        return 0.0
    if signal == "top":
        return float(scores[0])
    following = [scores[min(place, len(scores) - 1)] for place in range(1, NEXT + 1)]
    return float(scores[0]) - sum(following) / NEXT


def band_of(value: float, bounds: Sequence[float]) -> int:
    """The band that a signal falls into, 0 below the first bound; a value on a bound belongs to the band above."""
    return sum(value >= bound for bound in bounds)
