"""Facts that managers set for a version of a document."""

from datetime import date
from uuid import UUID

from corpora.models import Corpus, DocumentVersion
from corpora.selectors import document_get, version_get
from corpora.services.corpus import corpus_change
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit


def version_date_set(
    *, organization: Organization, user: User, document_id: UUID, number: int, effective_date: date | None
) -> DocumentVersion:
    """Say from which day a version is in effect, or that it is not known; searches filtered by date obey at once.

    Raises:
        NotFound: no such document, or it has no version of that number.
    """
    document = document_get(organization=organization, document_id=document_id)
    version = version_get(organization=organization, document=document, number=number)
    corpus = Corpus.objects.select_for_update().get(pk=document.corpus_id)
    version.effective_date, version.effective_date_reason = effective_date, ""
    version.is_effective_date_given = True
    version.save(update_fields=["effective_date", "effective_date_reason", "is_effective_date_given"])
    corpus_change(corpus=corpus)
    audit(
        organization=organization,
        actor=user,
        action="document.dated",
        subject_id=version.pk,
        effective_date=effective_date.isoformat() if effective_date else "",
    )
    return version
