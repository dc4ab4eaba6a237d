"""A paragraph that says what it replaces: "This supersedes the remote work provisions in Section 2 of the handbook".

Measures need not differ, nor the document be replaced as a whole: the notice names a section, or the rules in words.
"""

import re

from legalqa.answering.conflicts.engine import Conflict, Span
from legalqa.answering.conflicts.resolving import REPLACED_BY, REPLACES, Provision, Resolution
from legalqa.answering.conflicts.subjects import Stems, stems_in, weight_of
from legalqa.common.sentences import sentence_spans

KIND = "replaced"
COVERED = 0.6  # ours: share of the weight of a notice's words that a sentence must have for the notice to mean it
OF_SECTION = 0.4  # ours: the same if the notice names a section, and the section of the provision is not known
NAMED = 1.0  # ours: least weight of these words; else what the notice's own sentence is about must be shared
LONGEST = 700  # ours: characters up to which a provision is given whole
ON_SUBJECT = 2.0  # ours: weight that this sentence must share with all that the new provision says
SURELY = 2.5  # ours: weight of the words of a notice itself that one sentence must have, where it names no rule
_WHAT = re.compile(
    rf"(?:{REPLACES.pattern})\s+(?:the\s+|our\s+|any\s+|all\s+)?(?P<what>[^.;,]*?)(?=\s+(?:in|of|under|from)\s+(?:the\s+)?"
    r"(?:\w+\s+){0,3}?(?:sections?|articles?|clauses?|§|handbook|manual|policy|agreement|document)\b|[.;,]|$)",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:more|general|specific|various|relevant)\b", re.IGNORECASE
)  # which of the rules these do not say
_SECTION = re.compile(r"\b(?:sections?|articles?|clauses?)\s+(\d+(?:\.\d+)*)|§\s*(\d[\d.-]*)", re.IGNORECASE)
_ANY_NUMBER = r"\d+(?:\.\d+)*"
_FORMER = re.compile(r"\b(?:previous|prior|former|earlier|existing|blanket|old)\b", re.IGNORECASE)
_DOCUMENT = re.compile(
    r"\b(?:handbook|manual|policy|agreement|contract|code|guidelines?|procedures?|terms)\b", re.IGNORECASE
)


def replacement_of(a: Provision, b: Provision) -> tuple[Conflict, Resolution] | None:
    """What one of two provisions says it replaces in the other; None if neither says so.

    Both are given whole, or a long one by its sentences about it, with the notice marked.
    """
    for holds, new, old in (("b", b, a), ("a", a, b)):
        if notice := _notice(new, old):
            theirs, ours = _old(old, new), (_around(new.text, notice), notice)
            (whole_a, marked_a), (whole_b, marked_b) = (theirs, ours) if holds == "b" else (ours, theirs)
            said = f"“{new.title}” replaces what “{old.title}” says: “{' '.join(notice.words.split())}”"
            conflict = Conflict(KIND, marked_a, marked_b, whole_a, whole_b, 1.0)
            return conflict, Resolution("supersedes", holds, said)
    return None


def _notice(new: Provision, old: Provision) -> Span | None:
    """The sentence by which a provision replaces another; None where none does."""
    if not REPLACES.search(new.text):
        return None
    spans = (Span(start, end, new.text[start:end]) for start, end in sentence_spans(new.text))
    return next((one for one in spans if _covers(one.words, new, old)), None)


def _covers(notice: str, new: Provision, old: Provision) -> bool:
    match = _WHAT.search(notice)
    if match is None or REPLACED_BY.search(notice):
        return False
    named = {noun.lower().rstrip("s") for noun in _DOCUMENT.findall(notice[match.start() :])}
    is_document = any(noun in old.title.lower() for noun in named)
    sections = {one or other for one, other in _SECTION.findall(notice)}
    if sections and is_document and _is_in(old, _ANY_NUMBER):
        return any(_is_in(old, re.escape(number)) for number in sections)
    what = stems_in(_VAGUE.sub(" ", match["what"]))
    if sections or weight_of(what) < NAMED:  # "superseding the annual requirement": what the notice itself is about
        share = OF_SECTION if sections else COVERED
        return is_document and _says(old, stems_in(notice[: match.start()]), share, weight=SURELY)
    return (is_document or bool(_FORMER.search(notice))) and _says(old, what, COVERED, beside=stems_in(new.text))


def _says(old: Provision, what: Stems, share: float, *, weight: float = 0.0, beside: Stems | None = None) -> bool:
    """Whether one sentence of a provision has so much of the weight of some words, and shares more with others."""
    sentences = (stems_in(old.text[start:end]) for start, end in sentence_spans(old.text))
    return any(
        weight_of(what & said) >= max(share * weight_of(what), weight)
        and (beside is None or weight_of(beside & said) >= ON_SUBJECT)
        for said in sentences
    )


def _is_in(provision: Provision, number: str) -> bool:
    """Whether a provision is in a section, by its headings or its first words; `number` is a pattern."""
    begins = re.compile(rf"\W*(?:(?:section|article|clause)\s+|§\s*)?{number}[.):\s]", re.IGNORECASE)
    return any(begins.match(text) for text in (*provision.heading.split(" › "), provision.text))


def _old(old: Provision, new: Provision) -> tuple[Span, Span]:
    """What is replaced, around the sentence that shares most with what is in its place; nothing of it is marked."""
    said = stems_in(new.text)
    spans = [Span(start, end, old.text[start:end]) for start, end in sentence_spans(old.text)]
    nearest = max(spans, key=lambda one: weight_of(stems_in(one.words) & said), default=Span(0, 0, ""))
    around = _around(old.text, nearest)
    return around, Span(around.start, around.start, "")


def _around(text: str, sentence: Span) -> Span:
    """A text, or of a long one a sentence with those before and behind it."""
    if len(text) <= LONGEST:
        return Span(0, len(text), text)
    spans = list(sentence_spans(text))
    place = next((n for n, (start, _) in enumerate(spans) if start == sentence.start), 0)
    start, end = spans[max(place - 1, 0)][0], spans[min(place + 1, len(spans) - 1)][1]
    return Span(start, end, text[start:end])
