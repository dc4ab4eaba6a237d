"""The versions of a document: who brought each, and what it changed."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from corpora.differences import Difference, Origin, Standing, compare, counts
from corpora.models import Document, DocumentVersion, Paragraph, Position, VersionState
from corpora.selectors import version_list
from legalqa.accounts.models import Organization, User
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.jobs.selectors import job_latest_by_subject

VERSIONS_SHOWN = 50
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

    @property
    def n_changes(self) -> int:
        return sum(n for origin, n in (self.changes or {}).items() if origin != "same")


def is_readable(version: DocumentVersion) -> bool:
    return version.state in READABLE and version.n_paragraphs > 0


def version_rows(*, organization: Organization, document: Document) -> list[VersionRow]:
    """The versions of a document, newest first."""
    versions = version_list(document=document)[:VERSIONS_SHOWN]
    jobs = job_latest_by_subject(organization=organization, subject_ids=[version.pk for version in versions])
    people = {job.requested_by_id for job in jobs.values() if job.requested_by_id}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "name"))
    rows = []
    for place, version in enumerate(versions):
        before = next((v for v in versions[place + 1 :] if is_readable(v)), None) if is_readable(version) else None
        job = jobs.get(version.pk)
        rows.append(
            VersionRow(
                version,
                version.pk == document.current_id,
                is_readable(version),
                names.get(job.requested_by_id, "") if job is not None and job.requested_by_id else "",
                before.number if before else None,
                counts(version_differences(old=before, new=version)) if before else None,
            )
        )
    return rows


def version_differences(
    *, old: DocumentVersion, new: DocumentVersion, with_all_words: bool = False
) -> tuple[Difference, ...]:
    """What changed from one version to another; words of paragraphs that only moved or stayed are read on demand."""
    places = {
        version.pk: list(
            Position.objects.filter(version=version).order_by("ordinal").values_list("paragraph_id", "ordinal")
        )
        for version in (old, new)
    }
    ids = {version: {paragraph for paragraph, _ in found} for version, found in places.items()}
    wanted = ids[old.pk] | ids[new.pk] if with_all_words else ids[old.pk] ^ ids[new.pk]
    texts = dict(Paragraph.objects.filter(pk__in=wanted).values_list("pk", "text"))
    standing = {
        version: [Standing(paragraph, ordinal, texts.get(paragraph, "")) for paragraph, ordinal in found]
        for version, found in places.items()
    }
    return compare(standing[old.pk], standing[new.pk])


def versions_chosen(
    *, document: Document, old: str, new: str
) -> tuple[DocumentVersion, DocumentVersion, list[DocumentVersion]]:
    """The two versions that an address names, or the newest readable one and the one before, with all readable ones.

    Raises:
        NotFound: there is no such readable version, or none at all.
        ApplicationError: a number is none.
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
    if not (raw.isdecimal() and len(raw) < 8):
        raise ApplicationError(
            f"The version {raw[:20]!r} is not a number. Open the list of versions again.", code="bad_version"
        )
    version = next((v for v in versions if v.number == int(raw)), None)
    if version is None:
        raise NotFound("version")
    return version


def changes_page(*, organization: Organization, document: Document, asked: Any) -> dict[str, Any]:
    """The context of the page that shows two versions in one."""
    old, new, readable = versions_chosen(document=document, old=asked.get("old", ""), new=asked.get("new", ""))
    shows_all = asked.get("all") == "1"
    differences = version_differences(old=old, new=new, with_all_words=True)
    reader = reverse("document_detail", args=(organization.slug, document.pk))
    rows: list[dict[str, Any]] = []
    number = 0
    for difference in differences:
        if difference.origin == "same" and not shows_all:
            if rows and "n_same" in rows[-1]:
                rows[-1]["n_same"] += 1
            else:
                rows.append({"n_same": 1})
            continue
        number += difference.origin != "same"
        rows.append(_row(difference, number, reader, old, new))
    base = reverse("document_changes", args=(organization.slug, document.pk))
    return {
        "document": document,
        "corpus": document.corpus,
        "old": old,
        "new": new,
        "versions": readable,
        "rows": rows,
        "counts": counts(differences),
        "n_changes": number,
        "shows_all": shows_all,
        "old_url": f"{reader}?v={old.number}",
        "new_url": f"{reader}?v={new.number}",
        "other_url": f"{base}?{urlencode({'old': old.number, 'new': new.number} | ({} if shows_all else {'all': 1}))}",
    }


def _row(
    difference: Difference, number: int, reader: str, old: DocumentVersion, new: DocumentVersion
) -> dict[str, Any]:
    shown = difference.new or difference.old
    assert shown is not None
    version = new if difference.new is not None else old
    words = " ".join(shown.text.split())
    mark = f"{shown.ordinal}:0-{len(shown.text.rstrip()) or 1}"
    return {
        "origin": difference.origin,
        "number": number if difference.origin != "same" else 0,
        "text": words,
        "words": difference.words,
        "url": f"{reader}?{urlencode({'v': version.number, 'at': mark})}",
        "from": difference.old.ordinal + 1 if difference.origin == "moved" and difference.old else 0,
    }
