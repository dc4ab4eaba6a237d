"""RAGAS's measures as arithmetic over a judge's verdicts, made apart from any model.

A verdict is True, False, or None where the judge gave none for that statement or passage. One verdict missing makes the
measure undefined: a judge that skips what is hard must not raise a score.

Source: Es et al. 2024, as in ragas 0.4.3. Differs: ragas divides by the verdicts that came back, gives NaN or 1 where
there is no statement, and 0 where no passage is useful.
"""

from collections.abc import Sequence

import numpy as np

from judging.measures.values import Undefined, Value

Verdicts = Sequence[bool | None]

NO_STATEMENT = Undefined("the answer makes no statement")
NO_REFERENCE = Undefined("the reference answer makes no statement")
NOTHING_RETRIEVED = Undefined("nothing was retrieved")
NO_QUESTION = Undefined("no question was made back from the answer")


def faithfulness(verdicts: Verdicts, *, n_retrieved: int) -> Value:
    """Share of the answer's statements that follow from the retrieved passages, 0 to 1.

    Args:
        verdicts: Of each statement.
        n_retrieved: How many passages the judge read; without any, as for an answer from the prompt alone, no value.
    """
    return _share(verdicts, NO_STATEMENT) if n_retrieved else NOTHING_RETRIEVED


def answer_relevancy(cosines: Sequence[float], noncommittal: Sequence[bool]) -> Value:
    """Mean cosine of the question and the questions made back from the answer; 0 where every one is flagged evasive.

    Args:
        cosines: -1 to 1, of each question that was made; a blank one is left out by the caller.
        noncommittal: The flag of each.

    Raises:
        ValueError: not one flag for each cosine.

    Source: ragas after its change of September 2025 (before, one flag sufficed). It depends on the embedding model.
    """
    if len(cosines) != len(noncommittal):
        raise ValueError(f"{len(noncommittal)} flags do not go with {len(cosines)} cosines; give one for each.")
    if not cosines:
        return NO_QUESTION
    return 0.0 if all(noncommittal) else float(np.mean(cosines))


def context_precision_ranking(verdicts: Verdicts) -> Value:
    """How well useful passages are ranked: the mean of precision@k over the ranks k of useful ones; 0 where none is.

    One useful passage first of ten gives 1. Undefined where nothing was retrieved.

    Args:
        verdicts: Whether each passage was useful, best rank first.
    """
    if (nothing := _missing(verdicts, NOTHING_RETRIEVED)) is not None:
        return nothing
    useful = np.asarray(verdicts, np.float64)
    precision = np.cumsum(useful) / np.arange(1, len(useful) + 1)
    return float((precision * useful).sum() / max(useful.sum(), 1.0))


def context_precision_share(verdicts: Verdicts) -> Value:
    """Share of the retrieved passages that were useful; undefined where nothing was retrieved."""
    return _share(verdicts, NOTHING_RETRIEVED)


def context_recall(verdicts: Verdicts, *, n_retrieved: int) -> Value:
    """Share of the reference answer's statements that the retrieved passages hold; undefined without either."""
    return _share(verdicts, NO_REFERENCE) if n_retrieved else NOTHING_RETRIEVED


def _share(verdicts: Verdicts, nothing: Undefined) -> Value:
    if (missing := _missing(verdicts, nothing)) is not None:
        return missing
    return sum(bool(verdict) for verdict in verdicts) / len(verdicts)


def _missing(verdicts: Verdicts, nothing: Undefined) -> Undefined | None:
    if not verdicts:
        return nothing
    n = sum(verdict is None for verdict in verdicts)
    return Undefined(f"the judge gave no verdict on {n} of {len(verdicts)}") if n else None
