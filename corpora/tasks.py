"""Background entry points: ids in, nothing out."""

from uuid import UUID

from corpora import services


def document_ingest(job_id: str) -> None:
    services.document_ingest(job_id=UUID(job_id))


def document_failed(job_id: str) -> None:
    services.failure_notice(job_id=UUID(job_id))


def corpus_reindex(job_id: str) -> None:
    services.reindex_work(job_id=UUID(job_id))


def corpus_remove(job_id: str) -> None:
    services.removal_work(job_id=UUID(job_id))


def encoder_switch(job_id: str) -> None:
    services.encoder_switch_work(job_id=UUID(job_id))


def encoder_clean(job_id: str) -> None:
    services.encoder_clean_work(job_id=UUID(job_id))


def encoder_fill(job_id: str) -> None:
    services.encoder_fill_work(job_id=UUID(job_id))


def chunk_set_fill(job_id: str) -> None:
    services.chunk_set_fill_work(job_id=UUID(job_id))


def folders_look() -> None:
    services.folders_look()


def files_sweep() -> None:
    services.files_sweep()


def passages_encode(job_id: str) -> None:
    services.passages_encode(job_id=UUID(job_id))


def passages_sweep() -> None:
    services.passages_sweep()
