"""Background entry points: ids in, nothing out."""

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


def document_failed(job_id: str) -> None:
    services.failure_notice(job_id=UUID(job_id))


def folders_look() -> None:
    services.folders_look()


def files_sweep() -> None:
    services.files_sweep()


def passages_sweep() -> None:
    services.passages_sweep()
