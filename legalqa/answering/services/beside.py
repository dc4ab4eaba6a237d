"""What contradicts what an answer cites: among its own evidence, and in the report of its corpus with its reviews."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Q

from corpora.in_force import versions_in_force
from corpora.models import Paragraph, Position
from legalqa.answering.conflicts.engine import Conflict, Span
from legalqa.answering.conflicts.finding import Finding, evidence_conflicts
from legalqa.answering.conflicts.resolving import Provision, Resolution, source_of
from legalqa.answering.models import Answer, Contradiction, ReviewState
from legalqa.answering.selectors import paragraphs_read
from legalqa.answering.services.conflicts import provisions_known, versions_today

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Beside:
    """Contradictions beside an answer: first those that a person confirmed, then open ones, then resolved ones.

    `rows` has the place of each of their provisions by the id of its paragraph, as the rows of the evidence have it.
    """

    findings: tuple[Finding, ...] = ()
    rows: Mapping[str, Row] = field(default_factory=dict)


def conflicts_of_answer(*, answer: Answer, cited: Iterable[str]) -> Beside:
    """What contradicts the cited paragraphs, in the rest of the evidence and in the report of the corpus.

    A pair that a person reviewed as no contradiction, or as resolved, is left out. From the report only confirmed pairs
    are added, because its search finds more than there is. The report is about current versions, so it adds nothing to
    an answer as of a day. Text that was removed or replaced since contradicts nothing.

    Args:
        answer: With its evidence.
        cited: Ids of the paragraphs that its shown claims cite.
    """
    rows: dict[str, Row] = {str(row["paragraph_id"]): row for row in answer.evidence}
    keys = frozenset(cited) & rows.keys()
    if not keys:
        return Beside()
    report = {frozenset((row.paragraph_a.shown_id, row.paragraph_b.shown_id)): row for row in _reported(answer, keys)}
    findings = {
        frozenset((one.a.key, one.b.key)): one
        for one in evidence_conflicts(_provisions(rows))
        if {one.a.key, one.b.key} & keys
    }
    standing = _standing(answer, frozenset[str]().union(*findings, *report))
    findings = {pair: one for pair, one in findings.items() if pair <= standing}
    confirmed = {pair for pair, row in report.items() if row.state == ReviewState.CONFIRMED}
    added = {pair: report[pair] for pair in confirmed - findings.keys() if not answer.as_of}
    sides = [side for row in added.values() for side in (row.paragraph_a, row.paragraph_b)]
    now = _rows_now(answer, [side for side in sides if side.shown_id not in rows])
    rows |= now
    findings |= {pair: _finding(row) for pair, row in added.items() if pair <= standing | now.keys()}
    pairs = [(pair, one) for pair, one in findings.items() if pair not in report or not _is_settled(report[pair])]
    pairs.sort(key=lambda item: (item[0] not in confirmed, not item[1].is_open, -item[1].conflict.score))
    return Beside(tuple(one for _, one in pairs), rows)


def _provisions(rows: Mapping[str, Row]) -> list[Provision]:
    placed = []
    for key, row in rows.items():
        heading, document = row.get("heading", ""), row["document_id"]
        headings = [one for one in heading.split(" › ") if one]
        source = source_of(document=document, title=row["document"], kind=row["kind"], headings=headings)
        placed.append(((document, row["version"]), Provision(key, row["text"], *source, heading=heading)))
    return provisions_known(placed=placed)


def _reported(answer: Answer, keys: frozenset[str]) -> list[Contradiction]:
    """The pairs of the corpus's report of which one side is cited; documents that were removed are left out."""
    documents = {row["document_id"] for row in answer.evidence if str(row["paragraph_id"]) in keys}
    by_id = Q(public_id__in=keys) | Q(external_id__in=keys)
    paragraphs = Paragraph.objects.filter(by_id, document_id__in=documents).values("pk")
    pairs = Contradiction.objects.filter(
        Q(paragraph_a__in=paragraphs) | Q(paragraph_b__in=paragraphs),
        organization_id=answer.organization_id,
        corpus_id=answer.question.corpus_id,
        paragraph_a__document__removed_at=None,
        paragraph_b__document__removed_at=None,
    )
    return list(pairs.select_related("paragraph_a__document", "paragraph_b__document"))


def _standing(answer: Answer, keys: frozenset[str]) -> frozenset[str]:
    """The paragraphs that are still in a version in force."""
    read = paragraphs_read(answer=answer) if keys else {}
    return frozenset(_rows_now(answer, [read[key] for key in keys & read.keys()]))


def _is_settled(row: Contradiction) -> bool:
    """Whether a person closed the pair, so that it is not shown; a pair that only the search resolved still is."""
    return row.reviewed_at is not None and row.state in (ReviewState.NOT_A_CONFLICT, ReviewState.RESOLVED)


def _rows_now(answer: Answer, paragraphs: Iterable[Paragraph]) -> dict[str, Row]:
    """Where paragraphs are in the versions in force, today or on the answer's day; those in none are left out."""
    if not (ids := {paragraph.pk for paragraph in paragraphs}):
        return {}
    corpus, day = answer.question.corpus, answer.as_of
    versions: Collection[UUID] = (
        versions_in_force(day=date.fromisoformat(day), corpus=corpus).values() if day else versions_today(corpus=corpus)
    )
    positions = Position.objects.filter(paragraph__in=ids, version__in=versions)
    return {
        position.paragraph.shown_id: {
            "paragraph_id": position.paragraph.shown_id,
            "document_id": str(position.paragraph.document_id),
            "document": position.paragraph.document.title,
            "version": position.version.number,
            "kind": position.version.kind,
            "ordinal": position.ordinal,
            "page": position.page,
            "page_label": position.page_label,
            "heading": " › ".join(position.headings),
        }
        for position in positions.select_related("paragraph__document", "version").defer("version__text")
    }


def _finding(row: Contradiction) -> Finding:
    """A pair of the report, as the search found it."""
    sides = list(zip((row.paragraph_a, row.paragraph_b), row.spans, strict=True))
    a, b = (
        Provision(paragraph.shown_id, paragraph.text, str(paragraph.document_id), paragraph.document.title)
        for paragraph, _ in sides
    )
    sentence_a, sentence_b = (_span(paragraph, spans["start"], spans["end"]) for paragraph, spans in sides)
    words_a, words_b = (_span(paragraph, spans["words_start"], spans["words_end"]) for paragraph, spans in sides)
    resolution = Resolution("report", "", row.resolution) if row.resolution else None
    return Finding(a, b, Conflict(row.kind, words_a, words_b, sentence_a, sentence_b, row.score), resolution)


def _span(paragraph: Paragraph, start: int, end: int) -> Span:
    return Span(start, end, paragraph.text[start:end])
