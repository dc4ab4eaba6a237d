"""The description of a document: guessed when its file is read, and set by those who manage the corpus."""

from datetime import date
from typing import Any
from uuid import UUID

from corpora.describing import DOCUMENT_KINDS, Description, describe
from corpora.models import Document, DocumentVersion
from corpora.selectors import document_get, version_latest
from corpora.services.uploads import text_visible
from corpora.services.versions import version_date_set
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError

FIELDS = {"kind": 16, "jurisdiction": 120, "authority": 300}  # facts of a document, with the most characters of each
MAX_REASON = 300


def description_guess(*, document: Document, version: DocumentVersion, description: Description) -> None:
    """Put guesses into the fields that no person has filled in, in the caller's transaction; saves both rows.

    A day that the version before names too says nothing about this one: it is not taken.
    """
    for name, limit in FIELDS.items():
        guess = getattr(description, name)
        if guess is not None and name not in document.given_fields:
            setattr(document, name, guess.value[:limit])
            document.field_reasons[name] = guess.reason[:MAX_REASON]
    document.save(update_fields=[*FIELDS, "field_reasons"])
    day = description.effective_date
    is_open = not version.is_effective_date_given and version.effective_date is None
    if day is None or not is_open or _is_of_version_before(version, date.fromisoformat(day.value)):
        return
    changes = {"effective_date": date.fromisoformat(day.value), "effective_date_reason": day.reason[:MAX_REASON]}
    DocumentVersion.objects.filter(pk=version.pk, is_effective_date_given=False, effective_date=None).update(**changes)


def _is_of_version_before(version: DocumentVersion, day: date) -> bool:
    before = DocumentVersion.objects.filter(document=version.document_id, number__lt=version.number)
    if before.filter(effective_date__gte=day).exists():
        return True
    last = before.exclude(text="").order_by("-number").first()
    guess = None if last is None else describe(title="", text=last.text).effective_date
    return guess is not None and guess.value == day.isoformat()


def document_describe(
    *, organization: Organization, user: User, document_id: UUID, changes: dict[str, Any]
) -> Document:
    """Describe a document; the description is kept when the file is read again or gets a new version.

    Args:
        organization: Whose document.
        user: Who says it.
        document_id: Which document.
        changes: Of `kind`, `jurisdiction`, `authority`, and `effective_date` of its newest version, those that change.

    Raises:
        NotFound: no such document.
        ApplicationError: there is no such kind, or a text is too long.
    """
    document = document_get(organization=organization, document_id=document_id)
    texts = {name: text_visible(text=" ".join(str(changes[name]).split())) for name in FIELDS if name in changes}
    if texts.get("kind", "") not in ("", *DOCUMENT_KINDS):
        kinds = ", ".join(DOCUMENT_KINDS)
        raise ApplicationError(f"There is no kind {texts['kind'][:40]!r}. Choose one of: {kinds}.", code="unknown_kind")
    for name, value in texts.items():
        if len(value) > (limit := FIELDS[name]):
            raise ApplicationError(
                f"The {name} has {len(value)} characters, and the limit is {limit}. Shorten it.", code="too_long"
            )
        setattr(document, name, value)
        document.given_fields = sorted({*document.given_fields, name})
        document.field_reasons.pop(name, None)
    document.save(update_fields=[*FIELDS, "given_fields", "field_reasons"])
    newest = version_latest(document=document)
    if "effective_date" in changes:
        version_date_set(
            organization=organization,
            user=user,
            document_id=document_id,
            number=newest.number,
            effective_date=changes["effective_date"],
        )
    audit(organization=organization, actor=user, action="document.described", subject_id=document.pk)
    return document
