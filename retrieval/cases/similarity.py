"""How alike a question and a case are: the weightings of CBR-RAG (section 4.2, equations 1 to 3)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Weights = tuple[float, float, float]

# Of f(Q), g(S) and g(E), as section 6 of the paper names them.
WEIGHTINGS: Final[dict[str, Weights]] = {
    "question": (1.0, 0.0, 0.0),
    "support": (0.0, 1.0, 0.0),
    "entities": (0.0, 0.0, 1.0),
    "hybrid": (0.25, 0.40, 0.35),
    # Ours: the best F1@3, in steps of a tenth, on ObliQA's questions outside the test split, which no figure uses.
    "chosen": (0.2, 0.7, 0.1),
}
# Ours: the share of the weights below which a case is not like a question. Of pairs of a question and a case on one
# document, with no provision in common, 9 in 10 lie below it, and 38 in 100 of those with one (packaged encoder,
# weights in use, the packaged reader's training questions `laws_train` and `questions_train`).
FLOOR: Final = 0.37
KS: Final = (1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # section 6.2


def scores(question: Floats, support: Floats, entities: Floats, *, weights: Weights) -> Floats:
    """The similarity of every case (equation 3); with one weight alone, equations 1 and 2.

    Args:
        question: Cosines of f(Q) with f of each case's question, [n] or [q, n]; NaN where a case has no such part.
        support: Of g(Q) with g(S).
        entities: Of g(Q) with g(E).
        weights: Of the three. A part that a case lacks adds nothing (ours).
    """
    parts = np.nan_to_num(np.stack([question, support, entities]), nan=0.0)
    return np.asarray(np.tensordot(np.asarray(weights, np.float32), parts, axes=1), np.float32)


def best(similarities: Floats, *, k: int) -> list[int]:
    """The places of the k most similar cases, best first, ties by place."""
    return [int(place) for place in np.argsort(-np.round(similarities, 6), kind="stable")[:k]]


def nearest_neighbours(vectors: Floats) -> Floats:
    """The cosine of each of n > 1 unit vectors with its nearest neighbour (figure 4), [n]."""
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1.0)
    return np.asarray(cosines.max(axis=1), np.float32)


def f1_at(ranked: list[int], relevant: set[int], *, k: int) -> float:
    """F1 of the first k against the relevant ones (section 6.2)."""
    n_hits = len(set(ranked[:k]) & relevant)
    return 2 * n_hits / (min(k, len(ranked)) + len(relevant)) if ranked and relevant else 0.0
