"""The clauses of a corpus's documents as a table, of one document with their quotes, and as the API gives them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import Truncator

from corpora.models import Corpus, Document, Position
from legalqa.accounts.models import Organization
from legalqa.answering.clauses.library import library
from legalqa.answering.clauses.models import ClauseState, ClauseVerdict
from legalqa.answering.clauses.reading import Clause
from legalqa.answering.clauses.rules import answer_words
from legalqa.answering.clauses.services import OWN, clause_list, clauses_chosen, reviews_open, verdict_list
from legalqa.answering.links import filter_link

ROWS_A_PAGE = 20
FEW_CONTRACTS = 4  # ours: contracts that are shown side by side on a page
CLAUSES_ABREAST = 6  # ours: clauses that do
NAME = "document-name"
# Clauses for which a cell shows the contract's own words, and not only whether it says something.
ANSWERED = (NAME, "parties", "agreement-date", "effective-date", "expiration-date", "governing-law")
ANSWER_CHARS = 80
FOUND = "found"
SHOWS = {
    FOUND: ("Present and not sure", {ClauseState.PRESENT.value, ClauseState.UNSURE.value}),
    "all": ("All", {*ClauseState.values, ""}),
    **{value: (str(label), {value}) for value, label in ClauseState.choices},
}
CSV_HEADER = ("document", "clause", "verdict", "read as", "reviewed by", "reviewed at", "page", "quote")
MARKS = {
    ClauseState.PRESENT.value: ("ok", "state-ok"),
    ClauseState.ABSENT.value: ("withheld", "state-withheld"),
    ClauseState.UNSURE.value: ("partly", "state-partly"),
}


def table_page(
    *, organization: Organization, corpus: Corpus, keys: Sequence[str], number: str | None
) -> dict[str, Any]:
    """One page of documents, a cell for each clause that was chosen.

    Raises:
        ApplicationError: there is no such clause.
    """
    clauses = clauses_chosen(organization=organization, keys=keys)
    page = Paginator(documents_readable(corpus=corpus), ROWS_A_PAGE).get_page(number)
    rows = list(verdict_list(corpus=corpus).filter(document__in=list(page.object_list)))
    by_document: dict[UUID, dict[str, ClauseVerdict]] = {}
    for verdict in rows:
        by_document.setdefault(verdict.document_id, {})[verdict.clause] = verdict
    places = _places(rows)
    jobs = reviews_open(organization=organization, corpus=corpus)
    contracts = [
        {
            "document": one,
            "name": _contract_name(one, by_document.get(one.pk, {})),
            "cells": [
                _answered(by_document.get(one.pk, {}).get(clause.key), places, organization.slug) for clause in clauses
            ],
        }
        for one in page.object_list
    ]
    return {
        "corpus": corpus,
        "page_obj": page,
        "clauses": clauses,
        "all_clauses": clause_list(organization=organization),
        "chosen_keys": [clause.key for clause in clauses] if keys else [],
        "rows": contracts,
        "by_clause": _by_clause(clauses, contracts),
        "jobs": jobs,
        "is_working": bool(jobs),
        "csv_query": urlencode([("clause", key) for key in keys]),
    }


def _by_clause(clauses: Sequence[Clause], contracts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The table with a row for each clause, if many clauses of few contracts are shown; otherwise none."""
    if len(contracts) > FEW_CONTRACTS or len(clauses) <= CLAUSES_ABREAST:
        return []
    return [
        {"clause": clause, "cells": [contract["cells"][n] for contract in contracts]}
        for n, clause in enumerate(clauses)
    ]


def documents_readable(*, corpus: Corpus) -> QuerySet[Document]:
    """The documents of the corpus that can be read for clauses, by title."""
    return Document.objects.filter(corpus=corpus, removed_at=None, current__isnull=False).order_by("title", "pk")


def _cell(verdict: ClauseVerdict) -> dict[str, Any]:
    tone, icon = MARKS[verdict.said]
    return {
        "verdict": verdict,
        "tone": tone,
        "icon": icon,
        "word": ClauseState(verdict.said).label,
        "is_reviewed": bool(verdict.reviewed_state),
    }


def _answered(
    verdict: ClauseVerdict | None, places: dict[tuple[UUID, int | None], Position], slug: str
) -> dict[str, Any]:
    """A cell of the table, linked to its quote, with the answer's own words where the clause is present."""
    if verdict is None:
        return {}
    quoted = _quoted(verdict, places, slug)
    answer = ""
    if verdict.clause in ANSWERED and verdict.said == ClauseState.PRESENT:
        answer = Truncator(answer_words(verdict.clause, quoted["quote"]) or quoted["quote"]).chars(ANSWER_CHARS)
    card = f"{reverse('clause_document', args=(slug, verdict.document_id))}?show={verdict.said}#{verdict.clause}"
    return _cell(verdict) | {"url": quoted["url"] or card, "answer": answer}


def _contract_name(document: Document, verdicts: Mapping[str, ClauseVerdict]) -> str:
    """Its title; if that is only the file's name, what the document calls itself, if that was read."""
    is_named = document.is_title_given or document.title != PurePath(document.name).stem
    verdict = verdicts.get(NAME)
    if is_named or verdict is None or verdict.said != ClauseState.PRESENT or verdict.paragraph is None:
        return document.title
    return answer_words(NAME, verdict.paragraph.text[verdict.start : verdict.end]) or document.title


def document_page(*, organization: Organization, document: Document, show: str) -> dict[str, Any]:
    """The clauses of one document, each with its quote and where it is.

    Args:
        show: A key of SHOWS; anything else shows what was found, and all clauses where none has been read.
    """
    verdicts = list(verdict_list(corpus=document.corpus).filter(document=document))
    by_clause = {verdict.clause: verdict for verdict in verdicts}
    places = _places(verdicts)
    shown = show if show in SHOWS else FOUND if verdicts else "all"
    clauses = clause_list(organization=organization)
    states = [by_clause[clause.key].said if clause.key in by_clause else "" for clause in clauses]
    rows = [
        {"clause": clause} | (_cell(verdict) | _quoted(verdict, places, organization.slug) if verdict else {})
        for clause, state in zip(clauses, states, strict=True)
        if state in SHOWS[shown][1]
        for verdict in [by_clause.get(clause.key)]
    ]
    return {
        "corpus": document.corpus,
        "document": document,
        "name": _contract_name(document, by_clause),
        "rows": rows,
        "show": shown,
        "filters": [
            filter_link(label, sum(state in kept for state in states), is_active=key == shown, show=key)
            for key, (label, kept) in SHOWS.items()
        ],
        "counts": [
            {"word": label, "n": sum(verdict.said == value for verdict in verdicts)}
            for value, label in ClauseState.choices
        ],
        "n_asked": len(verdicts),
    }


def _places(verdicts: Iterable[ClauseVerdict]) -> dict[tuple[UUID, int | None], Position]:
    """Where the quoted paragraphs are, by version and paragraph."""
    quoted = [verdict for verdict in verdicts if verdict.paragraph_id is not None]
    positions = Position.objects.filter(
        version__in={one.version_id for one in quoted}, paragraph__in={one.paragraph_id for one in quoted}
    ).select_related("version")
    return {(one.version_id, one.paragraph_id): one for one in positions.defer("version__text")}


def _quoted(verdict: ClauseVerdict, places: dict[tuple[UUID, int | None], Position], slug: str) -> dict[str, Any]:
    position = places.get((verdict.version_id, verdict.paragraph_id))
    if position is None or verdict.paragraph is None:
        return {"quote": "", "page_label": "", "provision": "", "url": ""}
    query = urlencode([("v", verdict.version.number), ("at", f"{position.ordinal}:{verdict.start}-{verdict.end}")])
    return {
        "quote": " ".join(verdict.paragraph.text[verdict.start : verdict.end].split()),
        "page_label": position.page_label if position.version.kind == "pdf" else "",
        "provision": " › ".join(filter(None, (*position.heading_path[-1:], position.label))),
        "url": f"{reverse('document_detail', args=(slug, verdict.document_id))}?{query}",
    }


def library_page(*, organization: Organization) -> dict[str, Any]:
    """The clauses of CUAD, and the organisation's own."""
    clauses = clause_list(organization=organization)
    return {
        "library": library(),
        "own": [{"clause": clause, "id": clause.key.removeprefix(OWN)} for clause in clauses[len(library()) :]],
    }


def verdict_documents(verdicts: Sequence[ClauseVerdict], *, organization: Organization) -> list[dict[str, Any]]:
    """Verdicts as the API gives them."""
    names = {clause.key: clause.name for clause in clause_list(organization=organization)}
    places = _places(verdicts)
    return [
        {
            "id": str(one.pk),
            "document_id": str(one.document_id),
            "document": one.document.title,
            "version": one.version.number,
            "clause": one.clause,
            "name": names.get(one.clause, one.clause),
            "state": one.said,
            "read_as": one.state,
            "probability": round(one.probability, 4),
            "reviewed_by": one.reviewed_by_id,
            "reviewed_at": one.reviewed_at,
            "start": one.start,
            "end": one.end,
            **{key: value for key, value in quoted.items() if key != "url"},
        }
        for one in verdicts
        for quoted in [_quoted(one, places, organization.slug)]
    ]


def csv_rows(*, organization: Organization, corpus: Corpus, keys: Sequence[str]) -> list[tuple[object, ...]]:
    """The verdicts on the chosen clauses of all documents as rows of CSV_HEADER.

    Raises:
        ApplicationError: there is no such clause.
    """
    order = [clause.key for clause in clauses_chosen(organization=organization, keys=keys)]
    rows = list(verdict_list(corpus=corpus).filter(clause__in=order).order_by("document__title", "document"))
    rows.sort(key=lambda one: (one.document.title, str(one.document_id), order.index(one.clause)))
    people = [one.reviewed_by.name if one.reviewed_by else "" for one in rows]
    documents = verdict_documents(rows, organization=organization)
    return [
        (
            one["document"], one["name"], ClauseState(one["state"]).label, ClauseState(one["read_as"]).label, person,
            one["reviewed_at"] or "", one["page_label"], one["quote"],
        )
        for one, person in zip(documents, people, strict=True)
    ]  # fmt: skip
