"""Whether a question is about a provision that it names by its number: "What does Article 13 require?"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from legalqa.answering.composing.naming import INSTRUMENTS
from retrieval.numbered import NAMED, provisions_listed

_LABELS = r"(?P<labels>(?:,?\s*(?:(?:points?|paragraph|letter)\s*)?\([^()\s]{1,5}\)){0,6}+)"
_NAME = rf"(?:the\s+)?{NAMED.pattern}{_LABELS}"
_VERB = (
    r"(?:says?|requires?|provides?|covers?|states?|means?|regulates?|contains?|demands?|prohibits?|bans?|forbids?|allows?"
    r"|permits?|governs?|imposes?|orders?|obliges?|sets?\s+out|deals?\s+with|lays?\s+down|address(?:es)?|lists?|about)"
)
_OF = rf"(?:\s+of\s+(?P<this>the|this|our)\s+(?P<law>(?:(?!{_VERB}\b)[\w’'-]+\s?){{1,8}}+))?+"
_REST = r"(?P<rest>[^?]*+)\?*+[?.\s]*+$"
_SAYS = re.compile(
    r"^(?:and\s+|so\s+|but\s+)?(?:what|which)\s+(?:(?!does\b|do\b)[\w-]+\s+){0,4}?(?:does|do|is|are)\s+(?:in\s+)?"
    rf"{_NAME}{_OF}\s*(?:\b{_VERB}\b)?{_REST}",
    re.IGNORECASE,
)
_SHOW = re.compile(
    r"^(?:please\s+)?(?:show|quote|read|cite|give|summari[sz]e|explain)\s+(?:me\s+)?"
    rf"(?:the\s+)?(?:(?:full\s+)?(?:texts?|contents?|wording)\s+of\s+)?{_NAME}{_OF}{_REST}",
    re.IGNORECASE,
)
# Only at the start of a question: "a notice under section 12" may be described in section 14.
_UNDER = re.compile(rf"^(?:under|in|according\s+to|pursuant\s+to|within)\s+{_NAME}{_OF}", re.IGNORECASE)
_MORE = re.compile(r"\s*(?:,|and|or|to|-|–)\s*(?:\w+\s+)?\d")  # "Articles 13 and 14"
_COMPARE = re.compile(
    r"^(?:please\s+)?(?:(?:what(?:’s|'s|\s+is|\s+are)?\s+the\s+)?differences?\s+between|how\s+(?:do|does)|in\s+what\s+way\s+do(?:es)?"
    r"|compare|contrast)\s+(?:the\s+)?_(?:\s+(?:differ|compare))?[?.\s]*$",
    re.IGNORECASE,
)
# Headings of the provision that says when a law applies, for PostgreSQL.
OF_ENTRY_INTO_FORCE = r"\m(entry|entering|coming) into (force|effect)\M|\mcommencement\M"
# How a contract begins, for PostgreSQL: "entered into by and between …, and …".
OF_PARTIES = r"\m(agreement|contract|lease|licen[cs]e|deed|made|entered|concluded)\M.*\m(between|among)\M.*\mand\M"
OPENING_PARAGRAPHS = 40  # ours: paragraphs of a contract among which this is, a title page and a table of contents too
_PARTIES_ASKED = re.compile(
    r"^(?:and\s+)?(?:who\s+(?:are|were)\s+the\s+(?:contracting\s+)?parties(?:\s+(?:to|of|in)\b[^?]*)?"
    r"|(?:between|among)\s+(?:whom|which\s+(?:parties|companies|persons))\b[^?]*"
    r"|who\s+(?:has|have)?\s*(?:signed|concluded|entered\s+into)\s+[^?]*)[?.\s]*$",
    re.IGNORECASE,
)
# "To the lease" names one of several contracts; "to our contracts" and "to this Agreement" do not.
_OF_SOME = re.compile(
    r"\b(?:to|of|in)\s+(?!(?:this\s+\w+|(?:the|our|these|each|every|all|any)\s+(?:of\s+)?(?:the\s+|our\s+)?"
    r"(?:agreements?|contracts?|documents?))[?.\s]*$)\w",
    re.IGNORECASE,
)
_WHEN = (
    r"^(?:and\s+)?(?P<from>(?:from|since|as\s+of)\s+)?when\s+(?:do|does|did|will|is|are)\s+(?P<what>[^?]{1,120}?)\s+"
)
_APPLIES = re.compile(rf"{_WHEN}(?:apply|applicable|be\s+applicable)[?.\s]*$", re.IGNORECASE)
_ENTERS = re.compile(
    rf"{_WHEN}(?:(?:start|begin)\s+(?:to\s+apply|applying)|(?:be\s+)?in\s+force|(?:enter|come|go)\s+into\s+(?:force|effect)"
    r"|take\s+effect|become\s+(?:applicable|effective))[?.\s]*$",
    re.IGNORECASE,
)
_OTHER_ACT = re.compile(r"\b(?:an?|of|for|to|under|delegated|implementing|amending|amended)\b", re.IGNORECASE)
_RULES = re.compile(
    r"the\s+(?:[\w-]+\s+){0,2}?(?:rules?|obligations?|duties|prohibitions?|bans?|penalties|fines|requirements?|provisions?|practices)\b",
    re.IGNORECASE,
)
_DO = re.compile(r"\bdo\s+(?:the\s+)?$", re.IGNORECASE)
_ITSELF = frozenset(noun.lower() for noun in INSTRUMENTS) | {"document", "terms"}


@dataclass(frozen=True, slots=True)
class ProvisionAsked:
    """The provision that a question names.

    Attributes:
        unit, number: "Article", "5".
        labels: Of the part that is meant: "1" and "f" of "Article 5(1)(f)".
        law: Words that say which document has it: "GDPR"; empty for "this Regulation", or if nothing says it.
        of: What the question asks of it ("require of providers"), "" if everything that it says; None if the question
            only names the provision to look in ("Under Article 99, what fines apply?").
    """

    unit: str
    number: str
    labels: tuple[str, ...]
    law: tuple[str, ...]
    of: str | None


WHOLE = ProvisionAsked("", "", (), (), "")


def provision_asked(question: str) -> ProvisionAsked | None:
    """The provision that a question is about; None if it names none or several, or asks what bears on one.

    >>> provision_asked("What does Article 13 of the AI Act require?")
    ProvisionAsked(unit='Article', number='13', labels=(), law=('ai',), of='')
    >>> provision_asked("What does § 20-871 say about notices?")
    ProvisionAsked(unit='§', number='20-871', labels=(), law=(), of='about notices')
    >>> provision_asked("Who enforces Article 5?")
    >>> provision_asked("How is a notice under Article 5 given?")
    """
    if len({match["number"] for match in NAMED.finditer(question)}) != 1:
        return None
    match = _SAYS.search(question) or _SHOW.search(question) or _UNDER.search(question)
    if match is None or _MORE.match(question, match.end("number")):
        return None
    rest = match.groupdict().get("rest")
    labels = tuple(re.findall(r"\((\w+)\)", match["labels"]))
    named = re.findall(r"[\w-]+", (match["law"] or "").lower()) if match["this"] not in (None, "this") else []
    law = tuple(word for word in named if word not in _ITSELF)
    return ProvisionAsked(match["unit"], match["number"], labels, law, rest if rest is None else rest.strip(" ."))


def each_provision_asked(question: str) -> tuple[str, ...]:
    """A question about several provisions that it names, as a question about each; none for other questions.

    >>> each_provision_asked("What do Articles 9 and 10 require?")
    ('What does Article 9 require?', 'What does Article 10 require?')
    >>> each_provision_asked("What is the difference between Article 16 and Annex III?")
    ('What does Article 16 say?', 'What does Annex III say?')
    >>> each_provision_asked("Who enforces Articles 5 and 6?")
    ()
    """
    listed = provisions_listed(question)
    if listed is None:
        return ()
    before, names, after = listed
    if _COMPARE.match(f"{before}_{after}"):
        asked = [f"What does {name} say?" for name in names]
    else:
        asked = [f"{_DO.sub('does ', before)}{name}{after.removeprefix(',')}" for name in names]
    return tuple(asked) if all(map(provision_asked, asked)) else ()


def asks_for_parties(question: str) -> bool:
    """Whether a question asks who made a contract.

    >>> asks_for_parties("Who are the parties to this Agreement?"), asks_for_parties("Who tells the parties?")
    (True, False)
    """
    return _PARTIES_ASKED.match(question) is not None


def names_a_contract(question: str) -> bool:
    """Whether a question for parties is about contracts that it names: not about all, nor about "the agreement"."""
    return _OF_SOME.search(question) is not None


def asks_when_in_force(question: str, *, of_provision: bool = False) -> bool:
    """Whether a question asks from when a law, or rules of it, apply.

    Args:
        question: Or a part of it.
        of_provision: Whether "it" is a provision, which the question before named.

    >>> asks_when_in_force("When does Article 50 apply?"), asks_when_in_force("When do the prohibitions take effect?")
    (True, True)
    >>> asks_when_in_force("When does the surcharge apply?"), asks_when_in_force("When do the penalties apply?")
    (False, False)
    """
    enters = _ENTERS.match(question)
    match = enters or _APPLIES.match(question)
    if match is None:
        return False
    what = match["what"].removeprefix("the ").removeprefix("this ").lower()
    is_itself = what.rpartition(" ")[2] in _ITSELF and not _OTHER_ACT.search(what)
    is_law = NAMED.match(what) is not None or is_itself
    is_rules = bool(enters or match["from"]) and _RULES.match(match["what"]) is not None
    return is_law or is_rules or (of_provision and what in ("it", "they"))


def part_labelled(texts: Sequence[str], labels: Sequence[str]) -> range:
    """The places of the paragraphs of one part of a provision; all its paragraphs if the part is not found.

    >>> part_labelled(["1. It is forbidden:", "(a) to sell;", "(b) to lend", "or to give.", "2. Else not."], ["1", "b"])
    range(2, 4)
    """
    start, end = 0, len(texts)
    next_ones: list[str] = []
    for label in labels:
        opens = re.compile(rf"\W*{re.escape(label)}[.)](?!\d)")
        place = next((n for n in range(start, end) if opens.match(texts[n])), None)
        if place is None:
            return range(len(texts))
        next_ones.append(str(int(label) + 1) if label.isdecimal() else f"{label[:-1]}{chr(ord(label[-1]) + 1)}")
        ends = re.compile(rf"\W*(?:{'|'.join(map(re.escape, next_ones))})[.)](?!\d)")
        start = place
        end = next((n for n in range(place + 1, end) if ends.match(texts[n])), end)
    return range(start, end)
