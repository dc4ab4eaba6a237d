"""Amounts and times stated in few words of the question: below a heading that names them, or for any breach.

"How high is the penalty?" is answered by the amount below "Penalties"; the penalty for using a tool without a notice by
"Any person that violates any provision of this subchapter is liable for …", where the subchapter asks for the notice.
Such a sentence shares so few words with its question that a reading model does not recognise it as the answer.
"""

import re
from collections.abc import Sequence

from corpora.provisions.features import facts_of
from corpora.tokens import tokens
from legalqa.answering.composing.doers import NAMED
from legalqa.answering.composing.fitting import fits
from legalqa.answering.composing.kinds import Kind, subject_of, subject_of_heading
from legalqa.answering.composing.types import PassageFound

OF_HEADING = frozenset({Kind.AMOUNT, Kind.DEADLINE})  # kinds of answers that a heading and a number below it may give
HEADING, BREACH = "heading", "breach"  # what shows that a passage answers
LEAST_NAMED = 2  # ours: words of a breach, besides the penalty, that a provision of the same document must have
_MEASURES = frozenset(tokens("high higher big large much long late often amount amounts sum"))
_PENALTY = re.compile(r"\b(?:penalt(?:y|ies)|fines?|fined|sanctions?)\b", re.IGNORECASE)
_PENAL_WORDS = frozenset(
    tokens(
        "penalty penalties fine fines fined sanction sanctions civil violation breach law pay not no without failing"
    )
)
_ANY_BREACH = re.compile(
    r"\b(?:violat\w+|breach\w*|contraven\w+|infring\w+|fail\w* to comply with|non-?compliance with)\b[^.;]{0,40}"
    r"\b(?:any|a) (?:provisions?|requirements?|rules?|sections?|obligations?)\b[^.;]{0,40}\b(?:of|under|in|by) this\b",
    re.IGNORECASE,
)


def told_plainly(
    question: str, kind: Kind, passages: Sequence[PassageFound], contexts: Sequence[str]
) -> dict[int, str]:
    """By place, the passages that give the amount or time in question: by HEADING, or for any BREACH.

    Args:
        question: Its clauses that ask.
        kind: What kind of answer it asks for.
        passages: Those that may answer.
        contexts: What opens each of them.
    """
    subject = subject_of(question) - _MEASURES
    if kind not in OF_HEADING or not subject:
        return {}
    fitting = [
        place
        for place, (passage, before) in enumerate(zip(passages, contexts, strict=True))
        if _has_number(kind, passage.text) and fits(kind, before + passage.text, question=question)
    ]
    below: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place in fitting:
        if subject_of_heading(passages[place].provision.heading) == subject:
            below.setdefault((passages[place].version, passages[place].provision.path), []).append(place)
    # If there are several numbers below one heading, the reader decides which of them is meant.
    by_heading = {places[0]: HEADING for places in below.values() if len(places) == 1}
    if not _PENALTY.search(question):
        return by_heading
    breach = subject - _PENAL_WORDS
    of_any = {place for place in fitting if breach and _ANY_BREACH.search(passages[place].text)}
    versions = {passages[place].version for place in of_any}
    ruled = {
        passage.version
        for passage, before in zip(passages, contexts, strict=True)
        if passage.version in versions and _names_breach(breach, before + passage.text)
    }
    return {place: BREACH for place in of_any if passages[place].version in ruled} | by_heading


def _has_number(kind: Kind, text: str) -> bool:
    facts = facts_of(text)
    return bool(facts.amounts if kind is Kind.AMOUNT else facts.durations or facts.dates)


def _names_breach(breach: set[str], text: str) -> bool:
    """Whether a provision is about the conduct whose penalty is asked for: it has most of its words, at least two."""
    shared = breach & set(tokens(text))
    return len(shared) >= max(LEAST_NAMED, NAMED * len(breach))
