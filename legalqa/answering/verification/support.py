"""Claim against cited text: the numbers must stand there, and enough of the words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from corpora.stopwords import STOP_WORDS as STOP_WORDS_BY_LANGUAGE

MIN_OVERLAP = 0.6  # ours: share of the claim's content words that the evidence holds
PARTLY_OVERLAP = 0.4

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_WORDS_FOR_NUMBERS = {
    word: str(n)
    for n, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
        ]
    )
} | {
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "ninety": "90",
    "hundred": "100",
}
_STOP_WORDS = STOP_WORDS_BY_LANGUAGE["english"]
_NEGATIONS = frozenset({"not", "no", "never", "neither", "nor", "without", "unless", "except"})


@dataclass(frozen=True, slots=True)
class Check:
    """What the checks say of one claim; `reasons` are sentences for people."""

    verdict: str  # supported, partly, unsupported
    overlap: float
    reasons: tuple[str, ...]


def claim_check(claim: str, evidence: Sequence[str]) -> Check:
    """Check a claim against the texts it cites.

    A quotation is supported. Otherwise every number of the claim must stand in the evidence, in digits or words, a
    negation may not be lost or won, and at least MIN_OVERLAP of its content words must stand there.

    Args:
        claim: One sentence.
        evidence: The cited texts; at least one for anything but `unsupported`.

    Source: Policy Copilot, claim verification (token overlap, numeric check). Differs: numbers in words, negation.
    """
    if not any(text.strip() for text in evidence):
        return Check("unsupported", 0.0, ("No evidence is cited.",))
    joined = " ".join(evidence)
    if _flat(claim) in _flat(joined):
        return Check("supported", 1.0, ("The words stand in the document.",))
    missing = sorted(_numbers(claim) - _numbers(joined))
    if missing:
        return Check("unsupported", 0.0, (f"The evidence does not hold the number {missing[0]}.",))
    wanted = _content(claim)
    overlap = len(wanted & _content(joined)) / len(wanted) if wanted else 0.0
    if _is_negated(claim) != _is_negated(joined) and overlap < 1.0:
        return Check("unsupported", overlap, ("A negation stands in one of claim and evidence only: not verified.",))
    if overlap >= MIN_OVERLAP:
        return Check("supported", overlap, (f"{overlap:.0%} of its words stand in the evidence.",))
    verdict = "partly" if overlap >= PARTLY_OVERLAP else "unsupported"
    return Check(verdict, overlap, (f"Only {overlap:.0%} of its words stand in the evidence.",))


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[“”\"‘’']", "", text).lower().split())


def _numbers(text: str) -> set[str]:
    digits = {found.replace(",", "").rstrip(".") for found in _NUMBER.findall(text)}
    return digits | {_WORDS_FOR_NUMBERS[w] for w in _WORD.findall(text.lower()) if w in _WORDS_FOR_NUMBERS}


def _content(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS and len(word) > 2}


def _is_negated(text: str) -> bool:
    return bool(_NEGATIONS & set(_WORD.findall(text.lower())))
