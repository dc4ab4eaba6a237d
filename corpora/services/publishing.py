"""The one transaction in which a version becomes what searches find."""

from django.conf import settings
from django.utils import timezone

from corpora.models import Chunk, Corpus, Document, DocumentVersion, Embedding, VersionState
from corpora.services.corpus import corpus_change
from corpora.services.indexing import chunks_lacking
from corpora.services.notices import version_notice
from corpora.services.passages import passages_ensure
from corpora.services.reading import version_move
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.services import Lease, job_ensure
from legalqa.webhooks.models import EventKind

INDEX = "retrieval.tasks.corpus_index"


def version_publish(*, version: DocumentVersion, lease: Lease) -> None:
    """Make a version the current one of its document and take the previous one out of search.

    The chunks of the previous one stay, for searches as of a day on which it was in force.

    The corpus's version is raised under its row lock, so that caches see changes in the order of their commits. A
    version that was overtaken by a later upload, or whose document was removed, is never shown. One that was cut for
    a chunk set that has been switched away since goes back a step and is cut again; one that lacks vectors because the
    corpus has switched to another encoder since stays as it is, and is embedded by that one.
    """
    with organization_scope(lease.organization_id, user=None):
        corpus = Corpus.objects.select_for_update().get(pk=version.corpus_id)
        document = (
            Document.objects.select_for_update(of=("self",)).select_related("current").get(pk=version.document_id)
        )
        lease.advance(stage="ready", cursor=version.n_chunks, total=version.n_chunks)
        is_overtaken = document.current is not None and document.current.number > version.number
        if is_overtaken or document.removed_at is not None:
            if document.removed_at is not None:
                Chunk.objects.filter(version=version).delete()
            version_move(version=version, expected=VersionState.CHUNKED, state=VersionState.SUPERSEDED)
            return
        if not _is_cut_as_searched(version):
            Chunk.objects.filter(version=version).delete()
            version_move(version=version, expected=VersionState.CHUNKED, state=VersionState.PARSED)
            return
        chunks = Chunk.objects.filter(version=version)
        if chunks_lacking(chunks=chunks, encoder_name=corpus.encoder).exists():
            return
        if document.current is not None:
            replaced = Chunk.objects.filter(version=document.current)
            Embedding.objects.filter(chunk__in=replaced.values("pk"), is_live=True).update(is_live=False)
            replaced.filter(is_live=True).update(is_live=False)
            version_move(version=document.current, expected=VersionState.READY, state=VersionState.SUPERSEDED)
        chunks.filter(is_parent=False).update(is_live=True)
        # By a sub-select: a join makes Django compare the table with itself, row by row where statistics are young.
        Embedding.objects.filter(chunk__in=chunks.values("pk")).update(is_live=True)
        version_move(version=version, expected=VersionState.CHUNKED, state=VersionState.READY, ready_at=timezone.now())
        document.current = version
        document.save(update_fields=["current"])
        corpus_change(corpus=corpus)
        version_notice(version=version, kind=EventKind.DOCUMENT_READY, state=VersionState.READY)
        corpus_index_ensure(corpus=corpus)
        passages_ensure(corpus=corpus)


def _is_cut_as_searched(version: DocumentVersion) -> bool:
    """Whether the version's chunks belong to the set that is live now; a blank document has none."""
    return (
        version.n_chunks == 0
        or Chunk.objects.filter(version=version, chunk_set__is_live=True, chunk_set__corpus=version.corpus_id).exists()
    )


def corpus_index_ensure(*, corpus: Corpus) -> None:
    """Enqueue the corpus's own vector index once exact search over it would be slow; the job does nothing twice."""
    windows = Embedding.objects.filter(corpus=corpus, encoder=corpus.encoder, is_live=True).count()
    if windows > settings.EXACT_SEARCH_MAX:
        job_ensure(organization=corpus.organization_id, task=INDEX, subject_id=corpus.pk, corpus_id=corpus.pk)
