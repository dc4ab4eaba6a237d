"""What the pages of gold sets show."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import F
from django.urls import reverse

from corpora.models import Position
from corpora.selectors import corpus_get
from judging.gold.grades import graded_counts
from judging.gold.services import gold_references, gold_set_list, marks_count
from judging.models import GoldQuestion, GoldReference
from judging.tuning.choosing import MIN_QUESTIONS
from judging.tuning.forms import TuningForm
from judging.tuning.presentation import gain_words, state_word
from judging.tuning.services import tuning_list
from legalqa.accounts.models import Organization
from legalqa.jobs.selectors import job_latest_by_subject

RUNS_SHOWN = 10


def gold_set_choices(*, organization: Organization, corpus_id: UUID) -> list[tuple[str, str]]:
    """The gold sets of a corpus for a form."""
    found = gold_set_list(organization=organization, corpus_id=corpus_id)
    return [(str(row.gold_set.pk), f"{row.gold_set.name} ({row.n_answerable} answerable)") for row in found]


def gold_set_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """The gold sets of a corpus, the form to tune on one, and what was tuned."""
    found = gold_set_list(organization=organization, corpus_id=corpus_id)
    runs = list(tuning_list(organization=organization, corpus_id=corpus_id)[:RUNS_SHOWN])
    jobs = job_latest_by_subject(organization=organization, subject_ids=[run.pk for run in runs])
    choices = [(str(row.gold_set.pk), f"{row.gold_set.name} ({row.n_answerable} answerable)") for row in found]
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return {
        "corpus": corpus,
        "sets": found,
        "n_marked": marks_count(organization=organization, corpus_id=corpus_id),
        "graded": graded_counts(organization=organization, corpus=corpus),
        "tuning_form": TuningForm(gold_sets=choices),
        "min_questions": MIN_QUESTIONS,
        "runs": [{"run": run, "state": state_word(jobs.get(run.pk)), "gain": gain_words(run)} for run in runs],
    }


def question_rows(*, questions: Sequence[GoldQuestion], slug: str) -> list[dict[str, Any]]:
    """Questions with their references as links into the reader."""
    references = gold_references(questions=questions)
    paragraphs = [r.paragraph_id for held in references.values() for r in held]
    live = Position.objects.filter(paragraph_id__in=paragraphs, version=F("paragraph__document__current"))
    places = dict(live.values_list("paragraph_id", "ordinal"))
    rows = []
    for question in questions:
        passages = [
            {
                "text": r.paragraph.text[slice(r.start, r.end)].strip(),
                "document": r.paragraph.document.title,
                "is_gone": r.paragraph.document.removed_at is not None or r.paragraph_id not in places,
                "url": _reader_url(r, places, slug),
            }
            for r in references.get(question.pk, ())
        ]
        rows.append({"question": question, "passages": passages})
    return rows


def _reader_url(reference: GoldReference, places: dict[int, int], slug: str) -> str:
    """The reader, open at the passage in the version that is searched now."""
    paragraph = reference.paragraph
    url = reverse("document_detail", args=[slug, paragraph.document_id])
    end = reference.end or len(paragraph.text)
    return f"{url}?at={places.get(paragraph.pk, 0)}:{reference.start or 0}-{end}"
