"""Taking a file in as the product does, to the end of its job, in one call."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from django.urls import reverse
from docx import Document as WordDocument

from corpora.models import Corpus, Document, DocumentVersion, Paragraph, Position
from corpora.services import corpus_create, document_ingest, document_upload
from corpora.services.uploads import Upload
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from tests.people import Firm

MAX_SLICES = 20


@dataclass(frozen=True)
class Place:
    """A firm with a corpus in which its manager works; a subclass has what a test needs besides."""

    firm: Firm
    corpus: Corpus

    @property
    def acting(self) -> dict[str, Any]:
        return {"organization": self.firm.organization, "user": self.firm.manager, "corpus_id": self.corpus.pk}

    def inside(self, user: User | None = None) -> Any:
        return organization_scope(self.firm.organization, user=user or self.firm.manager)

    def address(self, name: str, *more: object) -> str:
        """Of a page of the corpus."""
        return reverse(name, args=(self.firm.organization.slug, self.corpus.pk, *more))


@dataclass(frozen=True)
class Ingested:
    """A document after its job has ended, as the database has it."""

    document: Document
    version: DocumentVersion
    job: Job


def make_corpus(
    firm: Firm,
    name: str = "Policies",
    *,
    is_walled: bool = False,
    user: User | None = None,
    chunker: dict[str, object] | None = None,
    files: Mapping[str, bytes | str] | None = None,
) -> Corpus:
    """A corpus in which these files, by their names, are ready."""
    creator = user or firm.manager
    with organization_scope(firm.organization, user=creator):
        corpus = corpus_create(
            organization=firm.organization, user=creator, name=name, is_walled=is_walled, chunker=chunker
        )
    for file, content in (files or {}).items():
        ingest(firm, corpus, file, content)
    return corpus


def upload(
    firm: Firm, corpus: Corpus, name: str, content: bytes | str, *, password: str = "", user: User | None = None
) -> Upload:
    data = content.encode() if isinstance(content, str) else content
    return document_upload(
        organization=firm.organization,
        user=user or firm.manager,
        corpus_id=corpus.pk,
        name=name,
        parts=_parts(data),
        password=password,
    )


def run_job(job: Job) -> Job:
    """Work on the job until it has ended, as a worker would, slice after slice."""
    for _ in range(MAX_SLICES):
        document_ingest(job_id=job.pk)
        job = Job.objects.get(pk=job.pk)
        if not job.is_open:
            return job
    raise AssertionError(f"The job did not end in {MAX_SLICES} slices: {job.state}, {job.stage}, {job.reason}.")


def ingest(
    firm: Firm, corpus: Corpus, name: str, content: bytes | str, *, password: str = "", user: User | None = None
) -> Ingested:
    """Upload a file and work on it until it is ready or refused."""
    taken = upload(firm, corpus, name, content, password=password, user=user)
    return finished(firm, taken)


def finished(firm: Firm, taken: Upload) -> Ingested:
    job = run_job(taken.job)
    with organization_scope(firm.organization, user=None):
        version = DocumentVersion.objects.select_related("document", "corpus").get(pk=taken.version.pk)
    return Ingested(version.document, version, job)


def paragraph_ids(firm: Firm, version: DocumentVersion) -> dict[str, tuple[str, ...]]:
    """The words of the paragraphs, blanks evened out, to their ids in reading order: several where words repeat."""
    found: dict[str, tuple[str, ...]] = {}
    for position in positions(firm, version):
        words = " ".join(position.paragraph.text.split())
        found[words] = (*found.get(words, ()), position.paragraph.public_id)
    return found


def positions(firm: Firm, version: DocumentVersion) -> list[Position]:
    with organization_scope(firm.organization, user=None):
        return list(Position.objects.filter(version=version).select_related("paragraph").order_by("ordinal"))


def paragraphs_of(firm: Firm, document: Document) -> set[str]:
    with organization_scope(firm.organization, user=None):
        return set(Paragraph.objects.filter(document=document).values_list("public_id", flat=True))


def word_file(*paragraphs: tuple[str, str]) -> bytes:
    """A DOCX of (style, text) paragraphs; the style is "Heading 1", "Normal" and so on."""
    document = WordDocument()
    for style, text in paragraphs:
        document.add_paragraph(text, style=style)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _parts(data: bytes) -> Iterator[bytes]:
    for at in range(0, len(data), 1 << 16):
        yield data[at : at + (1 << 16)]
