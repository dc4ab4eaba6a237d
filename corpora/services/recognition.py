"""Text recognition as a step of reading: a plan of the scanned pages, then one page after the other.

Every page is stored in the transaction that moves the job on, so a kill or a cancel costs one page at most.
"""

from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from corpora.models import DocumentVersion, Recognition
from corpora.parsers.detect import PLAIN_KINDS
from corpora.parsers.limits import MEBIBYTE, Limits
from corpora.parsers.ocr import EMPTY_BOXES, page_recognise
from corpora.parsers.reasons import FileRefused
from corpora.types import RecognisedPage
from legalqa.accounts.scoping import organization_scope
from legalqa.common.faults import crash_point
from legalqa.jobs.services import JobCancelled, Lease

MAX_ATTEMPTS = 2  # a page that breaks text recognition twice breaks it always


def reading_limits(*, kind: str) -> Limits:
    """What the operator allows a reading of a file of that kind."""
    seconds = settings.PARSE_TEXT_SECONDS if kind in PLAIN_KINDS else settings.PARSE_SECONDS
    return Limits(
        file_bytes=settings.MAX_UPLOAD_BYTES,
        memory_bytes=settings.PARSE_MEMORY_MB * MEBIBYTE,
        cpu_seconds=seconds,
        wall_seconds=(3 if kind in PLAIN_KINDS else 1.5) * seconds,
    )


def recognition_plan(*, version: DocumentVersion, pages: tuple[int, ...], lease: Lease) -> None:
    """Write down which pages of a version are to be recognised."""
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage=_stage(0, len(pages)), cursor=0, total=len(pages))
        Recognition.objects.bulk_create(
            (Recognition(organization_id=lease.organization_id, version=version, number=number) for number in pages),
            ignore_conflicts=True,
        )


def page_recognise_next(*, version: DocumentVersion, path: Path, lease: Lease, should_stop: Callable[[], bool]) -> bool:
    """Recognise the next planned page; False once none waits.

    A page that cannot be read is stored as one without words and with confidence 0: it costs the document nothing but
    itself, and is among the pages that people are asked to look at.
    """
    with organization_scope(lease.organization_id, user=None):
        planned = Recognition.objects.filter(version=version)
        n_pages, waiting = planned.count(), planned.filter(confidence=None).order_by("number")
        page, n_waiting = waiting.first(), waiting.count()
        n_done = n_pages - n_waiting
        if page is None:
            return False
    crash_point("recognise.before")
    try:
        limits = reading_limits(kind=version.kind)
        recognised = page_recognise(path, page=page.number, limits=limits, should_stop=should_stop)
    except FileRefused as refusal:
        if refusal.code == "cancelled":
            raise JobCancelled from None
        if lease.attempt < MAX_ATTEMPTS:
            raise
        recognised = RecognisedPage(page.number, "", EMPTY_BOXES, 0.0)
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage=_stage(n_done + 1, n_pages), cursor=n_done + 1, total=n_pages)
        waiting.filter(pk=page.pk).update(
            text=recognised.text, boxes=recognised.boxes, confidence=recognised.confidence
        )
    crash_point("recognise.stored")
    return True


def recognised_pages(*, version: DocumentVersion) -> list[RecognisedPage]:
    """The pages of a version that have been recognised so far."""
    with organization_scope(version.organization_id, user=None):
        rows = Recognition.objects.filter(version=version, confidence__isnull=False).order_by("number")
        return [RecognisedPage(page.number, page.text, bytes(page.boxes), page.confidence or 0.0) for page in rows]


def _stage(page: int, pages: int) -> str:
    return f"page {page} of {pages} read by OCR"
