"""Webhook events of documents and corpora; each is stored in the transaction in which it happens."""

from typing import Any
from uuid import UUID

from corpora.models import Corpus, CorpusMember, Document, DocumentVersion
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from legalqa.webhooks.models import EventKind
from legalqa.webhooks.services import event_emit


def version_notice(*, version: DocumentVersion, kind: EventKind, state: str, reason: str = "") -> None:
    """A version became searchable, or will not."""
    corpus = Corpus.objects.get(pk=version.corpus_id)
    _emit(corpus, kind, state, document_id=version.document_id, version=version.number, reason=reason)


def removal_notice(*, corpus: Corpus, document: Document) -> None:
    """A document of a corpus, which is read in this transaction, left the searches."""
    _emit(corpus, EventKind.DOCUMENT_REMOVED, "removed", document_id=document.pk)


def index_notice(*, corpus: Corpus) -> None:
    """Searches of a corpus use a new index."""
    _emit(corpus, EventKind.CORPUS_INDEXED, "indexed")


def _emit(corpus: Corpus, kind: EventKind, state: str, **told: Any) -> None:
    of: Any = {"organization_id": corpus.organization_id, "corpus_id": corpus.pk}
    event_emit(kind=kind, **of, readers=corpus_readers(corpus=corpus), state=state, **told)


def failure_notice(*, job_id: UUID) -> None:
    """The job that reads a document has used up its tries."""
    job = Job.objects.get(pk=job_id)
    with organization_scope(job.organization_id, user=None):
        version = DocumentVersion.objects.defer("text").filter(pk=job.subject_id).first()
        if version is not None:
            version_notice(version=version, kind=EventKind.DOCUMENT_FAILED, state="failed", reason=job.reason)


def corpus_readers(*, corpus: Corpus) -> list[UUID] | None:
    """The people inside the wall of a corpus; None where it has none."""
    if not corpus.is_walled:
        return None
    return list(CorpusMember.objects.filter(corpus=corpus).values_list("user_id", flat=True))
