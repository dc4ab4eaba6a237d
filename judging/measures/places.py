"""Position bias of a judge who compares two answers: how the place of an answer changes its chance to win.

Source: Wang et al. 2023, Large Language Models are not Fair Evaluators, 3.1 (conflict rate); Zheng et al. 2023, 3.3.
"""

from collections.abc import Sequence

FIRST, SECOND, CONFLICT = "wins shown first", "wins shown second", "orders disagree"
Pair = tuple[float, float]


def places(first_order: Sequence[Pair], second_order: Sequence[Pair]) -> list[dict[str, float]]:
    """What each of two answers wins in either place, and whether the two orders name different winners.

    Args:
        first_order: Scores of the two answers in the order (first, second), one a sample; at least one.
        second_order: The same with the second answer shown first, exchanged back.

    Returns:
        For each answer FIRST and SECOND (1 won, 0.5 tie, 0 lost, by the mean inside the order) and CONFLICT (1 or 0).
    """
    as_shown, exchanged = (_won(order) for order in (first_order, second_order))
    conflict = float(as_shown != exchanged)
    return [
        {FIRST: as_shown, SECOND: exchanged, CONFLICT: conflict},
        {FIRST: 1 - exchanged, SECOND: 1 - as_shown, CONFLICT: conflict},
    ]


def _won(order: Sequence[Pair]) -> float:
    """1 where the first answer has the higher sum over the samples, 0.5 for equal sums."""
    difference = sum(first - second for first, second in order)
    return 0.5 if difference == 0 else float(difference > 0)
