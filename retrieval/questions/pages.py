"""The question index as its page and its endpoints show it."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, F
from django.urls import reverse

from corpora.models import Corpus, Position
from legalqa.accounts.models import Organization
from legalqa.jobs.models import Job
from legalqa.jobs.pages import work_shown
from retrieval.models import IndexedQuestion, QuestionIndex, QuestionSource, QuestionState
from retrieval.questions.building import is_stale
from retrieval.questions.model import has_model
from retrieval.questions.services import GONE, paragraphs_replaced, question_list, waits_for_graph

MAX_PASSAGE = 240


def index_page(
    *, organization: Organization, corpus: Corpus, index: QuestionIndex | None, job: Job | None
) -> dict[str, Any]:
    """What the page says of the index as a whole."""
    is_open = job is not None and job.is_open
    rows = IndexedQuestion.objects.filter(corpus=corpus).order_by().values("source", "state").annotate(n=Count("pk"))
    counts = {(row["source"], row["state"]): row["n"] for row in rows}
    return {
        "corpus": corpus,
        "index": index,
        **work_shown(job),
        "is_stale": index is not None and not is_open and is_stale(index=index),
        "waits_for_graph": waits_for_graph(index=index, job=job),
        "has_model": has_model(organization=organization),
        "n_questions": sum(counts.values()),
        "sources": [
            {"value": value, "label": label, "n": sum(n for (source, _), n in counts.items() if source == value)}
            for value, label in QuestionSource.choices
        ],
        "n_rejected": sum(n for (_, state), n in counts.items() if state == QuestionState.REJECTED),
        "n_gone": question_list(organization=organization, corpus_id=corpus.pk, state=GONE).count(),
        "n_replaced": paragraphs_replaced(corpus=corpus).count(),
    }


def question_rows(*, questions: Sequence[IndexedQuestion], slug: str) -> list[dict[str, Any]]:
    """Questions with links to their passages; one whose passage is in no current version has none."""
    paragraphs = [question.paragraph_id for question in questions]
    live = Position.objects.filter(
        paragraph__in=paragraphs, version=F("paragraph__document__current"), version__document__removed_at=None
    )
    places = {
        p: (ordinal, number) for p, ordinal, number in live.values_list("paragraph", "ordinal", "version__number")
    }
    rows = []
    for question in questions:
        words = " ".join(question.paragraph.text[question.start : question.end].split())
        place = places.get(question.paragraph_id)
        url = ""
        if place is not None:
            at = {"v": place[1], "at": f"{place[0]}:{question.start}-{question.end}"}
            url = reverse("document_detail", args=(slug, question.paragraph.document_id), query=at)
        rows.append(
            {
                "question": question,
                "is_rejected": question.state == QuestionState.REJECTED,
                "document": question.paragraph.document.title,
                "passage": words if len(words) <= MAX_PASSAGE else words[:MAX_PASSAGE].rsplit(" ", 1)[0] + " …",
                "url": url,
            }
        )
    return rows
