"""Archives and e-mails: each file in them through the same door as an upload, and its outcome kept."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from uuid import UUID

from django.conf import settings

from corpora.models import Document, DocumentVersion, Member
from corpora.parsers.members import UnpackedMember, members_unpack
from corpora.parsers.reasons import REASONS, FileRefused
from corpora.services.recognition import reading_limits
from corpora.services.uploads import document_name, file_accept, upload_record
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, DiskFull
from legalqa.common.faults import crash_point
from legalqa.jobs.services import JobLater, Lease
from legalqa.jobs.use import jobs_open

MAX_CONTAINERS = 3  # around a file: an archive in an e-mail in an archive
MAX_ARCHIVES = 2
WAIT_S = 60.0  # between two looks whether there is room for more work
LEAST_A_SLICE = 20  # files, however long unpacking took: every slice unpacks once more
NAME_SEPARATOR = " – "
MAX_DETAIL = 400


def members_take(
    *, version: DocumentVersion, path: Path, title: str, lease: Lease, should_stop: Callable[[], bool]
) -> bool:
    """Take in the files of a container; False where the slice ended before the last one.

    Each member's document, version, job and outcome are one transaction: after a kill the work goes on at the first
    member without an outcome. A member that cannot be taken in keeps its reason, and costs the others nothing.

    Args:
        version: Of the container.
        path: Its file.
        title: What the container is called by people: an e-mail's subject.
        lease: The right to work on it.
        should_stop: Asked while it is unpacked.

    Raises:
        FileRefused: the container cannot be unpacked, or its upload holds too many documents without it.
        JobLater: too much work of the organisation is open.
        JobLost, JobCancelled: as for every step.
    """
    with organization_scope(lease.organization_id, user=None):
        ordinals = set(Member.objects.filter(version=version).values_list("ordinal", flat=True))
        around = container_chain(version=version)
        if version.kind == "zip" and not ordinals and is_upload_full(version=version):
            raise _full()
    _wait_for_room(lease, around)
    limits = reading_limits(kind=version.kind)
    with members_unpack(path, kind=version.kind, limits=limits, should_stop=should_stop) as members:
        n_members = 0
        for member in members:
            if member.ordinal in ordinals:
                continue
            if n_members >= LEAST_A_SLICE and lease.is_over:
                return False
            _wait_for_room(lease, around)
            _take(version, member, title, around, lease)
            crash_point("member.stored")
            n_members += 1
    return True


def container_chain(*, version: DocumentVersion) -> list[str]:
    """Kinds of the containers around the members of a version, its own first."""
    kinds, container_id = [version.kind], version.document.container_id
    while container_id is not None and len(kinds) <= MAX_CONTAINERS:
        outer = DocumentVersion.objects.filter(document_id=container_id).order_by("-number")
        kinds += outer.values_list("kind", flat=True)[:1]
        container_id = Document.objects.values_list("container_id", flat=True).get(pk=container_id)
    return kinds


def _wait_for_room(lease: Lease, around: list[str]) -> None:
    """Put the container off while too much work is open; each level has room of its own, so that none waits for ever.

    Raises:
        JobLater: too much is.
    """
    room = settings.OPEN_JOBS * (len(around) + 1)
    if 0 < room <= jobs_open(organization_id=lease.organization_id):
        raise JobLater(WAIT_S)


def is_upload_full(*, version: DocumentVersion) -> bool:
    """Whether the upload that a container came with has as many documents, over all levels, as one upload may."""
    document = version.document
    while document.container is not None:
        document = document.container
    Document.objects.select_for_update(of=("self",)).get(pk=document.pk)  # archives of one upload count in turn
    n_documents, outer = 0, Document.objects.filter(pk=document.pk)
    for _ in range(MAX_CONTAINERS):
        outer = Document.objects.filter(container__in=outer.values("pk"))
        n_documents += outer.count()
    return 0 < settings.UPLOAD_DOCUMENTS <= n_documents


def _full() -> FileRefused:
    return FileRefused(
        "too_many_in_upload",
        f"One upload can contain {settings.UPLOAD_DOCUMENTS:,} documents, including nested archives: upload the rest "
        f"separately.",
    )


def _take(version: DocumentVersion, member: UnpackedMember, title: str, around: list[str], lease: Lease) -> None:
    try:
        if member.reason:
            raise FileRefused(member.reason)
        _take_in(version, member, title, around, lease)
    except DiskFull:
        raise  # no fault of the file: the job waits for room and continues with it
    except ApplicationError as error:
        with organization_scope(lease.organization_id, user=None):
            lease.advance(stage=_stage(member.ordinal))
            same = error.extra.get("document_id")  # the document that holds this very file
            _outcome(version, member, document_id=same, reason=error.code, detail=error.message)


def _take_in(version: DocumentVersion, member: UnpackedMember, title: str, around: list[str], lease: Lease) -> None:
    """Store a member's file, then its document, version, job and outcome in one transaction.

    Raises:
        ApplicationError: it is not a kind of file that we read, is too deep, is one too many, or is held already.
    """
    organization = version.organization
    name = member_name(container=version.document.name, name=member.name)
    with file_accept(organization=organization, name=name, parts=(member.content,)) as (kind, file):
        if kind in ("zip", "email") and len(around) >= MAX_CONTAINERS:
            raise FileRefused("nested_too_deep")
        if kind == "zip" and around.count("zip") >= MAX_ARCHIVES:
            raise FileRefused("nested_too_deep")
        with organization_scope(organization, user=None):
            lease.advance(stage=_stage(member.ordinal))
            is_new = not Document.objects.filter(corpus=version.corpus_id, name=name).exists()
            if is_new and is_upload_full(version=version):
                raise _full()
            upload = upload_record(
                organization=organization,
                user=None,
                corpus_id=version.corpus_id,
                name=name,
                kind=kind,
                file=file,
                container=version.document,
                title=f"{document_name(raw=member.name)} – in {title}"[:300] if version.kind == "email" else "",
            )
            _outcome(version, member, document_id=upload.document.pk)


def _outcome(
    version: DocumentVersion,
    member: UnpackedMember,
    *,
    document_id: UUID | str | None = None,
    reason: str = "",
    detail: str = "",
) -> None:
    Member.objects.create(
        organization_id=version.organization_id,
        version=version,
        ordinal=member.ordinal,
        name=_shown(member.name),
        document_id=document_id,
        reason=reason[:40],
        detail=(detail or REASONS.get(reason, ""))[:MAX_DETAIL],
    )


def member_name(*, container: str, name: str) -> str:
    """The name of a member's document: that of its container, its folders, its own.

    Raises:
        ApplicationError: nothing is left of its own.
    """
    parts = [document_name(raw=part) for part in name.split("/") if part.strip(" .")]
    if not parts:
        raise ApplicationError("The file name cannot be used. Rename the file and upload it again.", code="name_needed")
    if not PurePosixPath(parts[-1]).suffix:
        parts[-1] += ".txt"  # a file without an extension is read as text, and the container's dot is not its own
    return document_name(raw=NAME_SEPARATOR.join((container, *parts)))


def _shown(name: str) -> str:
    return "".join(character for character in name if character.isprintable())[:300] or "?"


def _stage(ordinal: int) -> str:
    return f"file {ordinal + 1} taken in"
