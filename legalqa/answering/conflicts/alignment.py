"""How much two sentences mean the same, word by word, if they do not use the same words.

Each word is compared with the nearest word of the other sentence, by their vectors, and counts by how near that is.
Source: Zhang et al. 2020 (BERTScore), greedy matching. Differs: the words are encoded alone, without their sentence, so
that one vector serves all sentences; they are weighted by how much they say about a subject; the result is a weight and
not a share, because two long sentences on one subject share much and yet say much else.
"""

from collections.abc import Callable
from math import exp

from legalqa.answering.conflicts.subjects import Words, weight_of_name

Likeness = Callable[[str, str], float]  # cosine of two texts
APART = 0.4  # ours: cosine of two words below which they have nothing in common
# Ours: a logistic regression on the measures of `pairs.jsonl` and of those of the first 136 of `policies.jsonl` that
# choose rules (`tests/data/conflicts`): 106 pairs of measures of one thing and 28 others.
OF_COSINE, OF_ALIGNED, BIAS = 4.27, 1.75, -4.64


def aligned(one: Words, other: Words, likeness: Likeness) -> float:
    """The weight that two sentences have in common, the mean of both directions."""
    if not one or not other:
        return 0.0
    return (_covered(one, other, likeness) + _covered(other, one, likeness)) / 2


def _covered(words: Words, others: Words, likeness: Likeness) -> float:
    return sum(weight_of_name(name) * _nearest(name, word, others, likeness) for name, word in words.items())


def _nearest(name: str, word: str, others: Words, likeness: Likeness) -> float:
    if name in others:
        return 1.0
    return max(0.0, (max(likeness(word, other) for other in others.values()) - APART) / (1 - APART))


def is_one_subject(cosine: float, weight: float) -> float:
    """How likely two measures are about one thing, by the cosine of their sentences and their `aligned` weight."""
    return 1 / (1 + exp(-(OF_COSINE * cosine + OF_ALIGNED * weight + BIAS)))
