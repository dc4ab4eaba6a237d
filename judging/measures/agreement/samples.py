"""Rows of ratings as distinct patterns, counted by question, so that many samples are measured at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sample:
    """Distinct rows, and how often each question has each.

    Attributes:
        patterns: [p, width].
        counts: [questions, p].
    """

    patterns: Floats
    counts: sparse.csr_array

    @classmethod
    def of(cls, rows: Sequence[Sequence[float]], questions: Sequence[int], *, n_questions: int) -> Self:
        """Rows of one width, with the place of each row's question."""
        patterns, at = np.unique(np.asarray(rows, np.float64), axis=0, return_inverse=True)
        ones = (np.ones(len(rows)), (np.asarray(questions), at.reshape(-1)))
        return cls(patterns, sparse.csr_array(ones, shape=(n_questions, len(patterns))))

    def counted(self, draws: Floats) -> Floats:
        """How often each pattern occurs where questions are drawn so often: [draws, questions] to [draws, p]."""
        return np.asarray(draws @ self.counts, np.float64)


def shares(places: Places, n_places: int) -> sparse.csr_array:
    """What adds up the patterns of each place, [patterns, places]."""
    return sparse.csr_array((np.ones(len(places)), (np.arange(len(places)), places)), shape=(len(places), n_places))


def divided(above: Floats, below: Floats, *, where: NDArray[np.bool_]) -> Floats:
    """The quotient where it is defined, and NaN elsewhere; NaN never leaves this package."""
    quotient = np.full(np.broadcast(above, below).shape, np.nan)
    np.divide(above, below, out=quotient, where=where)
    return quotient
