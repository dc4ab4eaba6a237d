"""Background entry points: ids in, nothing out."""

from uuid import UUID

from retrieval.graph import building
from retrieval.services import search as services


def corpus_index(job_id: str) -> None:
    services.corpus_index(job_id=UUID(job_id))


def graph_build(job_id: str) -> None:
    building.graph_work(job_id=UUID(job_id))
