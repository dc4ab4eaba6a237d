"""What belongs to a corpus, in every table: followed along the foreign keys, so that no new table is forgotten."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from uuid import UUID

from django.apps import apps
from django.db.models import CASCADE, ForeignKey, Model, QuerySet

from corpora.models import Corpus, CorpusMember
from legalqa.accounts.models import Organization
from legalqa.jobs.models import Job

REMOVE = "corpora.tasks.corpus_remove"
# The tables that people are told about, in words for one row and for several.
TOLD = {
    "corpora.Document": ("document", "documents"),
    "answering.Answer": ("answer", "answers"),
    "judging.GoldSet": ("gold set", "gold sets"),
    "judging.Campaign": ("grading campaign", "grading campaigns"),
    "corpora.TrainedEncoder": ("trained encoder", "trained encoders"),
    "retrieval.TrainedRanker": ("trained ranker", "trained rankers"),
    "answering.TrainedReader": ("trained reader", "trained readers"),
    "retrieval.ComplexityClassifier": ("trained classifier", "trained classifiers"),
    "retrieval.SavedPreset": ("saved preset", "saved presets"),
    "corpora.WatchedFolder": ("watched folder", "watched folders"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A table with rows of corpora, and a way from such a row to its corpus, as the ORM spells it."""

    model: type[Model]
    path: str

    def rows(self, corpus_id: UUID) -> QuerySet[Model]:
        """The rows of a corpus."""
        return self.model._default_manager.filter(**{self.path: corpus_id})


@cache
def parts() -> tuple[Part, ...]:
    """The tables whose rows go with a corpus, each after the tables whose rows point at it.

    A row belongs to a corpus by any foreign key that cascades. The people named in a corpus are left out: their rows
    are its wall, which holds until its last row is gone.
    """
    paths: dict[type[Model], str] = {Corpus: ""}
    n_before = 0
    while len(paths) > n_before:
        n_before = len(paths)
        for model in apps.get_models():
            ways = [_joined(key, paths) for key in _keys(model) if key.related_model in paths]
            if ways and model not in paths:
                paths[model] = min(ways, key=lambda way: way.count("__"))
    del paths[Corpus], paths[CorpusMember]
    every: dict[type[Model], str] = paths | {Corpus: ""}
    return tuple(
        Part(model, _joined(key, every))
        for model in _children_first(list(paths))
        for key in _keys(model)
        if key.related_model in every
    )


def _keys(model: type[Model]) -> list["ForeignKey[Model, Model]"]:
    keys = [f for f in model._meta.concrete_fields if isinstance(f, ForeignKey)]
    return [f for f in keys if f.remote_field.on_delete is CASCADE and f.related_model is not model]


def _joined(key: "ForeignKey[Model, Model]", paths: dict[type[Model], str]) -> str:
    return "__".join(filter(None, (key.name, paths[key.related_model])))


def _children_first(models: list[type[Model]]) -> Iterator[type[Model]]:
    rest = list(models)
    while rest:
        parents = {key.related_model for model in rest for key in _keys(model)}
        free = [model for model in rest if model not in parents]
        yield from free
        rest = [model for model in rest if model in parents]


def removal_counts(*, corpus: Corpus) -> dict[str, int]:
    """How many rows of each kind in `TOLD` are removed with the corpus; kinds without rows are left out."""
    counts: dict[str, int] = {}
    for part in parts():
        if (label := part.model._meta.label) in TOLD and label not in counts:
            counts[label] = part.rows(corpus.pk).count()
    return {label: counts[label] for label in TOLD if counts.get(label)}


@dataclass(frozen=True, slots=True)
class Removal:
    """How far the removal of a corpus is; `percent` of its rows are gone."""

    corpus_id: UUID
    name: str
    state: str  # "due", "removing" or "failed"
    due_at: datetime
    percent: int


def removals(*, organization: Organization) -> dict[UUID, Removal]:
    """The corpora that are being removed, or will be, among those that the active person may see."""
    leaving = Corpus.objects.filter(organization=organization, removal_due_at__isnull=False)
    due = {corpus.pk: corpus for corpus in leaving.order_by("name")}
    jobs = removal_jobs(organization=organization, corpus_ids=list(due))
    return {pk: _removal(corpus, jobs.get(pk)) for pk, corpus in due.items()}


def removal_jobs(*, organization: Organization, corpus_ids: list[UUID]) -> dict[UUID, Job]:
    """The newest job that removes each of the corpora."""
    jobs = Job.objects.filter(organization_id=organization.pk, task=REMOVE, subject_id__in=corpus_ids)
    return {job.subject_id: job for job in jobs.order_by("created_at")}


def _removal(corpus: Corpus, job: Job | None) -> Removal:
    assert corpus.removal_due_at is not None
    state = "removing" if corpus.removal_begun_at else "due"
    is_at_work = job is not None and job.is_open
    return Removal(
        corpus.pk,
        corpus.name,
        state if is_at_work else "failed",
        corpus.removal_due_at,
        job.percent if job is not None and is_at_work else 0,
    )


def goes_in_words(*, counts: dict[str, int]) -> list[str]:
    """What goes, such as "1 document" and "12 answers"."""
    return [f"{n:,} {TOLD[label][n != 1]}" for label, n in counts.items()]
