"""Background entry points, under the names that the queue and the ledger know."""

from uuid import UUID

from corpora import services

document_ingest = services.document_ingest
corpus_reindex = services.reindex_work
corpus_remove = services.removal_work
encoder_switch = services.encoder_switch_work
encoder_clean = services.encoder_clean_work
encoder_fill = services.encoder_fill_work
chunk_set_fill = services.chunk_set_fill_work
passages_encode = services.passages_encode
folders_look = services.folders_look
files_sweep = services.files_sweep
passages_sweep = services.passages_sweep


def document_failed(job_id: str) -> None:
    services.failure_notice(job_id=UUID(job_id))
