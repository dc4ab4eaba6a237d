"""Taking files in for measuring: a corpus of its own, the product's own upload, and the job done here to its end."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from corpora.models import Corpus
from corpora.selectors import document_rows
from corpora.services import corpus_create, document_upload, passages_encode
from corpora.services.passages import TASK, passages_ensure
from corpora.services.uploads import document_name
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.models import OPEN_STATES, Job
from legalqa.jobs.waiting import job_worked

Note = Callable[[str], None]

PART_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Intake:
    """A file whose job has ended, well or not."""

    name: str
    document_id: UUID
    version_id: UUID
    job: Job

    def ready(self) -> "Intake":
        """The same, if it succeeded.

        Raises:
            ApplicationError: the file was refused or its job failed.
        """
        if self.job.reason:
            raise ApplicationError(f"{self.name} was not accepted: {self.job.reason}.", code="not_taken_in")
        return self


def corpus_own(*, slug: str, title: str, name: str, is_fresh: bool = False) -> tuple[Organization, Corpus]:
    """A corpus by its name in an organisation of the measuring's own, found again or made.

    Args:
        slug: Of the organisation.
        title: Its name, where it is made.
        name: Of the corpus.
        is_fresh: Remove every corpus of the organisation first: texts that it knows are not encoded again.
    """
    organization, _ = Organization.objects.get_or_create(slug=slug, defaults={"name": title})
    with organization_scope(organization, user=None):
        if is_fresh:
            Corpus.objects.all().delete()
        corpus = Corpus.objects.filter(name=name).first()
        return organization, corpus or corpus_create(organization=organization, user=None, name=name)


def file_take_in(
    *,
    organization: Organization,
    corpus: Corpus,
    name: str,
    parts: Iterable[bytes],
    user: User | None = None,
    password: str = "",
    note: Note = lambda _: None,
) -> Intake:
    """Upload a file and work on its job until that has ended; one that an earlier run left half-way is resumed.

    Raises:
        FileRefused: it is refused at the door.
        Conflict: the corpus holds it under another name.
    """
    try:
        upload = document_upload(
            organization=organization, user=user, corpus_id=corpus.pk, name=name, parts=parts, password=password
        )
        document_id, version_id, job = upload.document.pk, upload.version.pk, upload.job
    except Conflict:  # there from an earlier run, which may have been stopped before the end
        earlier = _earlier(organization, corpus, name)
        if earlier is None:
            raise
        document_id, version_id, job = earlier
    job = job_worked(job, note=lambda done: note(f"indexing {name}: {done}"))
    return Intake(name, document_id, version_id, job)


def passages_prepare(*, organization: Organization, corpus: Corpus) -> None:
    """Make the vectors that answers read passages by, as the background does; a small corpus has none."""
    with organization_scope(organization, user=None):
        passages_ensure(corpus=corpus)
    while (job := Job.objects.filter(task=TASK, subject_id=corpus.pk, state__in=OPEN_STATES).first()) is not None:
        passages_encode(job_id=job.pk)


def file_parts(file: Path) -> Iterator[bytes]:
    """The file's bytes, a mebibyte at a time."""
    with file.open("rb") as handle:
        while part := handle.read(PART_BYTES):
            yield part


def _earlier(organization: Organization, corpus: Corpus, name: str) -> tuple[UUID, UUID, Job] | None:
    """The document, the newest version and the last job of the file with this name, if the corpus holds one."""
    with organization_scope(organization, user=None):
        rows = document_rows(organization=organization, corpus=corpus)
    for row in rows:
        if row.document.name == document_name(raw=name) and row.job is not None:
            return row.document.pk, row.version.pk, row.job
    return None
