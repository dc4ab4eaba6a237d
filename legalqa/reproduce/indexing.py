"""Building what is searched besides the chunks, for measuring: graph, question index, case base, ranker."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from corpora.models import Corpus, TrainedState
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from legalqa.jobs.waiting import job_worked
from legalqa.reproduce.intake import Note
from retrieval.cases.files import CaseRow
from retrieval.cases.indexing import TASK
from retrieval.cases.services import cases_add
from retrieval.graph.building import graph_start
from retrieval.graph.selectors import graph_job
from retrieval.models import CaseIndex, CaseState, RankerActivation, TrainedRanker
from retrieval.questions.services import question_index_get, questions_build
from retrieval.rerankers.model import RankerModel
from retrieval.rerankers.versions import model_fingerprint


def graph_built(*, organization: Organization, corpus: Corpus, note: Note = lambda _: None) -> None:
    """Build the graph of a corpus by rules, or bring it up to date."""
    with organization_scope(organization, user=None):
        job = graph_job(organization=organization, corpus=corpus)
        if job is None or not job.is_open:
            job = graph_start(organization=organization, user=None, corpus_id=corpus.pk)
    job_worked(job, note=lambda done: note(f"building the graph: {done}"))


def questions_built(*, organization: Organization, corpus: Corpus, note: Note = lambda _: None) -> None:
    """Build the question index of a corpus by templates, or bring it up to date."""
    of: dict[str, Any] = {"organization": organization, "corpus_id": corpus.pk}
    with organization_scope(organization, user=None):
        _, _, job = question_index_get(**of)
        if job is None or not job.is_open:
            job = questions_build(**of, user=None, uses_model=False)
    job_worked(job, note=lambda done: note(f"building the question index: {done}"))


def cases_built(
    *, organization: Organization, corpus: Corpus, cases: Sequence[CaseRow], note: Note = lambda _: None
) -> None:
    """Put approved cases into the base of a corpus, and bring its vectors up to date."""
    with organization_scope(organization, user=None):
        if cases:
            of: dict[str, Any] = {"organization": organization, "user": None, "corpus_id": corpus.pk}
            cases_add(**of, rows=cases, state=CaseState.APPROVED)
        index = CaseIndex.objects.get(corpus=corpus)
        job = Job.objects.filter(task=TASK, subject_id=index.pk).latest("created_at")
    job_worked(job, note=lambda done: note(f"encoding the cases: {done}"))


def ranker_used(model: RankerModel, *, organization: Organization, corpus: Corpus, source: str) -> None:
    """Let a corpus order its passages by a ranker that was trained here, unless it does so already."""
    document = model.as_mapping()
    fingerprint = model_fingerprint(document)
    with organization_scope(organization, user=None):
        of: dict[str, Any] = {"organization": organization, "corpus": corpus, "encoder": corpus.encoder}
        newest = RankerActivation.objects.filter(**of).select_related("ranker").order_by("-pk").first()
        if newest is not None and newest.ranker is not None and newest.ranker.fingerprint == fingerprint:
            return
        ranker = TrainedRanker.objects.create(
            **of,
            number=TrainedRanker.objects.filter(corpus=corpus).count() + 1,
            state=TrainedState.READY,
            training={},
            source=source,
            model=document,
            fingerprint=fingerprint,
            finished_at=timezone.now(),
        )
        RankerActivation.objects.create(**of, ranker=ranker)
