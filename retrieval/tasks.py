"""Background entry points: ids in, nothing out."""

from legalqa.jobs.sliced import job_task
from retrieval.cases.indexing import cases_embed_slice
from retrieval.cases.reading import case_entities_slice
from retrieval.graph.building import graph_work
from retrieval.services import search as services

corpus_index = services.corpus_index
cases_embed = job_task(cases_embed_slice)
cases_entities = job_task(case_entities_slice)
graph_build = graph_work
