"""Acts on documents that are there already."""

from functools import partial
from typing import Any
from uuid import UUID

from django.core.files import File
from django.db import IntegrityError, transaction
from django.utils import timezone

from corpora.files import StoredFile, file_open, file_remove
from corpora.models import VERSION_TRANSITIONS, Chunk, Corpus, Document, DocumentVersion, PassageVector, VersionState
from corpora.parsers.reasons import FileRefused
from corpora.selectors import document_get, version_get, version_latest
from corpora.services.corpus import corpus_change
from corpora.services.notices import removal_notice
from corpora.services.uploads import INGEST, duplicate_file, file_accept, text_visible
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.transitions import moved, sources
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_create

MAX_TITLE = 300
WAITING_FOR_PASSWORD = ("password_needed", "wrong_password")


def document_view(
    *, organization: Organization, user: User, document_id: UUID, number: int | None = None
) -> DocumentVersion:
    """The version of a document that a person reads; the audit log says who did.

    Args:
        organization: Whose document it is.
        user: Who reads it.
        document_id: The document.
        number: Of the version, which old answers may cite even of a removed document; None for the current one, or the
            newest where none is searchable yet.

    Raises:
        NotFound: no such document, or it has no version of that number.
    """
    document = document_get(organization=organization, document_id=document_id, even_removed=number is not None)
    version = version_get(organization=organization, document=document, number=number)
    audit(organization=organization, actor=user, action="document.viewed", subject_id=document.pk)
    return version


def version_download(*, organization: Organization, user: User, version: DocumentVersion) -> File[Any]:
    """The file of a version, as it was uploaded, from its beginning; the audit log says who took it."""
    audit(organization=organization, actor=user, action="document.downloaded", subject_id=version.pk)
    return file_open(organization_id=organization.pk, file_id=version.file_id)


def version_unlock(*, organization: Organization, user: User, document_id: UUID, password: str) -> Job:
    """Open an encrypted file with its password and read it; the password is used once and kept nowhere.

    Opens its own short transactions: the file is opened in the parsing child in between.

    Raises:
        NotFound: no such document.
        Conflict: the latest version does not wait for a password, or the same file was taken in elsewhere since.
        FileRefused: the password does not open it.
    """
    with organization_scope(organization, user=user):
        version = _waiting_for_password(organization, document_id)
        name = version.document.name
    if not password:
        raise FileRefused("password_needed")
    connection_give_back()
    try:
        with (
            file_open(organization_id=organization.pk, file_id=version.file_id) as locked,
            file_accept(organization=organization, name=name, parts=locked.chunks(), password=password) as (_, opened),
            organization_scope(organization, user=user),
        ):
            return _reading_begun(organization, user, document_id, opened)
    except FileRefused as refusal:
        with organization_scope(organization, user=user):
            waiting = DocumentVersion.objects.filter(pk=version.pk, reason__in=WAITING_FOR_PASSWORD)
            waiting.update(reason=refusal.code, detail=refusal.message)
        raise


def _reading_begun(organization: Organization, user: User, document_id: UUID, opened: StoredFile) -> Job:
    """The opened file takes the place of the locked one, which goes once that is certain."""
    version = _waiting_for_password(organization, document_id)
    locked_id, version.file_id = version.file_id, opened.file_id
    version.state = moved(VERSION_TRANSITIONS, version.state, VersionState.RECEIVED)
    version.reason, version.detail = "", ""
    try:
        with transaction.atomic():
            version.save(update_fields=["state", "reason", "detail", "file_id"])
    except IntegrityError:
        raise duplicate_file(document=version.document) from None
    transaction.on_commit(partial(file_remove, organization_id=organization.pk, file_id=locked_id))
    audit(organization=organization, actor=user, action="document.unlocked", subject_id=version.pk)
    return job_create(
        organization=organization, task=INGEST, subject_id=version.pk, user=user, corpus_id=version.corpus_id
    )


def _waiting_for_password(organization: Organization, document_id: UUID) -> DocumentVersion:
    document = document_get(organization=organization, document_id=document_id)
    version = version_latest(document=document)
    if version.reason not in WAITING_FOR_PASSWORD:
        raise Conflict(
            "The document is not waiting for a password. Reload the page to see its state.", code="no_password_needed"
        )
    return version


def document_rename(*, organization: Organization, user: User, document_id: UUID, title: str) -> Document:
    """Give a document a title; every list, search and citation shows it at once, and new versions keep it.

    Evidence packs keep the title that the document had when the answer was given.

    Raises:
        NotFound: no such document.
        ApplicationError: the title has no letter or digit, or more than 300 characters.
    """
    document = document_get(organization=organization, document_id=document_id)
    title = text_visible(text=" ".join(title.split()))
    if not any(c.isalnum() for c in title):
        raise ApplicationError("A title needs at least one letter or digit. Enter a title.", code="title_needed")
    if len(title) > MAX_TITLE:
        raise ApplicationError(
            f"The title has {len(title)} characters, and the limit is {MAX_TITLE}. Shorten it.", code="title_too_long"
        )
    document.title, document.is_title_given = title, True
    document.save(update_fields=["title", "is_title_given"])
    audit(organization=organization, actor=user, action="document.renamed", subject_id=document.pk)
    return document


def document_remove(*, organization: Organization, user: User | None, document_id: UUID) -> Document:
    """Take a document out of search and lists; its text stays for the answers that cite it.

    Uploading a file of the same name brings it back, with its old paragraph ids.

    Raises:
        NotFound: no such document.
    """
    document = document_get(organization=organization, document_id=document_id)
    with transaction.atomic():
        corpus = Corpus.objects.select_for_update().get(pk=document.corpus_id)
        Chunk.objects.filter(document=document).delete()
        PassageVector.objects.filter(position__version__document=document).delete()
        versions = DocumentVersion.objects.filter(document=document)
        open_ones = versions.filter(state__in=sources(VERSION_TRANSITIONS, VersionState.SUPERSEDED))
        open_ones.update(state=VersionState.SUPERSEDED)
        document.removed_at, document.current = timezone.now(), None
        document.save(update_fields=["removed_at", "current"])
        corpus_change(corpus=corpus)
        removal_notice(corpus=corpus, document=document)
        audit(organization=organization, actor=user, action="document.removed", subject_id=document.pk)
    return document
