"""Differences that keep a paraphrase from being called supported, however sure the reader is.

The reader judges meaning as a whole and takes little note of one word. So terms, events and parties of claim and
source are compared by class; where they disagree, the claim is not shown as supported.
"""

from collections.abc import Sequence

from legalqa.answering.verification.events import order_faults, trigger_faults
from legalqa.answering.verification.parties import party_faults
from legalqa.answering.verification.terms import condition_faults, term_faults
from legalqa.answering.verification.words import opened, stems_of
from legalqa.common.sentences import sentence_spans


def paraphrase_faults(claims: Sequence[str], source: str, above: Sequence[str]) -> list[str]:
    """What a paraphrase changes, in sentences; empty where nothing that decides differs.

    Args:
        claims: The sentences of one claim.
        source: The part of the evidence that the reader found to support it.
        above: Titles and headings over the evidence.
    """
    source = opened(source)
    sentences = [source[start:end] for start, end in sentence_spans(source)]
    evidence = " ".join([*above, source])
    faults: list[str] = []
    for claim in map(opened, claims):
        stems = stems_of(claim)
        nearest = max(sentences, key=lambda sentence: len(stems & stems_of(sentence)))
        faults += term_faults(claim, nearest, evidence)
        faults += condition_faults(claim, nearest)
        faults += order_faults(claim, nearest)
        faults += trigger_faults(claim, nearest)
        faults += party_faults(claim, [*sentences, *above])
    return list(dict.fromkeys(faults))
