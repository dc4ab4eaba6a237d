"""What the steps of a search are called: the stages by their own words, and what a search does around them."""

from collections.abc import Iterator, Mapping
from typing import Any

from retrieval.stages import STAGES, Stage, stage_read

# As a column is headed, and as a sentence of the steps that led to an answer.
_AROUND = {
    "complexity": ("Complexity", "Question classed"),
    "rewrite": ("Rewrite", "Question rewritten"),
    "encode": ("Reading the query", "Question encoded"),
    "rerank-call": ("Waiting for the rerank server", "Passages scored"),
    "read-call": ("Waiting for the reader", "Passages judged"),
    "paragraphs": ("Opening paragraphs", "Passages opened"),
}


def step_label(step: str) -> str:
    """The short name of a step, or of a stage by its name with or without its version; an unknown one as it is."""
    return _words(step)[0]


def step_action(step: str) -> str:
    """What a step did; an unknown one as it is."""
    return _words(step)[1]


def is_stage(step: str) -> bool:
    """Whether a step is a stage of a pipeline, which gives hits and runs once for each rewrite."""
    return step in STAGES.names()


def pipeline_words(stored: Mapping[str, Any]) -> Iterator[str]:
    """A pipeline as an answer keeps it, stage by stage in words, inner ones first; without those it no longer knows."""
    for inner in (*stored.get("stages", ()), *stored.get("branches", ())):
        yield from pipeline_words(inner)
    try:
        stage = stage_read(stored)
    except ValueError:
        return
    if isinstance(stage, Stage) and stage.words:
        yield stage.words


def _words(step: str) -> tuple[str, str]:
    if step in _AROUND:
        return _AROUND[step]
    stages = {name: STAGES.get(kind) for kind in STAGES.names() for name in (kind, STAGES.get(kind).name_of(kind))}
    return (stages[step].label, stages[step].action) if step in stages else (step, step)
