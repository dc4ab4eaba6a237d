"""Background entry points: ids in, nothing out."""

from uuid import UUID

from legalqa.jobs.services import job_run
from retrieval.cases.indexing import cases_embed_slice
from retrieval.cases.reading import case_entities_slice
from retrieval.graph import building
from retrieval.services import search as services


def corpus_index(job_id: str) -> None:
    services.corpus_index(job_id=UUID(job_id))


def cases_embed(job_id: str) -> None:
    job_run(job_id=UUID(job_id), work=cases_embed_slice)


def cases_entities(job_id: str) -> None:
    job_run(job_id=UUID(job_id), work=case_entities_slice)


def graph_build(job_id: str) -> None:
    building.graph_work(job_id=UUID(job_id))
