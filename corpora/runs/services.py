"""The life cycle of runs, written once. A run is background work on a corpus that is a row of its own, with a report.

A kind of run names its table, its task, and the runs that may not be at work at the same time. Trained versions are
runs whose result can be activated (`legalqa.training.versions`).
"""

from typing import Generic, TypeVar, cast
from uuid import UUID

from django.db.models import QuerySet

from corpora.models import Corpus, CorpusRow
from corpora.services.corpus import corpus_lock
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit, reply_note
from legalqa.common.errors import Conflict, existing
from legalqa.jobs.models import Job, Lane
from legalqa.jobs.selectors import job_latest, job_present, jobs_open
from legalqa.jobs.services import job_cancel, job_create, job_retry

R = TypeVar("R", bound=CorpusRow)


class Runs(Generic[R]):
    """One kind of run; a subclass names its table and what is its own.

    Attributes:
        name: What people call one.
        model: The table.
        task: What the job of a run does.
        lane: Of that job.
        order: Newest first.
        joined: What is read with each run.
        large: Columns that stay in the database until somebody asks for them.
        alone_in: Column in whose value only one run may be at work.
        at_work: The code and the words of the refusal where another one is.
    """

    name: str
    model: type[R]
    task: str
    lane: Lane = Lane.LONG
    order: str = "-created_at"
    joined: tuple[str, ...] = ("corpus",)
    large: tuple[str, ...] = ()
    alone_in: str = "corpus_id"
    at_work: tuple[str, str] = ("", "")

    def rows(self) -> QuerySet[R]:
        """Every run of the active organisation."""
        return cast(QuerySet[R], self.model._default_manager.all())  # the plugin forgets the subclass

    def of_corpus(self, corpus: Corpus | UUID) -> QuerySet[R]:
        """The runs of a corpus that somebody may see, newest first."""
        return self._read(corpus=corpus).order_by(self.order)

    def get(self, *, organization: Organization, run_id: UUID, corpus_id: UUID | None = None) -> tuple[R, Job | None]:
        """A run with its newest job, None once the ledger has forgotten it; with `corpus_id`, of that corpus only.

        Raises:
            NotFound: there is none, or its corpus is walled off.
        """
        of = {"corpus": corpus_id} if corpus_id is not None else {}
        run = existing(self._read(organization=organization, pk=run_id, **of).first(), self.name)
        return run, job_latest(organization=organization, subject_id=run.pk)

    def _read(self, **of: object) -> QuerySet[R]:
        return self.rows().filter(**of).select_related(*self.joined).defer(*self.large)

    def add(self, run: R, action: str, **noted: object) -> None:
        """Store a new run, and note the action in the audit log."""
        run.save(force_insert=True)
        reply_note(subject_id=run.pk)
        audit(organization=run.organization, actor=run.created_by, action=action, subject_id=run.corpus_id, **noted)

    def work(self, run: R, *, user: User | None, total: int = 0, is_enqueued: bool = True) -> Job:
        """Begin the background work of a run; arguments as of `job_create`."""
        return job_create(
            organization=run.organization_id,
            task=self.task,
            subject_id=run.pk,
            user=user,
            corpus_id=run.corpus_id,
            total=total,
            lane=self.lane,
            is_enqueued=is_enqueued,
        )

    def beside(self, run: R) -> QuerySet[R]:
        """The other runs that may not be at work at the same time as this one."""
        return self.rows().filter(**{self.alone_in: getattr(run, self.alone_in)}).exclude(pk=run.pk)

    def alone_check(self, run: R) -> None:
        """Lock the corpus of a run, stored or not, and refuse it where another one is at work.

        Raises:
            Conflict: as `at_work` says.
        """
        corpus_lock(organization=run.organization, corpus_id=run.corpus_id)
        others = list(self.beside(run).values_list("pk", flat=True))
        if jobs_open(organization=run.organization_id).filter(subject_id__in=others).exists():
            code, words = self.at_work
            raise Conflict(words.format(name=self.name), code=code)

    def retry_check(self, *, organization: Organization, subject_id: UUID) -> None:
        """The check before a cancelled or failed run is resumed (`JobKind.before_retry`).

        Raises:
            NotFound, Conflict: as `get` and `alone_check`.
        """
        run, _ = self.get(organization=organization, run_id=subject_id)
        self.alone_check(run)

    def cancel(self, run: R) -> Job:
        """Ask a run to stop; what it has done is kept.

        Raises:
            NotFound: the ledger has forgotten its job.
            Conflict: it has ended already.
        """
        return job_cancel(organization=run.organization, job_id=self._job(run).pk)

    def resume(self, run: R) -> Job:
        """Resume a run that was cancelled or failed, from where it stopped.

        Raises:
            NotFound: the ledger has forgotten its job.
            Conflict: it is at work, or done, or as its kind says before it is tried again.
        """
        return job_retry(organization=run.organization, job_id=self._job(run).pk)

    def _job(self, run: R) -> Job:
        return job_present(job=job_latest(organization=run.organization, subject_id=run.pk))
