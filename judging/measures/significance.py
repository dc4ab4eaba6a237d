"""Tests of several methods on the same questions, as CBR-RAG (section 6.3) has them."""

from collections.abc import Sequence

from judging.measures.comparison import NO_QUESTION
from judging.measures.values import Undefined, Value

SAME = Undefined("no question differs")


def anova(methods: Sequence[Sequence[float]]) -> Value:
    """p-value of the one-way analysis of variance: whether any method's mean differs from the others'.

    Source: scipy's `f_oneway`.

    Raises:
        ValueError: fewer than two methods.
    """
    from scipy import stats

    if len(methods) < 2:
        raise ValueError(f"There are {len(methods)} methods; give at least two.")
    if any(len(values) < 2 for values in methods):
        return NO_QUESTION
    if len({value for values in methods for value in values}) == 1:
        return SAME
    return float(stats.f_oneway(*methods).pvalue)


def paired_t(ours: Sequence[float], theirs: Sequence[float]) -> Value:
    """One-tailed p-value of the paired t-test that ours is greater, on the same questions in the same order.

    Below 0.05 the difference is significant at the 95 % level, below 0.10 at the 90 % level.

    Source: scipy's `ttest_rel`.

    Raises:
        ValueError: not the same questions.
    """
    from scipy import stats

    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} and {len(theirs)} values are not of the same questions.")
    if len(ours) < 2:
        return NO_QUESTION
    differences = {round(one - other, 12) for one, other in zip(ours, theirs, strict=True)}
    if len(differences) == 1:  # no spread, so t has no finite value
        (difference,) = differences
        return SAME if difference == 0 else float(difference < 0)
    return float(stats.ttest_rel(ours, theirs, alternative="greater").pvalue)
