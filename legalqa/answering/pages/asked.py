"""The scope of an answer in words: which documents, and as of which day; for page, memo, copy and pack alike."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.utils import timezone

from corpora.describing.types import DOCUMENT_KINDS
from legalqa.answering.models import Answer
from legalqa.answering.selectors import document_titles
from legalqa.answering.taking_effect import TakingEffect
from legalqa.common.dates import day_words
from retrieval.types import Filters

NAMED = 10  # ours: most documents that are named; the rest is counted
WHOLE_CORPUS = "All of the corpus"


def asked_page(*, answer: Answer, effects: Sequence[TakingEffect] = (), as_given: bool = False) -> dict[str, Any]:
    """What was asked: `documents` and `as_of` in words, and whether only a part of the corpus was (`is_part`).

    `effects` are the versions of cited documents that take effect on a later day. Named documents have the titles that
    they have now or, `as_given`, the ones that they had then.
    """
    filters = Filters.parse(answer.asked.get("filters", {}))
    limits = "; ".join(_limits(filters, _names(answer, filters.document_ids, as_given=as_given)))
    return {
        "documents": limits or WHOLE_CORPUS,
        "as_of": _as_of(answer, filters.as_of),
        "effects": effects,
        "is_part": bool(limits),
    }


def asked_lines(scope: Mapping[str, Any]) -> list[str]:
    """The same as two lines of text."""
    return [
        f"Documents searched: {scope['documents']}",
        f"As of {scope['as_of']}",
        *(one.words for one in scope["effects"]),
    ]


def _as_of(answer: Answer, day: date | None) -> str:
    if day is not None:
        return f"{day_words(day)}: the versions in force on that day"
    return (
        f"{day_words(timezone.localdate(answer.created_at))}, the day of the question: the versions that were current"
    )


def _names(answer: Answer, ids: Sequence[str], *, as_given: bool) -> list[str]:
    """The titles of documents of the corpus; those that are not in it any more, or never were, have none."""
    if not ids:
        return []
    titles = document_titles(answer=answer, document_ids=ids)
    if as_given:
        titles |= {row["document_id"]: row["document"] for row in answer.evidence}
    return sorted(titles[pk] for pk in ids if pk in titles)


def _limits(filters: Filters, names: Sequence[str]) -> Iterator[str]:
    """Each condition that the documents had to meet."""
    if ids := filters.document_ids:
        yield f"{_counted(len(ids), 'named document')}{_listed(names, n_named=len(ids))}"
    if filters.kind:
        yield f"of the kind {_either([DOCUMENT_KINDS[kind].lower() for kind in filters.kind])}"
    if filters.jurisdiction:
        yield f"of the jurisdiction {_either(filters.jurisdiction)}"
    if filters.authority:
        yield f"by {_either(filters.authority)}"
    if filters.kinds:
        yield f"in the format {_either(filters.kinds)}"
    if filters.date_from or filters.date_to:
        first = f" from {day_words(filters.date_from)}" if filters.date_from else ""
        last = f" until {day_words(filters.date_to)}" if filters.date_to else ""
        yield f"in effect{first}{last}"
    if filters.heading:
        yield f"under headings with “{filters.heading}”"
    if left_out := filters.excluded_paragraph_ids:
        yield f"{_counted(len(left_out), 'paragraph')} left out"


def _listed(names: Sequence[str], *, n_named: int) -> str:
    """The names after a colon, and how many documents have no name here."""
    words = [f"“{name}”" for name in names[:NAMED]]
    if len(names) > NAMED:
        words.append(f"{len(names) - NAMED} more")
    if n_gone := n_named - len(names):
        words.append(f"{n_gone} not in the corpus now")
    return f": {', '.join(words)}"


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _either(values: Sequence[str]) -> str:
    return " or ".join(values)
