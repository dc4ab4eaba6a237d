"""Whether a question is about a provision that it names by its number: "What does Article 13 require?"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.named import NAMED

_NAME = rf"(?:the\s+)?{NAMED.pattern}(?P<labels>(?:\s*\([^()\s]{{1,5}}\))*)"
_VERB = (
    r"say|require|provide|cover|state|mean|regulate|contain|demand|prohibit|ban|forbid|allow|permit|govern|impose|order|"
    r"oblige|set\s+out|deal\s+with|lay\s+down|address|about"
)
_SAYS = re.compile(
    rf"^(?:and\s+|so\s+|but\s+)?what\s+(?:else\s+)?(?:does|do|is|are)\s+(?:in\s+)?{_NAME}"
    rf"(?:\s+of\s+(?:the|this|our)\s+[^?]{{1,60}}?(?=\s+(?:{_VERB})\b))?\s*(?:\b(?:{_VERB})\b)?"
    r"(?P<rest>[^?]*)[?.\s]*$",
    re.IGNORECASE,
)
_SHOW = re.compile(
    r"^(?:please\s+)?(?:show|quote|read|cite|give|summari[sz]e|explain)\s+(?:me\s+)?"
    rf"(?:the\s+)?(?:(?:full\s+)?(?:texts?|contents?|wording)\s+of\s+)?{_NAME}"
    r"(?:\s+of\s+(?:the|this|our)\s+[\w’'-]+(?:\s[\w’'-]+){0,5})?(?P<rest>[^?]*)[?.\s]*$",
    re.IGNORECASE,
)
_UNDER = re.compile(rf"\b(?:under|in|according\s+to|pursuant\s+to|within)\s+{_NAME}", re.IGNORECASE)
_MORE = re.compile(r"\s*(?:,|and|or|to|-|–)\s*(?:\w+\s+)?\d")  # "Articles 13 and 14"


@dataclass(frozen=True, slots=True)
class ProvisionAsked:
    """The provision that a question names.

    Attributes:
        unit, number: "Article", "5".
        labels: Of the part of it that is meant: "1" and "f" of "Article 5(1)(f)".
        of: What the question asks of it ("require of providers"), "" where all that it says; None where the provision
            is only where an answer is looked for ("What fines apply under Article 99?").
    """

    unit: str
    number: str
    labels: tuple[str, ...]
    of: str | None


def provision_asked(question: str) -> ProvisionAsked | None:
    """The provision that a question is about; None where it names none, or several, or asks what bears on one.

    >>> provision_asked("What does Article 13 of the AI Act require?")
    ProvisionAsked(unit='Article', number='13', labels=(), of='')
    >>> provision_asked("What does § 20-871 say about notices?")
    ProvisionAsked(unit='§', number='20-871', labels=(), of='about notices')
    >>> provision_asked("Who enforces Article 5?")
    """
    if len({match["number"] for match in NAMED.finditer(question)}) != 1:
        return None
    match = _SAYS.search(question) or _SHOW.search(question) or _UNDER.search(question)
    if match is None or _MORE.match(question, match.end("number")):
        return None
    rest = match.groupdict().get("rest")
    labels = tuple(re.findall(r"\((\w+)\)", match["labels"]))
    return ProvisionAsked(match["unit"], match["number"], labels, rest if rest is None else rest.strip())


def part_labelled(texts: Sequence[str], labels: Sequence[str]) -> range:
    """The places of the paragraphs of a provision that one part of it is in; all of them where it is not found.

    >>> part_labelled(["1. It is forbidden:", "(a) to sell;", "(b) to lend", "or to give.", "2. Else not."], ["1", "b"])
    range(2, 4)
    """
    start, end = 0, len(texts)
    for label in labels:
        opens = re.compile(rf"\W*{re.escape(label)}[.)](?!\d)")
        place = next((n for n in range(start, end) if opens.match(texts[n])), None)
        if place is None:
            return range(len(texts))
        sibling = re.compile(r"\W*\d+[.)](?!\d)" if label.isdigit() else r"\W*(?:[a-z]|\d+)[.)](?!\d)")
        start = place
        end = next((n for n in range(place + 1, end) if sibling.match(texts[n])), end)
    return range(start, end)
