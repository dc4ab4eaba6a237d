"""Writes to corpora: the only place that decides."""

from corpora.services.added_encoders import encoder_add
from corpora.services.chunk_sets import (
    chunk_set_fill_retry_check,
    chunk_set_keep,
    chunk_set_remove,
    chunk_set_update,
    chunk_set_use,
    corpus_compared,
    reindex_retry_check,
)
from corpora.services.corpus import corpus_create, corpus_member_add, corpus_member_remove, corpus_update
from corpora.services.describing import document_describe
from corpora.services.documents import document_remove, document_rename, document_view, version_download, version_unlock
from corpora.services.encoders import (
    encoder_clean_work,
    encoder_fill_retry_check,
    encoder_fill_start,
    encoder_fill_work,
    encoder_remove,
    encoder_roll_back,
    encoder_switch_retry_check,
    encoder_switch_work,
    encoder_use,
)
from corpora.services.ingestion import document_ingest
from corpora.services.notices import corpus_readers, failure_notice
from corpora.services.orphans import files_sweep
from corpora.services.passages import passages_encode, passages_sweep
from corpora.services.previewing import chunking_preview, delimiters_suggested
from corpora.services.reindexing import chunk_set_fill_work, corpus_reindex, reindex_work
from corpora.services.removal import corpus_removal_cancel, corpus_remove, removal_delay, removal_work
from corpora.services.uploads import document_upload
from corpora.services.versions import version_date_set
from corpora.services.watching import folder_look, folder_unwatch, folder_watch, folders_available, folders_look
