"""Whether a question is about a provision that it names by its number: "What does Article 13 require?"."""

import re
from dataclasses import dataclass

from retrieval.named import NAMED

_OF = r"(?:\s+of\s+(?:the|this|our)\s+[\w’'-]+(?:\s[\w’'-]+){0,5}?)?"
_NAME = rf"(?:the\s+)?{NAMED.pattern}(?:\s*\([^()\s]{{1,5}}\))*{_OF}"
_VERB = (
    r"say|require|provide|cover|state|mean|regulate|contain|demand|prohibit|ban|forbid|allow|permit|govern|impose|order|"
    r"oblige|set\s+out|deal\s+with|lay\s+down|address|about"
)
_SAYS = re.compile(
    rf"^(?:and\s+|so\s+|but\s+)?what\s+(?:else\s+)?(?:does|do|is|are)\s+(?:in\s+)?{_NAME}\s*(?:\b(?:{_VERB})\b)?"
    r"(?P<rest>[^?]*)[?.\s]*$",
    re.IGNORECASE,
)
_SHOW = re.compile(
    r"^(?:please\s+)?(?:show|quote|read|cite|give|summari[sz]e|explain)\s+(?:me\s+)?"
    rf"(?:the\s+)?(?:(?:full\s+)?(?:texts?|contents?|wording)\s+of\s+)?{_NAME}(?P<rest>[^?]*)[?.\s]*$",
    re.IGNORECASE,
)
_UNDER = re.compile(rf"\b(?:under|in|according\s+to|pursuant\s+to|within)\s+{_NAME}", re.IGNORECASE)
_MORE = re.compile(r"\s*(?:,|and|or|to|-|–)\s*(?:\w+\s+)?\d")  # "Articles 13 and 14"


@dataclass(frozen=True, slots=True)
class ProvisionAsked:
    """The provision that a question names.

    Attributes:
        unit, number: "Article", "13".
        of: What the question asks of it ("require of providers"), "" where all that it says; None where the provision
            is only where an answer is looked for ("What fines apply under Article 99?").
    """

    unit: str
    number: str
    of: str | None


def provision_asked(question: str) -> ProvisionAsked | None:
    """The provision that a question is about; None where it names none, or several, or asks what bears on one.

    >>> provision_asked("What does Article 13 of the AI Act require?")
    ProvisionAsked(unit='Article', number='13', of='')
    >>> provision_asked("What does § 20-871 say about notices?")
    ProvisionAsked(unit='§', number='20-871', of='about notices')
    >>> provision_asked("Who enforces Article 5?")
    """
    if len({match["number"] for match in NAMED.finditer(question)}) != 1:
        return None
    match = _SAYS.search(question) or _SHOW.search(question) or _UNDER.search(question)
    if match is None or _MORE.match(question, match.end("number")):
        return None
    rest = match.groupdict().get("rest")
    return ProvisionAsked(match["unit"], match["number"], rest if rest is None else rest.strip())
