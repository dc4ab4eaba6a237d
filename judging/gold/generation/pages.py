"""Generations of gold questions as their pages show them."""

from typing import Any

from corpora.models import Corpus
from judging.gold.generation.model import has_model
from judging.gold.generation.services import GENERATIONS
from judging.models import GoldGeneration
from legalqa.jobs.models import Job
from legalqa.jobs.pages import work_shown

RUNS_SHOWN = 20


def generations_page(*, corpus: Corpus) -> dict[str, Any]:
    """The newest generations of a corpus, and whether a model writes the questions of a new one."""
    runs = GENERATIONS.of_corpus(corpus)[:RUNS_SHOWN]
    return {"corpus": corpus, "has_model": has_model(organization=corpus.organization), "runs": runs}


def generation_page(*, run: GoldGeneration, job: Job | None) -> dict[str, Any]:
    """How far a generation is, and how many questions of each type it has written."""
    counts = sorted(run.report.get("written", {}).items())
    return {"run": run, "corpus": run.corpus, "written": counts, **work_shown(job)}
