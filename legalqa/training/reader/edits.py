"""Edits of legal sentences: some change what a sentence says, others do not.

Made for training and for judging checks of support: a number, a date, a party, a duty or an exception is changed in a
true sentence, or it is put into other words. The rules are ours; the kinds of edits follow Policy Copilot's planted
errors and VitaminC's (Schuster et al. 2021) smallest changes that turn a claim.
"""

import calendar
import random
import re
from collections.abc import Callable

from legalqa.answering.verification.words import LIST_LABEL, NUMBER_WORDS

_NUMBER = re.compile(r"(?<![\w§.-])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w-]|\.\d)")
_SELDOM = {"zero", "eleven", "thirteen", "fourteen", "forty", "fifty", "hundred"}  # laws write these as figures
_WORDS = [word for word in NUMBER_WORDS if word not in _SELDOM]
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_WORDS)})\b", re.IGNORECASE)
_MONTHS = calendar.month_name[1:]
_DATE = re.compile(rf"\b({'|'.join(_MONTHS)})(?=\s+\d)|(?<=\d )({'|'.join(_MONTHS)})\b|\b(?:19|20)\d\d\b")
_ROLES = (
    ("licensor", "licensee"), ("lessor", "lessee"), ("landlord", "tenant"), ("buyer", "seller"),
    ("employer", "employee"), ("disclosing party", "receiving party"), ("discloser", "recipient"),
    ("company", "consultant"), ("customer", "supplier"), ("client", "contractor"), ("franchisor", "franchisee"),
    ("provider", "deployer"), ("provider", "user"), ("lender", "borrower"), ("party a", "party b"),
    ("distributor", "manufacturer"), ("assignor", "assignee"), ("controller", "processor"),
    ("authorised person", "regulator"), ("manager", "employee"), ("importer", "distributor"),
)  # fmt: skip
_MODALS = (
    (r"\b(?:shall|must|may) not\b", ("may", "must")),
    (r"\b(?:is|are) prohibited\b", ("is permitted", "are permitted")),
    (r"\bprohibited\b", ("permitted",)),
    (r"\b(?:is|are) (?:required|obliged) to\b", ("may", "need not")),
    (r"\b(?:shall|must)\b(?! be (?:deemed|governed))", ("may", "shall not", "need not")),
    (r"\bmay\b(?! \d)", ("shall", "may not", "must")),
)
_EXCEPTION = re.compile(
    r",?\s*\b(?:except(?: as| for| that| to the extent| where| in)?|unless|provided,? (?:however,? )?that"
    r"|save (?:as|for|where)|other than|with the exception of)\b[^;.]{8,}(?=[.;]|$)",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(shall|must|may|will|does|do|is|are|was|were|has|have|can) not\b", re.IGNORECASE)
_ASSERTED = re.compile(r"\b(shall|must|will|is|are|was|were|can)\b(?! not)", re.IGNORECASE)

Edit = Callable[[str, random.Random], str]


def _replaced(match: re.Match[str] | None, text: str, word: str) -> str:
    if match is None:
        return ""
    word = word.capitalize() if match.group()[:1].isupper() else word
    return text[: match.start()] + word + text[match.end() :]


def _one(pattern: re.Pattern[str], text: str, chance: random.Random) -> re.Match[str] | None:
    matches = list(pattern.finditer(text))
    return chance.choice(matches) if matches else None


def number_changed(text: str, chance: random.Random) -> str:
    """Another number, in figures or in words; "" where there is none."""
    match = _one(_NUMBER, text, chance)
    if match is None:
        match = _one(_NUMBER_WORD, text, chance)
        others = [word for word in _WORDS if match and word != match.group().lower()]
        return _replaced(match, text, chance.choice(others)) if match else ""
    value = float(match.group().replace(",", ""))
    other = chance.choice([value * 2, value + 1, value * 10, value + 5, max(1.0, value // 2) + (value < 2)])
    if other == value:
        other = value + 3
    return _replaced(match, text, f"{other:,.0f}" if other == int(other) else f"{other:g}")


def date_changed(text: str, chance: random.Random) -> str:
    """Another month or year."""
    match = _one(_DATE, text, chance)
    if match is None:
        return ""
    if match.group().isdigit():
        return _replaced(match, text, str(int(match.group()) + chance.choice([-3, -2, -1, 1, 2, 3])))
    return _replaced(match, text, chance.choice([month for month in _MONTHS if month != match.group()]))


def party_changed(text: str, chance: random.Random) -> str:
    """One party in the place of the other, everywhere; where both occur, they change places."""
    low = text.lower()
    pairs = [(a, b) for pair in _ROLES for a, b in (pair, pair[::-1]) if re.search(rf"\b{a}s?\b", low)]
    if not pairs:
        return ""
    first, second = chance.choice(pairs)

    def other(match: re.Match[str]) -> str:
        word = second if match.group(1).lower() == first else first
        if match.group(1).isupper():
            return word.upper() + match.group(2)
        return (word.title() if match.group(1)[0].isupper() else word) + match.group(2)

    return re.sub(rf"\b({first}|{second})(s?)\b", other, text, flags=re.IGNORECASE)


def modality_changed(text: str, chance: random.Random) -> str:
    """A duty becomes a permission or a prohibition, and the other way round."""
    for pattern, words in _MODALS:
        match = _one(re.compile(pattern, re.IGNORECASE), text, chance)
        if match:
            return _replaced(match, text, chance.choice(words))
    return ""


def negation_changed(text: str, chance: random.Random) -> str:
    """ "not" is taken out, or put in."""
    match = _one(_NEGATED, text, chance)
    if match:
        return text[: match.start()] + match.group(1) + text[match.end() :]
    match = _one(_ASSERTED, text, chance)
    return text[: match.end()] + " not" + text[match.end() :] if match else ""


def exception_dropped(text: str, chance: random.Random) -> str:
    """The rule without its exception or proviso."""
    match = _one(_EXCEPTION, text, chance)
    if match is None or match.start() < 25:
        return ""
    return (text[: match.start()].rstrip(" ,") + text[match.end() :]).strip()


EDITS: dict[str, Edit] = {
    "number": number_changed,
    "date": date_changed,
    "party": party_changed,
    "modality": modality_changed,
    "negation": negation_changed,
    "exception": exception_dropped,
}

_SAME = (
    (r"\bshall\b", "must"), (r"\bmust\b", "shall"), (r"\bprior to\b", "before"),
    (r"\bin the event (?:that|of)\b", "if"),
    (r"\bpursuant to\b", "under"), (r"\bcommence\b", "begin"), (r"\bterminate\b", "end"), (r"\bpurchase\b", "buy"),
    (r"\bin accordance with\b", "according to"), (r"\bwith respect to\b", "regarding"), (r"\bobtain\b", "get"),
    (r"\bmay not\b", "must not"), (r"\bshall not\b", "must not"), (r"\bprovide\b", "give"), (r"\butilize\b", "use"),
    (r"\bany and all\b", "all"), (r"\bat least\b", "no less than"),
    (r"\bsubsequent to\b", "after"), (r"\bis entitled to\b", "may"), (r"\bnotwithstanding\b", "despite"),
)  # fmt: skip
_OPENING = re.compile(r"^(?:For (?:the )?purposes? of [^,]{3,80}|Subject to [^,]{3,80}|As of [^,]{3,40}),\s*(\w)")


def said_otherwise(text: str, chance: random.Random) -> str:
    """The same in slightly other words: synonyms of legal English, without its number, numbers written out."""
    text = LIST_LABEL.sub("", text)
    text = _OPENING.sub(lambda match: match.group(1).upper(), text)
    for pattern, word in chance.sample(_SAME, len(_SAME))[:12]:
        match = re.search(pattern, text, re.IGNORECASE)
        if match and not (word == "may" and "not" in text):
            text = _replaced(match, text, word)
    if chance.random() < 0.3:
        text = re.sub(r"\b(\w+) \((\d+)\)", lambda match: match.group(chance.choice((1, 2))), text)
    return " ".join(text.split())
