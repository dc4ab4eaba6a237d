"""The highest or the lowest of several amounts, where a question asks for it: a reader takes each of them for it."""

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
_MONEY = frozenset({"dollar", "euro", "pound", "yen"})


def extreme_first(
    question: str, kind: Kind, passages: Sequence[PassageFound], ranking: Sequence[PassageRead]
) -> list[PassageRead]:
    """The passages with the one first that has the highest or lowest amount, where that is what is asked for.

    In a passage with several, the amount that is asked for is marked. Only passages compete that are likely to answer
    and share as many words with the question as the best one: "the highest fine for false information" is the one for
    false information.
    """
    extreme = max if _HIGHEST.search(question) else min if _LOWEST.search(question) else None
    if kind is not Kind.AMOUNT or extreme is None or not ranking:
        return list(ranking)
    best, words = ranking[0], set(tokens(question)) - SCAFFOLDING

    def shared(one: PassageRead) -> int:
        return len(words & set(tokens(passages[one.place].text)))

    rivals = {
        place: extreme(money, key=lambda amount: amount.value)
        for place, one in enumerate(ranking)
        if one.probability >= LIKELY and one.score >= best.score - NEAR and shared(one) >= shared(best)
        if (money := [amount for amount in quantities(passages[one.place].text) if amount.unit in _MONEY])
    }
    if not rivals:
        return list(ranking)
    first = extreme(rivals, key=lambda place: (rivals[place].value, -place if extreme is max else place))
    span = _with_currency(passages[ranking[first].place].text, rivals[first])
    raised = replace(ranking[first], score=best.score, span=span, is_amount=True)
    return [raised, *(one for place, one in enumerate(ranking) if place != first)]


def _with_currency(text: str, amount: Quantity) -> tuple[int, int]:
    """Where an amount is, with its sign or the name of its currency."""
    before, after = _BEFORE.search(text[: amount.start]), _AFTER.match(text[amount.end :])
    return amount.start - (len(before[0]) if before else 0), amount.end + (len(after[0]) if after else 0)
