"""Writes to corpora: the only place that decides."""

from corpora.services.corpus import corpus_create, corpus_member_add, corpus_member_remove, corpus_update
from corpora.services.documents import document_remove, version_unlock
from corpora.services.ingestion import document_ingest
from corpora.services.orphans import files_sweep
from corpora.services.uploads import document_upload

__all__ = [
    "corpus_create",
    "corpus_member_add",
    "corpus_member_remove",
    "corpus_update",
    "document_ingest",
    "document_remove",
    "document_upload",
    "files_sweep",
    "version_unlock",
]
