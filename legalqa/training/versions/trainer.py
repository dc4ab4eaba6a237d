"""The life cycle of trained versions, runs that can be put to use: a trainer says what is trained, and how.

A version is nothing until it is ready: model, report and state are stored in one transaction. A training keeps files in
`work_folder`; a crash costs only the work after the last one, and without them the training begins again.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db.models import Max, Model, QuerySet
from django.utils import timezone

from corpora.models import TRAINED_TRANSITIONS, Corpus, TrainedState, TrainedVersion
from corpora.runs.services import Runs
from corpora.selectors import corpus_get
from corpora.services.corpus import corpus_lock
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import Conflict
from legalqa.common.transitions import sources
from legalqa.jobs.models import Job
from legalqa.jobs.services import JobRefused, Lease
from legalqa.training.files import work_remove, works_sweep

V = TypeVar("V", bound=TrainedVersion)
C = TypeVar("C")  # the options that somebody chooses for a training


class Standing(StrEnum):
    """The standing of a version, by its state, its job and what the corpus uses."""

    TRAINING = "training"
    STOPPED = "stopped"
    READY = "ready"
    IN_USE = "in use"


ALLOWED = {  # step: standings of a version from which it may be taken
    "use": {Standing.READY},
    "remove": {Standing.STOPPED, Standing.READY},
}
REFUSALS = {  # step and standing: the code, and what to do
    ("use", Standing.TRAINING): ("{name}_not_ready", "This {name} is not ready yet. Wait until it is trained."),
    ("use", Standing.STOPPED): ("{name}_not_ready", "This {name} is not ready yet. Resume its training first."),
    ("use", Standing.IN_USE): ("{name}_in_use", "This {name} is in use already."),
    ("remove", Standing.IN_USE): ("{name}_in_use", "This {name} is in use. Activate another one first."),
    ("remove", Standing.TRAINING): ("training_open", "This {name} is being trained. Cancel that first."),
}


@dataclass(frozen=True, slots=True)
class NewVersion:
    """Columns of a version that is about to be trained, and what the audit log notes about it."""

    columns: Mapping[str, Any]
    noted: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finished:
    """Columns of a version that is ready, and where its job ended."""

    columns: Mapping[str, Any]
    stage: str
    total: int = 0


class Trainer(Runs[V], ABC, Generic[V, C]):
    """One kind of trained version; a subclass names its tables and does the work.

    Attributes:
        name: What people call it; the start of its codes and of its audit actions.
        uses: The table of activations, whose newest row counts for each slot; it has a foreign key to `model`.
        slot: Column of both tables: what a version is used for, of which a corpus uses one version each; "" where it
            uses one for all.
        first_stage: Of the job.
        versions_max: Kept for a corpus: a list that people can still read.
    """

    uses: type[Model]
    slot: str = ""
    task: str = "legalqa.training.tasks.version_train"
    first_stage: str = "training"
    versions_max: int = 50
    order = "-number"
    joined = ("created_by",)
    at_work = ("training_open", "Another {name} is being trained already. Wait for it, or cancel it first.")

    # -- What a trainer says ------------------------------------------------------------------------------------------

    @abstractmethod
    def prepared(self, *, organization: Organization, corpus: Corpus, choices: C) -> NewVersion:
        """The version that these choices make.

        Raises:
            NotFound: something that was chosen is not the corpus's.
            ApplicationError: it cannot be trained; the message says why.
        """

    @abstractmethod
    def step(self, lease: Lease, version: V) -> Finished | None:
        """Work until the lease's time is over; None while there is more to do.

        Raises:
            JobRefused: another try would end the same.
        """

    def slot_now(self, corpus: Corpus) -> Any:
        """The slot that searches of a corpus use; "" where they use every one."""
        return ""

    def use_noted(self, slot: Any, version: V | None) -> dict[str, Any]:
        """What the audit log notes about an activation."""
        return self.slot_noted(slot)

    def slot_noted(self, slot: Any) -> dict[str, Any]:
        """What the audit log notes about the slot of an activation or a rollback."""
        return {}

    def use_check(self, corpus: Corpus, version: V) -> None:
        """Raise Conflict where the corpus cannot use a version that is ready."""

    def removed(self, version: V) -> None:
        """Remove what is kept of a version besides its row and its work folder."""

    # -- Reading ------------------------------------------------------------------------------------------------------

    def in_use(self, *, corpus: Corpus) -> dict[Any, UUID | None]:
        """The version in use by slot; None, or no entry, is the packaged one."""
        rows = self.uses._default_manager.filter(corpus=corpus).order_by("pk")
        if not self.slot:
            return {"": rows.values_list(self._used, flat=True).last()}
        return dict(rows.values_list(self.slot, self._used))

    def slot_of(self, version: V) -> Any:
        return getattr(version, self.slot) if self.slot else ""

    def is_in_use(self, version: V, *, corpus: Corpus, in_use: Mapping[Any, UUID | None]) -> bool:
        """Whether searches use a version now; one that is in use for another slot than theirs waits."""
        slot, now = self.slot_of(version), self.slot_now(corpus)
        return in_use.get(slot) == version.pk and (not now or slot == now)

    def standing(self, version: V, *, job: Job | None, in_use: Mapping[Any, UUID | None]) -> Standing:
        if not version.is_ready:
            return Standing.TRAINING if job is not None and job.is_open else Standing.STOPPED
        return Standing.IN_USE if in_use.get(self.slot_of(version)) == version.pk else Standing.READY

    # -- The life cycle -----------------------------------------------------------------------------------------------

    def start(self, *, organization: Organization, user: User | None, corpus_id: UUID, choices: C) -> tuple[V, Job]:
        """Start training a new version in the background; it is not used before somebody activates it.

        Raises:
            NotFound: no such corpus, you have no access to it, or as `prepared`.
            ApplicationError: as `prepared`.
            Conflict: the corpus has `versions_max` versions, or one is being trained.
        """
        corpus = corpus_get(organization=organization, corpus_id=corpus_id)
        new = self.prepared(organization=organization, corpus=corpus, choices=choices)
        works_sweep()
        Corpus.objects.select_for_update().get(pk=corpus.pk)  # numbers are given one by one
        rows = self.rows().filter(corpus=corpus)
        if rows.count() >= self.versions_max:
            words = f"The corpus already has {self.versions_max} versions of the {self.name}. Remove one first."
            raise Conflict(words, code="too_many")
        number = (rows.aggregate(last=Max("number"))["last"] or 0) + 1
        version = self.model(organization=organization, corpus=corpus, number=number, created_by=user, **new.columns)
        self.alone_check(version)
        self.add(version, f"{self.name}.trained", **new.noted)
        return version, self.work(version, user=user)

    def beside(self, run: V) -> QuerySet[V]:
        return super().beside(run).filter(state=TrainedState.BUILDING)

    def slice(self, *, lease: Lease) -> bool:
        """Work on a training until it is ready or the lease's time is over; True once it is ready.

        Raises:
            JobRefused: the version was removed, or as `step`.
        """
        while True:
            version = self._opened(lease)
            if version is None:
                return True
            connection_give_back()
            finished = self.step(lease, version)
            if finished is not None:
                self._finish(lease, version, finished)
                return True
            if lease.is_over:
                return False

    def _opened(self, lease: Lease) -> V | None:
        """The version to work on, without its model; None where it is ready."""
        with organization_scope(lease.organization_id, user=None):
            rows = self.rows().filter(pk=lease.subject_id).select_related("corpus")
            version = rows.defer(*(column for column in self.large if column != "data")).first()
            if version is None:
                work_remove(lease.subject_id)
                raise JobRefused(f"{self.name}_removed")
            if version.is_ready:
                return None
            if not lease.stage:
                lease.begin(stage=self.first_stage)
        return version

    def _finish(self, lease: Lease, version: V, finished: Finished) -> None:
        """Store model, report and state at once, and end the job: from now on nothing of the version changes."""
        with organization_scope(lease.organization_id, user=None):
            before = self.rows().filter(pk=version.pk, state__in=sources(TRAINED_TRANSITIONS, TrainedState.READY))
            before.update(state=TrainedState.READY, finished_at=timezone.now(), **finished.columns)
            lease.advance(stage=finished.stage, cursor=finished.total, total=finished.total)
            lease.finish()
        work_remove(version.pk)

    def use(
        self,
        *,
        organization: Organization,
        user: User | None,
        corpus_id: UUID,
        version_id: UUID | None,
        slot: Any = None,
    ) -> Job | None:
        """Activate a version; None activates the packaged one of the slot, by default of the one that searches use.

        Returns the job of a switch that takes time.

        Raises:
            NotFound: no such corpus or version.
            Conflict: it is not ready or in use already, or the corpus cannot use it now.
        """
        corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
        slot = self.slot_now(corpus) if slot is None else slot
        version = None
        if version_id is not None:
            version, job = self.get(organization=organization, run_id=version_id, corpus_id=corpus_id)
            slot = self.slot_of(version)
            if version.is_ready:
                self.use_check(corpus, version)
            self._check("use", version, job)
        elif self.in_use(corpus=corpus).get(slot) is None:
            self._refuse("use", Standing.IN_USE)
        columns = {self._used: version and version.pk, "organization": organization, "created_by": user}
        columns |= self._in(slot)
        self.uses._default_manager.create(corpus=corpus, **columns)
        self._audit(organization, user, corpus, "activated", self.use_noted(slot, version))
        return None

    def roll_back(
        self, *, organization: Organization, user: User | None, corpus_id: UUID, slot: Any = None
    ) -> Job | None:
        """Activate what a slot used before, by default the one that searches use. Returns as `use`.

        Raises:
            NotFound: no such corpus.
            Conflict: nothing was activated yet.
        """
        corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
        slot = self.slot_now(corpus) if slot is None else slot
        newest = self.uses._default_manager.filter(corpus=corpus, **self._in(slot)).order_by("-pk").first()
        if newest is None:
            words = f"The packaged {self.name} is in use; there is none before it."
            raise Conflict(words, code="nothing_before")
        newest.delete()
        self._audit(organization, user, corpus, "rolled_back", self.slot_noted(slot))
        return None

    def can_roll_back(self, *, corpus: Corpus, slot: Any) -> bool:
        return self.uses._default_manager.filter(corpus=corpus, **self._in(slot)).exists()

    def remove(self, *, organization: Organization, user: User | None, corpus_id: UUID, version_id: UUID) -> None:
        """Remove a version with its questions and its report.

        Raises:
            NotFound: no such corpus or version.
            Conflict: it is in use, or being trained.
        """
        corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
        version, job = self.get(organization=organization, run_id=version_id, corpus_id=corpus_id)
        self._check("remove", version, job)
        work_remove(version.pk)
        self.removed(version)
        version.delete()
        self._audit(organization, user, corpus, "removed", {})

    def _in(self, slot: Any) -> dict[str, Any]:
        return {self.slot: slot} if self.slot else {}

    @property
    def _used(self) -> str:
        """The column of an activation that names the version."""
        return next(column.attname for column in self.uses._meta.fields if column.related_model is self.model)

    def _check(self, step: str, version: V, job: Job | None) -> None:
        standing = self.standing(version, job=job, in_use=self.in_use(corpus=version.corpus))
        if standing not in ALLOWED[step]:
            self._refuse(step, standing)

    def _refuse(self, step: str, standing: Standing) -> None:
        code, words = REFUSALS[step, standing]
        raise Conflict(words.format(name=self.name), code=code.format(name=self.name))

    def _audit(
        self, organization: Organization, user: User | None, corpus: Corpus, what: str, noted: Mapping[str, Any]
    ) -> None:
        audit(organization=organization, actor=user, action=f"{self.name}.{what}", subject_id=corpus.pk, **noted)


def progress_store(lease: Lease, *, stage: str, cursor: int, total: int) -> None:
    """Write down how far a training is.

    Raises:
        JobLost, JobCancelled: as `Lease.advance`.
    """
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage=stage, cursor=cursor, total=total)
    connection_give_back()


def stage_store(lease: Lease, version: TrainedVersion, columns: Mapping[str, Any], *, stage: str, total: int) -> None:
    """Write down that a stage is done, with the columns of the version that it has made.

    Raises:
        JobLost, JobCancelled: as `Lease.advance`.
    """
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage=stage, cursor=total, total=total)
        type(version)._default_manager.filter(pk=version.pk).update(**columns)
