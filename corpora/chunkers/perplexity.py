"""Chunks that end behind a sentence that a language model expected more than those around it."""

from collections.abc import Sequence
from itertools import pairwise

from corpora.chunkers.margin import MarginChunker


class PerplexityChunker(MarginChunker):
    """Splits behind sentences of least perplexity, then merges neighbours up to the target length.

    A sentence's perplexity is exp of the mean negative log-probability of its tokens, given the text before it. Behind
    a sentence whose perplexity is below that of both neighbours, by more than `threshold` on one side at least, or
    below the one before by more than that and level with the next, a piece ends.

    Source: Zhao et al. 2024, Meta-Chunking, section 3.2 (perplexity chunking) and 3.3 (dynamic combination); PathLex
        9.3, where pieces of 30 tokens on average find little without the second. Differs: the first sentence of a
        section has nothing before it and ends no piece by this rule; one that was not scored neither.
    """

    __slots__ = ()

    def splits(self, values: Sequence[float | None]) -> list[int]:
        """The units that begin a piece, by the perplexities of all units but the first."""
        theta = self.config.threshold
        starts = []
        for at, ((left, here), (_, right)) in enumerate(pairwise(pairwise(values)), start=3):
            if left is None or here is None or right is None:
                continue
            is_least = here < left and here < right and max(left - here, right - here) > theta
            if is_least or (left - here > theta and right == here):
                starts.append(at)
        return starts
