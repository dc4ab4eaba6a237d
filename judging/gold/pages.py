"""What the pages of gold sets show."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import F
from django.urls import reverse

from corpora.models import Corpus, Paragraph, Position
from corpora.selectors import corpus_get
from judging.gold.files import GoldRow
from judging.gold.grades import graded_counts, graded_rows
from judging.gold.services import gold_references, gold_set_list, marks_count
from judging.models import GoldQuestion, GoldReference
from legalqa.accounts.models import Organization


def gold_set_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """The gold sets of a corpus, and what new ones could be made of."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return {
        "corpus": corpus,
        "sets": gold_set_list(organization=organization, corpus_id=corpus_id),
        "n_marked": marks_count(organization=organization, corpus_id=corpus_id),
        "graded": graded_counts(organization=organization, corpus=corpus),
    }


def question_rows(*, questions: Sequence[GoldQuestion], slug: str) -> list[dict[str, Any]]:
    """Questions with their references as links into the reader."""
    references = gold_references(questions=questions)
    paragraphs = [r.paragraph_id for held in references.values() for r in held]
    live = Position.objects.filter(paragraph_id__in=paragraphs, version=F("paragraph__document__current"))
    places = dict(live.values_list("paragraph_id", "ordinal"))
    rows = []
    for question in questions:
        passages = [_passage(reference, places, slug) for reference in references.get(question.pk, ())]
        is_unknown = question.is_answerable and not passages
        rows.append({"question": question, "passages": passages, "is_unknown": is_unknown})
    return rows


def graded_page(*, organization: Organization, corpus: Corpus, kind: str) -> dict[str, Any]:
    """The questions that grades make, all or of one kind, with links that show each kind with its count."""
    rows = graded_rows(organization=organization, corpus=corpus)
    kinds = {
        "": ("All", rows),
        "answerable": ("With passages", [row for row in rows if row.is_answerable]),
        "silent": ("Correctly declined", [row for row in rows if not row.is_answerable]),
    }
    shown = kind if kind in kinds else ""
    return {
        "corpus": corpus,
        "questions": kinds[shown][1],
        "filters": [
            {"url": f"?kind={key}" if key else "?", "label": label, "count": len(held), "is_active": key == shown}
            for key, (label, held) in kinds.items()
        ],
    }


def graded_question_rows(*, questions: Sequence[GoldRow], slug: str) -> list[dict[str, Any]]:
    """Questions that grades make, with their passages as links into the reader."""
    wanted = {span.paragraph_id for row in questions for span in row.references}
    paragraphs = Paragraph.objects.filter(public_id__in=wanted).select_related("document")
    held = {paragraph.public_id: paragraph for paragraph in paragraphs}
    live = Position.objects.filter(paragraph__in=held.values(), version=F("paragraph__document__current"))
    places = dict(live.values_list("paragraph_id", "ordinal"))
    return [
        {
            "question": {
                "text": row.question,
                "reference_answer": row.reference_answer,
                "is_answerable": row.is_answerable,
            },
            "passages": [
                _passage(GoldReference(paragraph=held[span.paragraph_id]), places, slug) for span in row.references
            ],
        }
        for row in questions
    ]


def _passage(reference: GoldReference, places: dict[int, int], slug: str) -> dict[str, Any]:
    paragraph = reference.paragraph
    return {
        "text": paragraph.text[slice(reference.start, reference.end)].strip(),
        "document": paragraph.document.title,
        "is_gone": paragraph.document.removed_at is not None or paragraph.pk not in places,
        "url": _reader_url(reference, places, slug),
    }


def _reader_url(reference: GoldReference, places: dict[int, int], slug: str) -> str:
    """The reader, open at the passage in the version that is searched now."""
    paragraph = reference.paragraph
    url = reverse("document_detail", args=[slug, paragraph.document_id])
    end = reference.end or len(paragraph.text)
    return f"{url}?at={places.get(paragraph.pk, 0)}:{reference.start or 0}-{end}"
