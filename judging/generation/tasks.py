"""Background entry points: ids in, nothing out."""

from judging.generation.services import generation_slice
from legalqa.jobs.sliced import job_task

generation_work = job_task(generation_slice)
