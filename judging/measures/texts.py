"""Answers beside a reference: silly baselines of words and length."""

import math
from collections import Counter
from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from judging.measures.quotations import words
from judging.measures.values import Undefined, Value

ORDER = 4  # BLEU's n-grams, 1 to ORDER words
NO_REFERENCE = Undefined("there is no reference answer")
NO_ANSWER = Undefined("there is no answer")


def length(answer: str) -> float:
    """Words of the answer."""
    return float(len(words(answer)))


def bleu(answer: str, reference: str) -> Value:
    """BLEU-4 of one answer, 0 to 1: geometric mean of clipped n-gram precisions, times the brevity penalty.

    Precisions of two words and more are (matches + 1) / (n-grams + 1), so that a short answer is not 0 for want of a
    four-word match; an answer without a word of the reference is 0.

    Source: Papineni et al. 2002; smoothing of Lin and Och 2004. Differs: one reference; words as in `quotations.words`.
    """
    answer_words, expected = words(answer), words(reference)
    if not answer_words or not expected:
        return NO_ANSWER if expected else NO_REFERENCE
    logs = []
    for order in range(1, ORDER + 1):
        grams, expected_grams = _grams(answer_words, order), _grams(expected, order)
        smoothing = int(order > 1)
        matches = (grams & expected_grams).total() + smoothing
        if not matches:
            return 0.0
        logs.append(math.log(matches / (grams.total() + smoothing)))
    brevity = min(0.0, 1 - len(expected) / len(answer_words))
    return math.exp(brevity + sum(logs) / ORDER)


def token_f1(answer: str, reference: str) -> Value:
    """F1 of the words that answer and reference share, each as often as both have it, 0 to 1.

    Source: Rajpurkar et al. 2016, SQuAD. Differs: articles count; words as in `quotations.words`.
    """
    answer_words, expected = words(answer), words(reference)
    if not answer_words or not expected:
        return NO_ANSWER if expected else NO_REFERENCE
    shared = (Counter(answer_words) & Counter(expected)).total()
    return 2 * shared / (len(answer_words) + len(expected))


def rouge_l(answer: str, reference: str) -> Value:
    """ROUGE-L: F1 of the longest common subsequence of words, 0 to 1; two texts of 100,000 characters take a second.

    Source: Lin 2004 with beta 1. Differs: no stemming; words as in `quotations.words`.
    """
    answer_words, expected = words(answer), words(reference)
    if not answer_words or not expected:
        return NO_ANSWER if expected else NO_REFERENCE
    ids: dict[str, int] = {}
    one, other = ([ids.setdefault(word, len(ids)) for word in text] for text in (answer_words, expected))
    return 2 * LCSseq.similarity(one, other) / (len(one) + len(other))


def _grams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[at:] for at in range(order)), strict=False))
