"""The highest or the lowest of several amounts, if a question asks for it: the reader takes any of them for it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpora.tokens import tokens
from legalqa.answering.composing.kinds import Kind
from legalqa.answering.composing.types import PassageFound, PassageRead
from legalqa.answering.scaffolding import SCAFFOLDING
from legalqa.answering.verification.quantities import Quantity, quantities

LIKELY = 0.2  # ours: the reader's probability from which a passage may hold the amount
NEAR = 3.0  # ours: log-odds below the best passage up to which a passage may hold the amount
_HIGHEST = re.compile(r"\b(?:highest|maximum|largest|biggest|greatest|steepest|top|the most)\b", re.IGNORECASE)
_LOWEST = re.compile(r"\b(?:lowest|minimum|smallest|the least)\b", re.IGNORECASE)
_BEFORE, _AFTER = (
    re.compile(r"(?:[$€£¥]|\b[A-Z]{3})\s?$"),
    re.compile(r"\s(?:EUR|USD|GBP|JPY|euros?|dollars?|pounds?)\b"),
)
_OF_RANGES = SCAFFOLDING | {"nor", "not"}  # between the two ends of a range
_MONEY = frozenset({"dollar", "euro", "pound", "yen"})


def extreme_first(
    question: str, kind: Kind, passages: Sequence[PassageFound], ranking: Sequence[PassageRead]
) -> list[PassageRead]:
    """The passages; if the highest or lowest amount is asked for, the passage with it comes first.

    In a passage with several, the amount that is asked for is marked. Only passages that are likely to answer and share
    as many words with the question as the best one compete: "the highest fine for false information" is the one for
    false information.
    """
    extreme = max if _HIGHEST.search(question) else min if _LOWEST.search(question) else None
    if kind is not Kind.AMOUNT or extreme is None or not ranking:
        return list(ranking)
    best, asked = ranking[0], set(tokens(question))
    words = asked - SCAFFOLDING

    def shared(one: PassageRead) -> int:
        return len(words & set(tokens(passages[one.place].text)))

    rivals = {
        place: extreme(amounts, key=lambda amount: amount.value)
        for place, one in enumerate(ranking)
        if one.probability >= LIKELY and one.score >= best.score - NEAR and shared(one) >= shared(best)
        if (amounts := _amounts_for(asked, passages[one.place].text))
    }
    if not rivals:
        return list(ranking)
    first = extreme(rivals, key=lambda place: (rivals[place].value, -place if extreme is max else place))
    span = _with_currency(passages[ranking[first].place].text, rivals[first])
    raised = replace(ranking[first], score=best.score, span=span, is_amount=True)
    return [raised, *(one for place, one in enumerate(ranking) if place != first)]


def _amounts_for(asked: set[str], text: str) -> list[Quantity]:
    """The amounts of money in a text whose own words share most with the question.

    An amount's words are those up to the next one: "$500 for a first violation, and not less than $500 nor more than
    $1,500 for each subsequent violation". Of a range both ends have the words behind it.
    """
    money = [amount for amount in quantities(text) if amount.unit in _MONEY]
    ends = [amount.start for amount in money[1:]] + [len(text)]
    shared: list[int] = []
    behind: set[str] = set()
    for amount, end in reversed(list(zip(money, ends, strict=True))):
        between = set(tokens(text[amount.end : end]))
        behind = between if between - _OF_RANGES else behind
        shared.insert(0, len(asked & behind))
    return [amount for amount, n in zip(money, shared, strict=True) if n == max(shared)]


def _with_currency(text: str, amount: Quantity) -> tuple[int, int]:
    """Where an amount is, with its sign or the name of its currency."""
    before, after = _BEFORE.search(text[: amount.start]), _AFTER.match(text[amount.end :])
    return amount.start - (len(before[0]) if before else 0), amount.end + (len(after[0]) if after else 0)
