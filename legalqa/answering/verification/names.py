"""Proper names and addresses: a claim names nobody and nothing that its source does not."""

import re
from collections.abc import Iterator

from legalqa.answering.verification.words import is_letter_name, listed

_NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+|[“\"(]\s*)$")
_ADDRESS = re.compile(
    r"\b(?:https?://|www\.)\S+|\b[\w.+-]+@[\w-]+\.\w+|\b[\w-]+\.(?:com|org|net|example|io|eu|gov|co)\b\S*",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['’]s?$")
_PLAIN = re.compile(r"[^\W_]+")
# Words that lawyers write with a capital for form's sake.
_FORMAL = frozenset(
    listed(
        "section article act law rule regulation chapter part schedule annex clause paragraph party parties agreement "
        "contract the this that a an in on under if where when any no all each every for to of and or it"
    )
)


def name_faults(claim: str, evidence: str) -> Iterator[str]:
    """Names and addresses of the claim that are not in the evidence or above it.

    Args:
        claim: One sentence.
        evidence: The cited words with the titles and headings above them.
    """
    words = {word.lower() for word in _PLAIN.findall(evidence)}
    for match in _ADDRESS.finditer(claim):
        if match.group().rstrip(".,;)").lower() not in evidence.lower():
            yield "The claim contains an address that is not in the evidence."
            return
    for match in _NAME.finditer(claim):
        word = match.group()
        if len(word) == 1 and is_letter_name(claim, match.start()):
            if not any(is_letter_name(evidence, at.start()) for at in re.finditer(rf"\b{word}\b", evidence)):
                yield f"The claim names “{word}”; the evidence does not."
            continue
        is_acronym = len(word) > 1 and word.isupper()
        if _SENTENCE_START.search(claim[: match.start()]) and not is_acronym:
            continue
        parts = [part.lower() for part in _PLAIN.findall(_POSSESSIVE.sub("", word))]
        if any(part not in words and part.removesuffix("s") not in words and part not in _FORMAL for part in parts):
            yield f"The claim names “{word}”; the evidence does not."
