"""Measures of answers that may only quote: whether they show the whole answer, little else, and nothing misleading.

People marked of each question the quotes that a complete answer shows (`must`), those without which the rule alone
would mislead (`exception`), those that are right to show (`may`), and passages on the subject that do not answer
(`misleading`). A quote is covered where one claim has most of its words in runs, and every number in it; several claims
cover it together only where each is a piece of it.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from judging.measures.values import Undefined, Value

COVER = 0.8  # ours: share of a quote's words that claims must have to say it
OVERLAP = 0.6  # ours: share of a quote's words in a claim, or of a claim's in a quote, from which both overlap
RUN = 3  # ours: words in a row that claim and quote must have in common to count
PIECE = 0.9  # ours: share of a claim's words in a row in the quote from which claims are added up to the quote
SILENT, NOTHING_MARKED = Undefined("no answer was given"), Undefined("no quote of the kind is marked")
Words = list[str]
Quote = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Quoted:
    """The measures of one answer.

    Attributes:
        complete: Every `must` and `exception` quote is covered; a silence is incomplete.
        precise: Share of the claims that overlap with a marked quote, and are not nearer to a misleading one.
        direct: Whether the first claim is part of what answers.
        misled: A misleading quote is shown, and no quote that answers.
        bare_rule: The rule is shown without the exception that belongs to it.
        wrong: Answered without any quote that answers.
    """

    is_answerable: bool
    is_answered: bool
    complete: bool
    precise: Value
    direct: Value
    misled: bool
    bare_rule: Value
    wrong: bool


def quoted(row: Mapping[str, Any], *, is_answered: bool, claims: Iterable[str]) -> Quoted:
    """Measure one answer.

    Args:
        row: The question with its quotes: `answerable`, `must`, `exception`, `may`, `misleading`.
        is_answered: Whether the system spoke.
        claims: What it showed, in order.
    """
    claim_words = [claim for text in claims if (claim := words(text))] if is_answered else []
    must, exception, wrong = row.get("must") or [], row.get("exception") or [], row.get("misleading") or []
    hits, hit_exceptions = ([_said(quote, claim_words) for quote in quotes] for quotes in (must, exception))
    is_answerable = bool(row["answerable"])
    right = [*must, *exception, *(row.get("may") or [])]
    is_counted = is_answerable and claim_words
    return Quoted(
        is_answerable,
        is_answered,
        complete=is_answerable and is_answered and all(hits + hit_exceptions),
        precise=sum(_overlaps(c, right, wrong) for c in claim_words) / len(claim_words) if is_counted else SILENT,
        direct=float(_overlaps(claim_words[0], [*must, *exception], wrong)) if is_counted else SILENT,
        misled=is_answered and any(covered(quote["quote"], claim_words) for quote in wrong) and not any(hits),
        bare_rule=float(is_answered and any(hits) and not any(hit_exceptions)) if exception else NOTHING_MARKED,
        wrong=is_answerable and is_answered and not any(hits),
    )


def words(text: str) -> Words:
    """The words of a text, whatever its case, marks and soft hyphens."""
    plain = unicodedata.normalize("NFKC", text.replace("\u00ad", "")).lower().replace("_", " ")
    return re.findall(r"\w+", plain)


def covered(quote: str, claims: Sequence[Words]) -> bool:
    """Whether the claims say the quote."""
    quote_words = words(quote)
    if not quote_words:
        return False
    union: set[int] = set()
    claim_words: Words = []
    for claim in claims:
        if len(_matched(quote_words, claim)) >= COVER * len(quote_words) and _has_numbers(quote_words, claim):
            return True
        start, size = max(_runs(quote_words, claim), key=lambda run: run[1], default=(0, 0))
        if size >= PIECE * len(claim):
            union |= set(range(start, start + size))
            claim_words += claim
    return len(union) >= COVER * len(quote_words) and _has_numbers(quote_words, claim_words)


def _runs(one: Words, other: Words) -> list[tuple[int, int]]:
    """Where words of one are in the other in the same order, as (start in one, length)."""
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return [(block.a, block.size) for block in blocks if block.size]


def _matched(one: Words, other: Words) -> set[int]:
    """Places of one whose words are in the other in runs of RUN or more, or of all where one is shorter."""
    least = min(RUN, len(one), len(other))
    return {start + step for start, size in _runs(one, other) if size >= least for step in range(size)}


def _has_numbers(quote_words: Words, claim_words: Words) -> bool:
    vocabulary, joined = set(claim_words), "".join(claim_words)
    numbers = [word for word in quote_words if any(mark.isdigit() for mark in word)]
    return all(word in vocabulary or (len(word) > 3 and word in joined) for word in numbers)


def _said(quote: Quote, claims: Sequence[Words]) -> bool:
    """A quote, or one of those that say the same (`or`), by claims with every word of `key` and none of `not`."""
    key, barred = set(quote.get("key") or ()), set(quote.get("not") or ())
    fit = [claim for claim in claims if key <= set(claim) and not barred & set(claim)]
    return any(covered(one["quote"], fit) for one in (quote, *quote.get("or", ())))


def _nearness(claim: Words, quotes: Iterable[Quote]) -> float:
    """How much of a quote a claim holds, or how much of the claim lies in a quote, at best."""
    best = 0.0
    for quote in quotes:
        for one in (quote, *quote.get("or", ())):
            quote_words = words(one["quote"])
            if quote_words and claim:
                best = max(
                    best,
                    len(_matched(quote_words, claim)) / len(quote_words),
                    len(_matched(claim, quote_words)) / len(claim),
                )
    return best


def _overlaps(claim: Words, right: Sequence[Quote], wrong: Sequence[Quote]) -> bool:
    nearness = _nearness(claim, right)
    return nearness >= OVERLAP and nearness >= _nearness(claim, wrong)
