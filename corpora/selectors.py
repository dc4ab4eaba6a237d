"""Reading corpora and documents, inside an organisation; walls are part of the query, in the database."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Left, Lower

from corpora.models import (
    AddedEncoder,
    Chunk,
    ChunkSet,
    Corpus,
    CorpusMember,
    Document,
    DocumentVersion,
    Embedding,
    EncoderActivation,
    Member,
    Page,
    Position,
    TrainedEncoder,
    VersionState,
    WatchedFile,
    WatchedFolder,
    WatchedState,
)
from legalqa.accounts.models import Organization
from legalqa.common.errors import ApplicationError, Conflict, existing
from legalqa.encoder.client import NAME
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_get, job_latest, job_latest_by_subject, subjects_at_work


def corpus_list(*, organization: Organization) -> QuerySet[Corpus]:
    """The corpora that the active person may see, with counts of what needs attention."""
    documents = Document.objects.filter(organization=organization, removed_at=None)
    return (
        Corpus.objects.filter(organization=organization, removal_begun_at=None)
        .annotate(n_documents=_count(documents), n_ready=_count(documents.exclude(current=None)))
        .order_by("name")
    )


def _count(documents: QuerySet[Document]) -> Coalesce:
    per_corpus = documents.filter(corpus=OuterRef("pk")).order_by().values("corpus").annotate(n=Count("pk"))
    return Coalesce(Subquery(per_corpus.values("n")), 0)


def corpus_get(*, organization: Organization, corpus_id: UUID, even_leaving: bool = False) -> Corpus:
    """A corpus that the active person may see; with `even_leaving`, also one whose removal has begun.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        Conflict: it is being removed.
    """
    corpus = existing(Corpus.objects.filter(organization=organization, pk=corpus_id).first(), "corpus")
    if corpus.removal_begun_at is not None and not even_leaving:
        raise Conflict("This corpus is being removed. Choose another one.", code="corpus_leaving")
    return corpus


def corpus_by_name(*, organization: Organization, name: str) -> Corpus:
    """The corpus a command means: by slug, name or id.

    Raises:
        ApplicationError: none or several match; the message lists what exists.
    """
    condition = Q(slug=name) | Q(name=name)
    with suppress(ValueError):
        condition |= Q(pk=UUID(name))
    corpora = Corpus.objects.filter(organization=organization, removal_begun_at=None)
    rows = list(corpora.filter(condition))
    if len(rows) == 1:
        return rows[0]
    slugs = ", ".join(corpora.order_by("slug").values_list("slug", flat=True))
    problem = f"Several corpora are called {name!r}; use the id." if rows else f"There is no corpus {name!r}."
    raise ApplicationError(f"{problem} This organisation has: {slugs or 'none yet'}.", code="unknown_corpus")


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


def document_rows(
    *, organization: Organization, corpus: Corpus, document_ids: Iterable[UUID] | None = None
) -> list[DocumentRow]:
    """The corpus's documents, each with its newest version (which may not be searchable yet) and job.

    Args:
        document_ids: These only, in this order; without it all of them, by name.
    """
    versions = (
        DocumentVersion.objects.filter(organization=organization, corpus=corpus, document__removed_at=None)
        .select_related("document")
        .defer("text")
        .order_by("document_id", "-number")
        .distinct("document_id")
    )
    if document_ids is None:
        newest = sorted(versions, key=lambda v: v.document.name.lower())
    else:
        places = {pk: place for place, pk in enumerate(document_ids)}
        newest = sorted(versions.filter(document_id__in=list(places)), key=lambda v: places[v.document_id])
    jobs = job_latest_by_subject(organization=organization, subject_ids=[v.pk for v in newest])
    return [DocumentRow(v.document, v, jobs.get(v.pk)) for v in newest]


def documents_in_groups(*, organization: Organization) -> QuerySet[Document]:
    """Documents by name, each with its `group`: "ready", "working", or "attention" where nobody works on it.

    `newest_at` and `newest_pages`, by which `DocumentFilter` sorts, cost nothing where nobody asks for them. The ledger
    is asked apart: it is not a table of one organisation, and a database divided by organisation joins no other.
    """
    newest = DocumentVersion.objects.filter(document=OuterRef("pk")).order_by("-number")
    at_work = subjects_at_work(organization=organization)
    return (
        Document.objects.filter(organization=organization, removed_at=None)
        .annotate(newest=Subquery(newest.values("pk")[:1]), newest_state=Subquery(newest.values("state")[:1]))
        .alias(newest_at=Subquery(newest.values("created_at")[:1]), newest_pages=Subquery(newest.values("n_pages")[:1]))
        .annotate(
            group=Case(
                When(newest_state__in=(VersionState.READY, VersionState.SUPERSEDED), then=Value("ready")),
                When(newest__in=at_work, then=Value("working")),
                default=Value("attention"),
            )
        )
        .order_by(Lower("name"), "pk")
    )


def document_group_counts(*, documents: QuerySet[Document]) -> dict[UUID, dict[str, int]]:
    """How many documents each corpus has in each group."""
    counts: dict[UUID, dict[str, int]] = {}
    for row in documents.order_by().values("corpus_id", "group").annotate(n=Count("pk")):  # type: ignore[misc]  # annotated by documents_in_groups
        counts.setdefault(row["corpus_id"], {})[row["group"]] = row["n"]
    return counts


def upload_row(*, organization: Organization, version_id: UUID) -> DocumentRow:
    """The version that an upload made, with its last job."""
    versions = DocumentVersion.objects.filter(organization=organization, pk=version_id, document__removed_at=None)
    version = existing(versions.select_related("document").defer("text").first(), "document")
    return DocumentRow(version.document, version, job_latest(organization=organization, subject_id=version.pk))


def document_get(*, organization: Organization, document_id: UUID, even_removed: bool = False) -> Document:
    """A document that has not been removed; with `even_removed`, also one that old answers still cite."""
    documents = Document.objects.filter(organization=organization, pk=document_id, corpus__removal_begun_at=None)
    if not even_removed:
        documents = documents.filter(removed_at=None)
    return existing(
        documents.select_related("corpus", "current", "container").defer("current__text").first(), "document"
    )


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
    return existing(versions.filter(number=number).first(), "version")


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


def chunk_set_building(*, corpus: Corpus) -> ChunkSet | None:
    """The chunk set that is being filled beside the live one, or was until its job ended early."""
    return ChunkSet.objects.filter(corpus=corpus, is_live=False, is_kept=False, retired_at=None).first()


def chunk_set_counts(*, chunk_set_id: UUID) -> dict[str, Any]:
    """A chunk set, and how much of the current versions it contains.

    The larger pieces are opened and not searched; embeddings are those by the encoder in use.
    """
    chunk_set = ChunkSet.objects.select_related("corpus").get(pk=chunk_set_id)
    chunks = Chunk.objects.filter(chunk_set=chunk_set, version__document__current=F("version"))
    totals = chunks.aggregate(
        documents=Count("document", distinct=True),
        chunks=Count("pk", filter=Q(is_parent=False)),
        larger_pieces=Count("pk", filter=Q(is_parent=True)),
    )
    vectors = Embedding.objects.filter(chunk__in=chunks.values("pk"), encoder=chunk_set.corpus.encoder)
    of_set = {name: getattr(chunk_set, name) for name in ("chunker", "is_live", "is_kept", "name")}
    return {**of_set, **totals, "embeddings": vectors.count()}


def document_names(*, corpus: Corpus) -> list[tuple[UUID, str]]:
    """Searchable documents of a corpus, by name, the first thousand; twins with their files' names."""
    documents = Document.objects.filter(corpus=corpus, removed_at=None, current__n_paragraphs__gt=0)
    rows = list(documents.order_by("name").values_list("pk", "title", "name")[:1000])
    titles = [title for _, title, _ in rows]
    return [(pk, title if titles.count(title) == 1 else f"{title} ({name})") for pk, title, name in rows]


def document_searchable(*, corpus: Corpus, document_id: UUID | None) -> Document | None:
    """The searchable document with that id, or the first by name; None where none is searchable.

    Raises:
        NotFound: the corpus has no such searchable document.
    """
    documents = Document.objects.filter(corpus=corpus, removed_at=None, current__n_paragraphs__gt=0)
    documents = documents.select_related("current").defer("current__text").order_by("name")
    if document_id is None:
        return documents.first()
    return existing(documents.filter(pk=document_id).first(), "document")


def version_texts(*, corpus: Corpus, n_documents: int, n_chars: int) -> list[str]:
    """The beginnings of the texts of the first searchable documents, by name."""
    current = DocumentVersion.objects.filter(corpus=corpus, document__current=F("pk"), document__removed_at=None)
    beginnings = current.order_by("document__name").annotate(beginning=Left("text", n_chars))
    return list(beginnings.values_list("beginning", flat=True)[:n_documents])


def version_openings(*, version_ids: Iterable[UUID], n_chars: int) -> dict[UUID, tuple[str, str, str]]:
    """By version, the title of its document, the first characters of its text, and the name of the file."""
    versions = DocumentVersion.objects.filter(pk__in=set(version_ids)).annotate(beginning=Left("text", n_chars))
    rows = versions.values_list("pk", "document__title", "beginning", "document__name")
    return {pk: (title, text, name) for pk, title, text, name in rows}


def watched_files(*, folder: WatchedFolder) -> QuerySet[WatchedFile]:
    return WatchedFile.objects.filter(folder=folder).order_by("name")


@dataclass(frozen=True, slots=True)
class FolderStatus:
    """A watched folder with how many of its files are in which state, and the refused ones with their reasons."""

    folder: WatchedFolder
    counts: dict[str, int]
    refused: list[WatchedFile]


def folder_statuses(*, corpus: Corpus) -> list[FolderStatus]:
    """The folders that feed a corpus."""
    folders = list(WatchedFolder.objects.filter(corpus=corpus).order_by("path"))
    files = WatchedFile.objects.filter(folder__in=folders)
    counts: dict[UUID, dict[str, int]] = {}
    for row in files.order_by().values("folder_id", "state").annotate(n=Count("pk")):
        counts.setdefault(row["folder_id"], {})[row["state"]] = row["n"]
    refused: dict[UUID, list[WatchedFile]] = {}
    for file in files.filter(state=WatchedState.REFUSED).order_by("name")[:100]:
        refused.setdefault(file.folder_id, []).append(file)
    return [FolderStatus(folder, counts.get(folder.pk, {}), refused.get(folder.pk, [])) for folder in folders]


def section_titles(*, corpus: Corpus, limit: int) -> list[str]:
    """At most `limit` subjects of numbered headings of searchable documents, without numbers, in reading order."""
    headings = (
        Position.objects.filter(version__corpus=corpus, version__state=VersionState.READY, kind="heading")
        .select_related("paragraph")
        .order_by("version_id", "ordinal")[:200]
    )
    titles = (" ".join(h.paragraph.text.split()).removeprefix(h.label).strip(" .:–-`") for h in headings if h.label)
    return list(dict.fromkeys(t for t in titles if 2 <= len(t.split()) <= 8 and not t.isupper()))[:limit]


def member_job_ids(*, organization: Organization, job_id: UUID) -> list[UUID]:
    """Jobs of the documents that came out of the archive or e-mail which a job has read."""
    job = job_get(organization=organization, job_id=job_id)
    taken_in = Member.objects.filter(version_id=job.subject_id, reason="").values("document_id")
    versions = DocumentVersion.objects.filter(document_id__in=taken_in).values_list("pk", flat=True)
    jobs = job_latest_by_subject(organization=organization, subject_ids=list(versions))
    return [job.pk for job in jobs.values()]


def member_list(*, version: DocumentVersion) -> QuerySet[Member]:
    """The files in an archive or an e-mail in their order, with the documents that they became."""
    return Member.objects.filter(version=version).select_related("document").order_by("ordinal")


def encoder_list(*, corpus: Corpus) -> QuerySet[TrainedEncoder]:
    """The encoders that a corpus has trained, newest first, without what is large: weights and questions."""
    encoders = TrainedEncoder.objects.filter(corpus=corpus).order_by("-number")
    return encoders.defer("artefact", "data").select_related("created_by")


def encoder_names(*, corpus: Corpus) -> list[str]:
    """The names of all encoders whose vectors a corpus keeps."""
    trained = (row.name for row in TrainedEncoder.objects.filter(corpus=corpus).only("fingerprint"))
    return [NAME, *filter(None, trained), *AddedEncoder.objects.filter(corpus=corpus).values_list("name", flat=True)]


def encoder_get(*, corpus: Corpus, encoder_id: UUID) -> TrainedEncoder:
    """One trained encoder of a corpus, without its weights.

    Raises:
        NotFound: the corpus has no such encoder.
    """
    return existing(TrainedEncoder.objects.filter(corpus=corpus, pk=encoder_id).defer("artefact").first(), "encoder")


def activation_list(*, corpus: Corpus) -> QuerySet[EncoderActivation]:
    """The switches of a corpus that were not rolled back, newest first; the first one counts."""
    rows = EncoderActivation.objects.filter(corpus=corpus, is_rollback=False, undone_at=None, switched_at__isnull=False)
    return rows.select_related("encoder", "added").defer("encoder__artefact", "encoder__data").order_by("-switched_at")


def encoder_in_use(*, corpus: Corpus) -> TrainedEncoder | None:
    """The trained encoder that searches of a corpus use now; None for the packaged one, and for one that was added."""
    newest = activation_list(corpus=corpus).first()
    return newest.encoder if newest is not None else None


def encoder_switch_pending(*, corpus: Corpus) -> EncoderActivation | None:
    """The switch to another encoder that is at work, or was until its job ended early."""
    activations = EncoderActivation.objects.filter(corpus=corpus, switched_at=None)
    return activations.select_related("encoder", "added").defer("encoder__artefact", "encoder__data").first()
