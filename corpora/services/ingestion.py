"""From a stored file to searchable chunks, in steps that survive a kill at any point.

Each step computes outside any transaction and stores its result in one, together with the version's new state and the
job's progress under the lease; run again after a kill, it stores the same rows. A search sees a version only when
`publish` has committed.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import NoReturn

from django.conf import settings
from django.db import IntegrityError

from corpora.files import file_at_hand, file_name
from corpora.models import VERSION_TRANSITIONS, DocumentVersion, VersionState
from corpora.parsers.detect import CONTAINERS
from corpora.parsers.ocr import ocr_engine
from corpora.parsers.reasons import RETRYABLE, FileRefused
from corpora.parsers.sandbox import parse_file
from corpora.services.containers import members_take
from corpora.services.indexing import version_chunk, version_embed
from corpora.services.notices import version_notice
from corpora.services.publishing import version_publish
from corpora.services.reading import version_store
from corpora.services.recognition import page_recognise_next, reading_limits, recognised_pages, recognition_plan
from corpora.types import ParsedDocument
from legalqa.accounts.scoping import organization_scope
from legalqa.common.disk import has_room
from legalqa.common.errors import ResourceDown
from legalqa.common.faults import crash_point
from legalqa.common.transitions import moved
from legalqa.jobs.services import JobCancelled, JobRefused, Lease
from legalqa.jobs.sliced import job_task
from legalqa.webhooks.models import EventKind

REFUSED_STAGE = "refused"
MAX_READING_ATTEMPTS = 2  # a file that breaks the reader twice breaks it always


@job_task
def document_ingest(*, lease: Lease) -> bool:
    """Work on the ingestion of one version until it is searchable, refused, or the slice is over.

    Raises:
        ResourceDown: the disk has too little room for what reading stores.
    """
    if not has_room():
        raise ResourceDown("room on the disk")
    while not lease.is_over:
        with organization_scope(lease.organization_id, user=None):
            version = (
                DocumentVersion.objects.select_related("document", "corpus", "organization")
                .defer("text")
                .filter(pk=lease.subject_id)
                .first()
            )
        if version is not None and version.state == VersionState.REFUSED:
            version = _reopened(version, lease)
        if version is None or version.state not in _STEPS:
            return True
        _STEPS[VersionState(version.state)](version, lease)
    return False


def _reopened(version: DocumentVersion, lease: Lease) -> DocumentVersion:
    """A refused version as received once more, if a person asked for another try.

    Raises:
        JobRefused: nobody asked (a kill came between refusing and saying so), or the same file was taken in since.
    """
    if lease.stage == REFUSED_STAGE:
        raise JobRefused(version.reason)
    reason, version.state = version.reason, moved(VERSION_TRANSITIONS, version.state, VersionState.RECEIVED)
    version.reason, version.detail = "", ""
    try:
        with organization_scope(lease.organization_id, user=None):
            lease.begin(stage="reading")
            version.save(update_fields=["state", "reason", "detail"])
    except IntegrityError:
        raise JobRefused(reason) from None
    return version


def _read(version: DocumentVersion, lease: Lease) -> None:
    """Parse in the child process, then store pages and paragraphs with their ids.

    Scanned pages are recognised first, one a call, once a first reading has named them. The files of an archive or an
    e-mail are taken in as documents of their own; an archive has no text itself.
    """
    with file_at_hand(file_name(organization_id=lease.organization_id, file_id=version.file_id)) as path:
        _read_file(version, path, lease)


def _read_file(version: DocumentVersion, path: Path, lease: Lease) -> None:
    if page_recognise_next(version=version, path=path, lease=lease, should_stop=_keeping(lease)):
        return
    crash_point("parse.before")
    with organization_scope(lease.organization_id, user=None):
        lease.begin(stage="reading")
    try:
        parsed = _parsed(version, path, lease)
        if parsed.scanned and ocr_engine():
            recognition_plan(version=version, pages=parsed.scanned, lease=lease)
            return
        if version.kind in CONTAINERS and not members_take(
            version=version, path=path, title=parsed.title, lease=lease, should_stop=_keeping(lease)
        ):
            return
    except FileRefused as refusal:
        if refusal.scanned and ocr_engine():
            recognition_plan(version=version, pages=refusal.scanned, lease=lease)
            return
        _refuse(version, FileRefused("ocr_missing") if refusal.scanned else refusal, lease)
    crash_point("parse.after")
    version_store(version=version, parsed=parsed, lease=lease)
    crash_point("parse.stored")


def _parsed(version: DocumentVersion, path: Path, lease: Lease) -> ParsedDocument:
    if version.kind == "zip":
        return ParsedDocument("", (), (), version.document.name, ())
    parsed = parse_file(
        path,
        name=version.document.name,
        limits=reading_limits(kind=version.kind),
        recognised=recognised_pages(version=version),
        should_stop=_keeping(lease),
    )
    if parsed.scanned and not ocr_engine():
        return replace(parsed, warnings=(*parsed.warnings, "ocr_missing"))
    return parsed


def _refuse(version: DocumentVersion, refusal: FileRefused, lease: Lease) -> NoReturn:
    """Keep the reason with the version, unless another try may end better.

    Raises:
        FileRefused: it is tried again.
        JobCancelled: a person stopped it.
        JobRefused: it is refused.
    """
    if refusal.code == "cancelled":
        raise JobCancelled from None
    if refusal.code in RETRYABLE and lease.attempt < MAX_READING_ATTEMPTS:
        raise refusal
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage=REFUSED_STAGE)
        DocumentVersion.objects.filter(pk=version.pk).update(
            state=VersionState.REFUSED, reason=refusal.code, detail=refusal.message[:400]
        )
        version_notice(version=version, kind=EventKind.DOCUMENT_FAILED, state=VersionState.REFUSED, reason=refusal.code)
    raise JobRefused(refusal.code) from None


def _keeping(lease: Lease) -> Callable[[], bool]:
    """A check that renews the lease while the child works, and says when to give up."""
    renewed = monotonic()

    def should_stop() -> bool:
        nonlocal renewed
        if monotonic() - renewed < settings.JOB_LEASE_S / 4:
            return False
        renewed = monotonic()
        return not lease.renew()

    return should_stop


def _chunk(version: DocumentVersion, lease: Lease) -> None:
    crash_point("chunk.before")
    version_chunk(version=version, lease=lease)
    crash_point("chunk.stored")


def _embed(version: DocumentVersion, lease: Lease) -> None:
    """Embed one batch; publish once every chunk has its vectors."""
    if version_embed(version=version, lease=lease):
        crash_point("publish.before")
        version_publish(version=version, lease=lease)
        crash_point("publish.done")


_STEPS: dict[VersionState, Callable[[DocumentVersion, Lease], None]] = {
    VersionState.RECEIVED: _read,
    VersionState.PARSED: _chunk,
    VersionState.CHUNKED: _embed,
}
