"""What each organisation has used today, and how much it may use, so that none can stop the work of the others."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from legalqa.accounts.models import Organization
from legalqa.common.errors import Conflict
from legalqa.jobs.models import OPEN_STATES, DayUse, Job

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Use:
    """What an organisation uses, with its limits; a limit of 0 means none.

    Bytes and processor seconds are today's (UTC).
    """

    open_jobs: int
    open_jobs_limit: int
    bytes_today: int
    bytes_today_limit: int
    processor_s_today: float
    processor_s_today_limit: int
    documents_of_upload_limit: int

    @property
    def is_waiting(self) -> bool:
        """Whether background work waits for the next day."""
        return 0 < self.processor_s_today_limit <= self.processor_s_today


def today() -> date:
    """The current day (UTC)."""
    return timezone.now().date()


def use_get(*, organization: Organization) -> Use:
    """What the organisation uses now and has used today, with its limits."""
    day = DayUse.objects.filter(organization_id=organization.pk, day=today()).first() or DayUse()
    return Use(
        open_jobs=jobs_open(organization_id=organization.pk),
        open_jobs_limit=settings.OPEN_JOBS,
        bytes_today=day.n_bytes,
        bytes_today_limit=settings.DAY_UPLOAD_BYTES,
        processor_s_today=day.processor_ms / 1000,
        processor_s_today_limit=settings.DAY_PROCESSOR_S,
        documents_of_upload_limit=settings.UPLOAD_DOCUMENTS,
    )


def jobs_open(*, organization_id: UUID) -> int:
    return Job.objects.filter(organization_id=organization_id, state__in=OPEN_STATES).count()


def open_jobs_check(*, organization: Organization) -> None:
    """Refuse an upload while the organisation has too many open jobs.

    Raises:
        Conflict: it has.
    """
    n_open = jobs_open(organization_id=organization.pk)
    if 0 < settings.OPEN_JOBS <= n_open:
        raise Conflict(
            f"{n_open:,} background jobs of your organisation are open, and the limit is {settings.OPEN_JOBS:,}. The "
            f"file was not accepted: upload it again when some have finished.",
            code="open_jobs_limit",
        )


def bytes_take(*, organization: Organization, size: int) -> None:
    """Count the `size` bytes of an accepted file, in the caller's transaction, which must roll back if this raises.

    Raises:
        Conflict: with this file the organisation exceeds its limit for a day.
    """
    day_use_add(organization_id=organization.pk, n_bytes=size)
    bytes_check(organization=organization, size=0)  # the row is locked now: of two files at once, one waits


def bytes_check(*, organization: Organization, size: int) -> None:
    """Refuse a file of `size` bytes if it would exceed the organisation's limit for a day; counts nothing.

    Raises:
        Conflict: it would.
    """
    use = use_get(organization=organization)
    if 0 < use.bytes_today_limit < use.bytes_today + size:
        raise Conflict(
            f"Your organisation can upload {use.bytes_today_limit // MEBIBYTE:,} MB a day, and this file would exceed "
            "that. It was not accepted: upload it tomorrow (UTC), or ask the operator for a higher limit.",
            code="bytes_today_limit",
        )


def day_use_add(*, organization_id: UUID, n_bytes: int = 0, processor_ms: int = 0) -> None:
    """Add to what an organisation has used today."""
    row, _ = DayUse.objects.get_or_create(organization_id=organization_id, day=today())
    DayUse.objects.filter(pk=row.pk).update(
        n_bytes=F("n_bytes") + n_bytes, processor_ms=F("processor_ms") + processor_ms
    )
