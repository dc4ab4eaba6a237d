"""The versions of a document: who brought each, and what it changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from corpora.comparing import compared
from corpora.differences import PAGE_STEPS, Difference, Origin, VersionParagraph, counts
from corpora.in_force import awaited_words
from corpora.models import Document, DocumentVersion, Paragraph, Position, VersionState
from corpora.selectors import document_get, version_list
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.dates import day_words
from legalqa.common.errors import ApplicationError, NotFound, existing
from legalqa.common.numbers import whole_number
from legalqa.common.work import Places, Work
from legalqa.jobs.selectors import job_latest_by_subject

VERSIONS_SHOWN = 50
COMPARISONS = Places(
    of_one=2, of_all=4, refusal="Other version comparisons are running. Wait a few seconds, then reload the page."
)
BothVersions = tuple[list[VersionParagraph], list[VersionParagraph]]
READABLE = (VersionState.READY, VersionState.SUPERSEDED)


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version with who brought it, and what it changed against the readable one before (None for the first)."""

    version: DocumentVersion
    is_current: bool
    is_readable: bool
    who: str
    before: int | None
    changes: dict[Origin, int] | None
    date_warning: str

    @property
    def n_changes(self) -> int:
        return sum(n for origin, n in (self.changes or {}).items() if origin != "same")


def is_readable(version: DocumentVersion) -> bool:
    return version.state in READABLE and version.n_paragraphs > 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from version `old` to version `new`.

    `is_short` where marking every word would have cost too much, so that reworded paragraphs are shown as removed and
    added.
    """

    document: Document
    old: DocumentVersion
    new: DocumentVersion
    readable: list[DocumentVersion]
    differences: tuple[Difference, ...]
    is_short: bool


@dataclass(frozen=True, slots=True)
class VersionTable:
    """The versions of a document; `awaited` says from when the current one is searched, "" where it is already."""

    document: Document
    rows: list[VersionRow]
    is_short: bool
    awaited: str


def version_table(*, organization: Organization, user: User, document_id: UUID) -> VersionTable:
    """The versions of a document, newest first; nothing is compared while a transaction is open.

    Raises:
        NotFound: no such document.
        TooMany: too many comparisons are under way.
    """
    with organization_scope(organization, user=user):
        document = document_get(organization=organization, document_id=document_id)
        versions = version_list(document=document)[:VERSIONS_SHOWN]
        awaited = awaited_words(document_id=document.pk)
        jobs = job_latest_by_subject(organization=organization, subject_ids=[version.pk for version in versions])
    people = {job.requested_by_id for job in jobs.values() if job.requested_by_id}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "name"))
    work, rows = Work(PAGE_STEPS), []
    with COMPARISONS.one(user.pk):
        for place, version in enumerate(versions):
            before = next((v for v in versions[place + 1 :] if is_readable(v)), None) if is_readable(version) else None
            job = jobs.get(version.pk)
            changes = None
            if before is not None:
                with organization_scope(organization, user=user):
                    pair = _paragraphs(old=before, new=version, with_all_words=False)
                connection_give_back()
                changes = counts(compared(*pair, work=work, with_words=False))
            rows.append(
                VersionRow(
                    version,
                    version.pk == document.current_id,
                    is_readable(version),
                    names.get(job.requested_by_id, "") if job is not None and job.requested_by_id else "",
                    before.number if before else None,
                    changes,
                    date_warning(version=version, versions=versions),
                )
            )
    return VersionTable(document, rows, work.is_spent, awaited)


def date_warning(*, version: DocumentVersion, versions: Iterable[DocumentVersion]) -> str:
    """That a version takes effect before one that it follows; "" where the days are in the order of the versions."""
    day = version.effective_date
    before = [v for v in versions if v.number < version.number and v.effective_date and day and v.effective_date > day]
    if day is None or not before:
        return ""
    latest = max(before, key=lambda v: (v.effective_date, v.number))
    assert latest.effective_date is not None
    return (
        f"Version {version.number} takes effect on {day_words(day)}, before version {latest.number} does "
        f"({day_words(latest.effective_date)}): questions as of that later day are answered from version "
        f"{latest.number}. Check both dates."
    )


def date_check(*, version: DocumentVersion) -> str:
    """What is wrong with the date that a version was given, beside the dates of those before and after it; or ""."""
    versions = version_list(document=version.document)
    later = [one for one in reversed(versions) if one.number >= version.number]
    return next(filter(None, (date_warning(version=one, versions=versions) for one in later)), "")


def version_comparison(*, organization: Organization, user: User, document_id: UUID, old: str, new: str) -> Comparison:
    """What changed between two versions of a document, compared while no transaction is open.

    Args:
        organization: Whose document it is.
        user: Who looks at it; the audit log says so.
        document_id: The document.
        old: Number of the earlier version as the address gives it, "" for the one before the later one.
        new: Number of the later version, "" for the newest that can be read.

    Raises:
        NotFound: no such document, or no such version that can be read.
        ApplicationError: not a version number.
        TooMany: too many comparisons are under way.
    """
    work = Work(PAGE_STEPS)
    with COMPARISONS.one(user.pk):
        with organization_scope(organization, user=user):
            document = document_get(organization=organization, document_id=document_id)
            earlier, later, readable = versions_chosen(document=document, old=old, new=new)
            pair = _paragraphs(old=earlier, new=later, with_all_words=True)
            audit(organization=organization, actor=user, action="document.viewed", subject_id=document.pk)
        connection_give_back()
        differences = compared(*pair, work=work)
    return Comparison(document, earlier, later, readable, differences, work.is_spent)


def _paragraphs(*, old: DocumentVersion, new: DocumentVersion, with_all_words: bool) -> BothVersions:
    """The paragraphs of two versions; without `with_all_words` only those that differ have their words."""
    places = {
        version.pk: list(
            Position.objects.filter(version=version).order_by("ordinal").values_list("paragraph_id", "ordinal")
        )
        for version in (old, new)
    }
    ids = {version: {paragraph for paragraph, _ in rows} for version, rows in places.items()}
    paragraph_ids = ids[old.pk] | ids[new.pk] if with_all_words else ids[old.pk] ^ ids[new.pk]
    texts = dict(Paragraph.objects.filter(pk__in=paragraph_ids).values_list("pk", "text"))
    paragraphs = {
        version: [VersionParagraph(paragraph, ordinal, texts.get(paragraph, "")) for paragraph, ordinal in rows]
        for version, rows in places.items()
    }
    return paragraphs[old.pk], paragraphs[new.pk]


def versions_chosen(
    *, document: Document, old: str, new: str
) -> tuple[DocumentVersion, DocumentVersion, list[DocumentVersion]]:
    """The two versions that an address names, or the two newest readable ones, with all readable ones.

    Raises:
        NotFound: there is no such readable version, or none at all.
        ApplicationError: not a version number.
    """
    readable = [version for version in version_list(document=document) if is_readable(version)]
    if not readable:
        raise NotFound("version")
    later = _named(readable, new) or readable[0]
    earlier = _named(readable, old) or next((v for v in readable if v.number < later.number), readable[-1])
    return earlier, later, readable


def _named(versions: list[DocumentVersion], raw: str) -> DocumentVersion | None:
    if not raw:
        return None
    number = whole_number(raw, digits=7)
    if number is None:
        raise ApplicationError(
            f"The version {raw[:20]!r} is not a number. Open the list of versions again.", code="bad_version"
        )
    return existing(next((v for v in versions if v.number == number), None), "version")
