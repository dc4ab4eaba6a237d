"""A garden whose rules are searched, with a gold set on it; and a law office with a model for its answers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from corpora.models import Corpus
from judging.experiments.services import EXPERIMENTS, experiment_start
from judging.experiments.settings import experiment_settings
from judging.experiments.work import experiment_slice
from judging.gold.services.sets import gold_set_import
from judging.models import Experiment, GoldSet
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from tests.committed import committed
from tests.ingestion import ingest, make_corpus
from tests.judging.gold.reading import gold_rows_read
from tests.legalqa.answering.conftest import committed_office, office  # noqa: F401 - fixtures
from tests.people import Firm, make_firm

RULES = {
    "rent": "The tenant of the garden pays 900 euros on the first day of each month.",
    "water": "The gardener waters the roses every third day in summer.",
    "dogs": "Dogs are kept on a leash in the garden.",
}
QUESTIONS = (
    {"question": "What does the tenant pay?", "reference_paragraph_ids": ["rent"], "question_type": "simple"},
    {"question": "How often does the gardener water the roses?", "reference_paragraph_ids": ["water"]},
    {"question": "Which team won the football world cup in France in 1998?", "answerable": False},
)


@dataclass(frozen=True)
class Garden:
    """A firm with one corpus and a gold set on it."""

    firm: Firm
    corpus: Corpus
    gold_set: GoldSet

    def scope(self) -> Any:
        return organization_scope(self.firm.organization, user=self.firm.manager)

    def corpus_now(self) -> Corpus:
        return Corpus.objects.get(pk=self.corpus.pk)

    def begin(self, *presets: str, **more: Any) -> Experiment:
        """An experiment that waits for a worker."""
        started = {name: more.pop(name) for name in ("rerun", "previous", "name") if name in more}
        with self.scope():
            return experiment_start(
                organization=self.firm.organization,
                user=self.firm.manager,
                gold_set_id=self.gold_set.pk,
                settings=experiment_settings(presets=presets, **more),
                **started,
            )

    def work(self, experiment: Experiment, *, slices: int = 50) -> Experiment:
        """Work this many slices on an experiment, or to its end; the experiment as it is then."""
        job = Job.objects.filter(subject_id=experiment.pk).latest("created_at")
        for _ in range(slices):
            if Job.objects.get(pk=job.pk).is_open:
                job_run(job_id=job.pk, work=experiment_slice)
        return self.now(experiment)[0]

    def now(self, experiment: Experiment) -> tuple[Experiment, Job]:
        with self.scope():
            found, job = EXPERIMENTS.get(organization=self.firm.organization, run_id=experiment.pk)
        assert job is not None
        return found, job

    def ended(self, *presets: str, **more: Any) -> Experiment:
        return self.work(self.begin(*presets, **more))


def make_garden() -> Garden:
    firm = make_firm("gardeners", "Rose & Thorn")
    corpus = make_corpus(firm, "Gardens")
    ingest(firm, corpus, "rules.jsonl", "\n".join(json.dumps({"id": key, "text": text}) for key, text in RULES.items()))
    with organization_scope(firm.organization, user=firm.manager):
        rows = gold_rows_read("\n".join(map(json.dumps, QUESTIONS)))
        gold_set = gold_set_import(
            organization=firm.organization, user=firm.manager, corpus_id=corpus.pk, name="garden", rows=rows
        )
    return Garden(firm, corpus, gold_set)


@pytest.fixture(scope="module")
def committed_garden(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Garden]:
    yield from committed(django_db_blocker, make_garden)


@pytest.fixture
def garden(committed_garden: Garden, db: None) -> Garden:
    return committed_garden
