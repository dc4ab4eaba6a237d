"""Reading corpora and documents, inside an organisation; walls are part of the query, in the database."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from corpora.models import Corpus, CorpusMember, Document, DocumentVersion, Page, Position, VersionState
from legalqa.accounts.models import Organization
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_get, job_latest_by_subject


def corpus_list(*, organization: Organization) -> QuerySet[Corpus]:
    """The corpora that the active person may see, with counts of what needs attention."""
    documents = Document.objects.filter(organization=organization, removed_at=None)
    return (
        Corpus.objects.filter(organization=organization)
        .annotate(n_documents=_count(documents), n_ready=_count(documents.exclude(current=None)))
        .order_by("name")
    )


def _count(documents: QuerySet[Document]) -> Coalesce:
    per_corpus = documents.filter(corpus=OuterRef("pk")).order_by().values("corpus").annotate(n=Count("pk"))
    return Coalesce(Subquery(per_corpus.values("n")), 0)


def corpus_get(*, organization: Organization, corpus_id: UUID) -> Corpus:
    corpus = Corpus.objects.filter(organization=organization, pk=corpus_id).first()
    if corpus is None:
        raise NotFound("corpus")
    return corpus


def corpus_by_name(*, organization: Organization, name: str) -> Corpus:
    """The corpus a command means: by slug, name or id.

    Raises:
        ApplicationError: none or several match; the message lists what exists.
    """
    wanted = Q(slug=name) | Q(name=name)
    with suppress(ValueError):
        wanted |= Q(pk=UUID(name))
    found = list(Corpus.objects.filter(wanted, organization=organization))
    if len(found) == 1:
        return found[0]
    known = ", ".join(Corpus.objects.filter(organization=organization).order_by("slug").values_list("slug", flat=True))
    problem = f"Several corpora are called {name!r}; use the id." if found else f"There is no corpus {name!r}."
    raise ApplicationError(f"{problem} This organisation has: {known or 'none yet'}.", code="unknown_corpus")


def corpus_member_list(*, corpus: Corpus) -> QuerySet[CorpusMember]:
    return CorpusMember.objects.filter(corpus=corpus).select_related("user").order_by("user__name")


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document as lists show it: the newest version and its last job."""

    document: Document
    version: DocumentVersion
    job: Job | None

    @property
    def is_working(self) -> bool:
        return self.job is not None and self.job.is_open


def document_rows(*, organization: Organization, corpus: Corpus, document_id: UUID | None = None) -> list[DocumentRow]:
    """The corpus's documents by name, each with its newest version (which may not be searchable yet) and job."""
    versions = (
        DocumentVersion.objects.filter(organization=organization, corpus=corpus, document__removed_at=None)
        .select_related("document")
        .defer("text")
        .order_by("document_id", "-number")
        .distinct("document_id")
    )
    if document_id is not None:
        versions = versions.filter(document_id=document_id)
    newest = sorted(versions, key=lambda v: v.document.name.lower())
    jobs = job_latest_by_subject(organization=organization, subject_ids=[v.pk for v in newest])
    return [DocumentRow(v.document, v, jobs.get(v.pk)) for v in newest]


def document_get(*, organization: Organization, document_id: UUID, even_removed: bool = False) -> Document:
    """A document that has not been removed; with `even_removed`, also one that old answers still cite."""
    documents = Document.objects.filter(organization=organization, pk=document_id)
    if not even_removed:
        documents = documents.filter(removed_at=None)
    document = documents.select_related("corpus", "current").defer("current__text").first()
    if document is None:
        raise NotFound("document")
    return document


def version_latest(*, document: Document) -> DocumentVersion:
    return DocumentVersion.objects.filter(document=document).defer("text").order_by("-number")[0]


def version_list(*, document: Document) -> list[DocumentVersion]:
    return list(DocumentVersion.objects.filter(document=document).defer("text").order_by("-number"))


def version_get(*, organization: Organization, document: Document, number: int | None) -> DocumentVersion:
    """The version with that number, or the current one, or the newest where none is searchable yet."""
    versions = DocumentVersion.objects.filter(organization=organization, document=document).defer("text")
    if number is None:
        return (versions.filter(pk=document.current_id).first() if document.current_id else None) or versions.order_by(
            "-number"
        )[0]
    version = versions.filter(number=number).first()
    if version is None:
        raise NotFound("version")
    return version


def page_list(*, version: DocumentVersion, with_boxes: bool = False, span: tuple[int, int] | None = None) -> list[Page]:
    """Pages of a version in order, or only those that a span of its text touches."""
    pages = Page.objects.filter(version=version).order_by("number")
    if span is not None:
        pages = pages.filter(start__lt=span[1], end__gt=span[0])
    return list(pages if with_boxes else pages.defer("boxes"))


def position_list(*, version: DocumentVersion, ordinals: Sequence[int] | None = None) -> QuerySet[Position]:
    """Paragraphs of a version in reading order, each with its text."""
    positions = Position.objects.filter(version=version).select_related("paragraph").order_by("ordinal")
    return positions if ordinals is None else positions.filter(ordinal__in=ordinals)


def corpus_of_job(*, organization: Organization, job_id: UUID) -> Corpus:
    """The corpus that a job works for; outside its wall there is no such job."""
    job = job_get(organization=organization, job_id=job_id)
    version = DocumentVersion.objects.filter(pk=job.subject_id).select_related("corpus").defer("text").first()
    if version is None:
        raise NotFound("job")
    return version.corpus


def section_titles(*, corpus: Corpus, limit: int) -> list[str]:
    """Subjects of numbered headings of the corpus's searchable documents, without their numbers, in reading order."""
    headings = (
        Position.objects.filter(version__corpus=corpus, version__state=VersionState.READY, kind="heading")
        .select_related("paragraph")
        .order_by("version_id", "ordinal")[:200]
    )
    titles = (" ".join(h.paragraph.text.split()).removeprefix(h.label).strip(" .:–-`") for h in headings if h.label)
    return list(dict.fromkeys(t for t in titles if 2 <= len(t.split()) <= 8 and not t.isupper()))[:limit]
