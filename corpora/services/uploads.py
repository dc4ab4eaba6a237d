"""Taking a file in: stored whole, recorded once, its job enqueued, or refused with a reason and nothing left behind."""

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.db import Error as DatabaseError
from django.db import IntegrityError, transaction
from django.db.models import Max

from corpora.files import StoredFile, file_drop, file_keep, file_receive
from corpora.models import Document, DocumentVersion, VersionState
from corpora.parsers.detect import PLAIN_KINDS, kind_detect
from corpora.parsers.unlock import decrypt_pdf
from corpora.selectors import DocumentRow, corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit, reply_note
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.faults import crash_point
from legalqa.jobs.models import Job, Lane
from legalqa.jobs.services import job_create
from legalqa.jobs.use import bytes_take, open_jobs_check

INGEST = "corpora.tasks.document_ingest"
MAX_NAME_BYTES = 200
SHORT_BYTES = 32 * 1024  # ours: a text that is read, cut and embedded within seconds


@dataclass(frozen=True, slots=True)
class Upload(DocumentRow):
    """A file that was taken in, with the job that reads it."""

    job: Job


def document_upload(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    name: str,
    parts: Iterable[bytes],
    password: str = "",
) -> Upload:
    """Take one file into a corpus as a new document, or as a new version of the one with its name.

    Opens its own short transactions: nothing is held while bytes arrive. A password opens the file at once and is
    forgotten; what is kept is the opened file.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        FileRefused: the content cannot be taken in; `code` says why.
        Conflict: the corpus holds the same file already, or the organisation has no room for more today.
    """
    with organization_scope(organization, user=user):
        corpus_get(organization=organization, corpus_id=corpus_id)
        open_jobs_check(organization=organization)
    connection_give_back()
    with (
        file_accept(organization=organization, name=name, parts=parts, password=password) as (kind, file),
        organization_scope(organization, user=user),
    ):
        open_jobs_check(organization=organization)
        upload = upload_record(
            organization=organization,
            user=user,
            corpus_id=corpus_id,
            name=document_name(raw=name),
            kind=kind,
            file=file,
        )
        reply_note(subject_id=upload.version.pk)
    crash_point("upload.recorded")
    return upload


@contextmanager
def file_accept(
    *, organization: Organization, name: str, parts: Iterable[bytes], password: str = ""
) -> Iterator[tuple[str, StoredFile]]:
    """Store a file and tell its kind; it is removed again if the block, which records it, refuses it.

    Raises:
        ApplicationError: the name or the content cannot be taken in; `code` says why.
    """
    file = file_receive(organization_id=organization.pk, parts=parts)
    crash_point("upload.received")
    try:
        kind = kind_detect(file.path.read_bytes(), name=document_name(raw=name))
        if password and kind == "pdf":
            decrypt_pdf(file.path, password=password)
        file_keep(file)
        crash_point("upload.stored")
        yield kind, file
    except DatabaseError:
        raise  # whether the row was committed is not known: the sweep of orphaned files decides by the row
    except BaseException:
        file_drop(file)
        raise


def upload_record(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    name: str,
    kind: str,
    file: StoredFile,
    container: Document | None = None,
    title: str = "",
) -> Upload:
    """Write document, version and job of a stored file, in the caller's transaction.

    Args:
        organization: Whose it is.
        user: Who brought it, None for work in the background.
        corpus_id: Where it goes.
        name: A document of this name gets a new version.
        kind: What `kind_detect` said.
        file: As stored.
        container: The archive or e-mail that it came in.
        title: Kept as its title; without one the reader finds one.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        Conflict: the corpus holds the same file already, or too much was taken in today.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    same = DocumentVersion.objects.filter(corpus=corpus, sha256=file.sha256).exclude(
        state__in=(VersionState.REFUSED, VersionState.SUPERSEDED)
    )
    if duplicate := same.select_related("document").first():
        raise duplicate_file(document=duplicate.document)
    document, _ = Document.objects.get_or_create(
        organization=organization, corpus=corpus, name=name, defaults={"title": title or name, "container": container}
    )
    document = Document.objects.select_for_update().get(pk=document.pk)
    version = _version_create(document, kind, file)
    if document.removed_at is not None:
        document.removed_at = None
        document.save(update_fields=["removed_at"])
    is_short = kind in PLAIN_KINDS and file.size <= SHORT_BYTES
    lane = Lane.SHORT if is_short else Lane.LONG
    job = job_create(
        organization=organization,
        task=INGEST,
        subject_id=version.pk,
        user=user,
        corpus_id=document.corpus_id,
        lane=lane,
    )
    bytes_take(organization=organization, size=file.size)
    audit(organization=organization, actor=user, action="document.uploaded", subject_id=version.pk, bytes=file.size)
    return Upload(document, version, job)


def _version_create(document: Document, kind: str, file: StoredFile) -> DocumentVersion:
    latest = DocumentVersion.objects.filter(document=document).aggregate(n=Max("number"))["n"] or 0
    try:
        with transaction.atomic():
            return DocumentVersion.objects.create(
                organization_id=document.organization_id,
                corpus_id=document.corpus_id,
                document=document,
                number=latest + 1,
                kind=kind,
                sha256=file.sha256,
                size=file.size,
                file_id=file.file_id,
            )
    except IntegrityError:
        # The same file arrived twice at once, and the other was first.
        raise duplicate_file(document=document) from None


def duplicate_file(*, document: Document) -> Conflict:
    return Conflict(
        f"This file is already in the corpus, as {document.name!r}. Nothing was changed.",
        code="duplicate_file",
        extra={"document_id": str(document.pk)},
    )


def text_visible(*, text: str) -> str:
    """The text without control and direction characters, which could show other words than it holds."""
    return "".join(c for c in text if unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def document_name(*, raw: str) -> str:
    """A file's name as data: no folders, no control or direction characters, at most 200 bytes.

    Raises:
        ApplicationError: nothing is left of it.
    """
    last = unicodedata.normalize("NFC", raw.encode("utf-8", "replace").decode()).replace("\\", "/").rsplit("/", 1)[-1]
    file_name = text_visible(text=last).strip(" .")
    if len(file_name.encode()) > MAX_NAME_BYTES:
        stem, dot, extension = file_name.rpartition(".")
        extension = dot + extension[:10] if stem else ""
        # Two long names that differ at the end only must stay two documents.
        mark = f"…{hashlib.sha256(file_name.encode()).hexdigest()[:8]}"
        room = MAX_NAME_BYTES - len(mark.encode()) - len(extension.encode())
        file_name = (stem or file_name).encode()[:room].decode("utf-8", "ignore") + mark + extension
    if not file_name:
        raise ApplicationError("The file name cannot be used. Rename the file and upload it again.", code="name_needed")
    return file_name
