"""The contradictions of a corpus, for its page and for the API."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count
from django.urls import reverse
from django.utils.http import urlencode

from corpora.in_force import positions_today
from corpora.models import Corpus, Paragraph, Position
from legalqa.accounts.models import Organization
from legalqa.answering.conflicts.engine import Span
from legalqa.answering.links import filter_link
from legalqa.answering.models import Contradiction, ReviewState
from legalqa.answering.pages.conflicts import HEADINGS, difference, marked
from legalqa.answering.services.contradictions import (
    contradiction_list,
    contradiction_search,
    contradictions_judged,
)

ROWS_A_PAGE = 25
# Rows `conflicts` of docs/results.md: pairs of real policies.
MEASURED = {"n_right": 3, "n_called": 3, "at_least": 44, "n_found": 3, "n_there": 12}
MARKS = {
    ReviewState.OPEN: ("partly", "state-waiting"),
    ReviewState.CONFIRMED: ("contra", "state-contradicted"),
    ReviewState.NOT_A_CONFLICT: ("withheld", "state-withheld"),
    ReviewState.RESOLVED: ("ok", "state-ok"),
}


def contradictions_page(
    *, organization: Organization, corpus: Corpus, state: str, number: str | None
) -> dict[str, Any]:
    """One page of the contradictions of a corpus, those that are open first, and how far the search is."""
    state = state if state in ReviewState.values else ""
    rows = contradiction_list(organization=organization, corpus=corpus, state=state)
    page = Paginator(rows, ROWS_A_PAGE).get_page(number)
    counts, judged = _counts(organization, corpus), contradictions_judged(corpus=corpus)
    job = contradiction_search(organization=organization, corpus=corpus)
    sides = [side for row in page.object_list for side in (row.paragraph_a, row.paragraph_b)]
    there = positions_today(corpora=[corpus]).filter(paragraph__in=sides).select_related("version")
    places = {position.paragraph_id: position for position in there}
    return {
        "corpus": corpus,
        "page_obj": page,
        "rows": [_row(row, places, organization.slug) for row in page.object_list],
        "state": state,
        "states": ReviewState.choices,
        "filters": [
            filter_link(label, counts.get(value, 0), is_active=value == state, state=value)
            for value, label in (("", "All"), *ReviewState.choices)
        ],
        "judged": {
            "n_right": judged.get(ReviewState.CONFIRMED, 0),
            "n": judged.get(ReviewState.CONFIRMED, 0) + judged.get(ReviewState.NOT_A_CONFLICT, 0),
        },
        "measured": MEASURED,
        "job": job,
        "is_working": job is not None and job.is_open,
    }


def _counts(organization: Organization, corpus: Corpus) -> dict[str, int]:
    """How many contradictions of the corpus are in each review state, and under "" in any."""
    rows = contradiction_list(organization=organization, corpus=corpus).order_by()
    counts = dict(rows.values_list("state").annotate(n=Count("pk")))
    return counts | {"": sum(counts.values())}


def _row(row: Contradiction, places: Mapping[int, Position], slug: str) -> dict[str, Any]:
    sides = [
        _side(paragraph, places.get(paragraph.pk), spans, slug)
        for paragraph, spans in zip((row.paragraph_a, row.paragraph_b), row.spans, strict=True)
    ]
    tone, icon = MARKS[ReviewState(row.state)]
    return {
        "contradiction": row,
        "heading": HEADINGS[row.kind],
        "difference": difference(*(side["words"] for side in sides)),
        "tone": tone,
        "icon": icon,
        "word": row.get_state_display(),
        "sides": sides,
    }


def _side(paragraph: Paragraph, position: Position | None, spans: dict[str, int], slug: str) -> dict[str, Any]:
    query = ""
    if position:
        place = f"{position.ordinal}:{spans['start']}-{spans['end']}"
        query = f"?{urlencode([('v', position.version.number), ('at', place)])}"
    return {
        "document": paragraph.document.title,
        "page_label": position.page_label if position and position.version.kind == "pdf" else "",
        "url": reverse("document_detail", args=(slug, paragraph.document_id)) + query,
        **marked(
            Span(spans["start"], spans["end"], paragraph.text[spans["start"] : spans["end"]]),
            Span(spans["words_start"], spans["words_end"], paragraph.text[spans["words_start"] : spans["words_end"]]),
        ),
    }


def contradiction_document(row: Contradiction) -> dict[str, Any]:
    """A contradiction as the API gives it."""
    return {
        "id": str(row.pk),
        "corpus_id": str(row.corpus_id),
        "kind": row.kind,
        "score": row.score,
        "state": row.state,
        "resolution": row.resolution,
        "reviewed_by": row.reviewed_by_id,
        "reviewed_at": row.reviewed_at,
        "created_at": row.created_at,
        "sides": [
            {
                "paragraph_id": paragraph.shown_id,
                "document_id": str(paragraph.document_id),
                "document": paragraph.document.title,
                "text": paragraph.text[spans["start"] : spans["end"]],
                **spans,
            }
            for paragraph, spans in zip((row.paragraph_a, row.paragraph_b), row.spans, strict=True)
        ],
    }
