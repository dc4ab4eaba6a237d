"""The one transaction in which a version becomes what searches find."""

from django.utils import timezone

from corpora.models import Chunk, Corpus, Document, DocumentVersion, Embedding, VersionState
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.services import Lease


def version_publish(*, version: DocumentVersion, lease: Lease) -> None:
    """Make a version the current one of its document and take the one before it out of search.

    The corpus's version is raised under its row lock, so that caches see changes in the order of their commits. A
    version that was overtaken by a later upload, or whose document was removed, is never shown.
    """
    with organization_scope(lease.organization_id, user=None):
        corpus = Corpus.objects.select_for_update().get(pk=version.corpus_id)
        document = (
            Document.objects.select_for_update(of=("self",)).select_related("current").get(pk=version.document_id)
        )
        lease.advance(stage="ready", cursor=version.n_chunks, total=version.n_chunks)
        mine = DocumentVersion.objects.filter(pk=version.pk)
        is_overtaken = document.current is not None and document.current.number > version.number
        if is_overtaken or document.removed_at is not None:
            Chunk.objects.filter(version=version).delete()
            mine.update(state=VersionState.SUPERSEDED)
            return
        if document.current is not None:
            Chunk.objects.filter(version=document.current).delete()
            DocumentVersion.objects.filter(pk=document.current.pk).update(state=VersionState.SUPERSEDED)
        Chunk.objects.filter(version=version).update(is_live=True)
        Embedding.objects.filter(chunk__version=version).update(is_live=True)
        mine.update(state=VersionState.READY, ready_at=timezone.now())
        document.current = version
        document.save(update_fields=["current"])
        corpus.version += 1
        corpus.save(update_fields=["version"])
