"""Pipelines with one of their stages changed: another reranker, further expanders, a second search."""

from collections.abc import Sequence

from legalqa.common.errors import ApplicationError
from retrieval.cutoffs import Cut
from retrieval.expanders import EXPANDERS, Expander
from retrieval.fusion import Fuse
from retrieval.pipelines.master import Master
from retrieval.rerankers import RERANKERS, Reranker
from retrieval.retrievers import RETRIEVERS, Bm25, Dense
from retrieval.rewriters import Rewrite
from retrieval.rewriters.rewrite import methods
from retrieval.stages import Pipeline, Stage

HYBRID = Fuse(branches=(Bm25(), Dense()))


class PresetError(ApplicationError, ValueError):
    """A preset or a setting of it that does not exist or does not fit."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="unknown_setting")


def with_reranker(pipeline: Pipeline, name: str) -> Pipeline:
    """The pipeline with another reranker before its cutoff, or with none ("off").

    A fusion of words and meaning alone becomes one of the lists that the reranker reads, where it reads them (ours).

    Raises:
        PresetError: no reranker has that name.
    """
    choices = {stage.choice[0]: stage for stage in (RERANKERS.get(kind) for kind in RERANKERS.names())}
    if name not in ("off", *choices):
        raise PresetError(f"Setting 'reranker' is {name!r}; give one of: {', '.join(('off', *choices))}.")
    stages: list[Stage] = [stage for stage in pipeline.stages if not isinstance(stage, Reranker)]
    if name == "off":
        return Pipeline(stages=tuple(stages))
    reranker = choices[name].model_validate({})
    stages.insert(_cut_place(stages), reranker)
    if reranker.lists:
        lists = Fuse(branches=tuple(RETRIEVERS.get(kind).model_validate({}) for kind in reranker.lists))
        stages = [lists if stage == HYBRID else stage for stage in stages]
    return Pipeline(stages=tuple(stages))


def with_expanders(pipeline: Pipeline, names: Sequence[str]) -> Pipeline:
    """The pipeline with these expanders in place of its own; none at all for no names.

    Those whose passages a reranker should read are before it, where there is one, the others after it. Where there is
    none, what they bring comes right behind what led to it: further down, the cutoff would take it away.

    Raises:
        PresetError: no expander has that name.
    """
    choices = {stage.choice: stage for stage in (EXPANDERS.get(kind) for kind in EXPANDERS.names())}
    if unknown := [name for name in names if name not in choices]:
        raise PresetError(f"Setting 'expanders' is {unknown[0]!r}; give some of: {', '.join(('off', *choices))}.")
    stages: list[Stage] = [stage for stage in pipeline.stages if not isinstance(stage, Expander)]
    end = _cut_place(stages)
    ranked_from = next((place for place, stage in enumerate(stages) if isinstance(stage, Reranker)), end)
    near = {} if ranked_from < end else {"behind": 0}
    expanders = [choices[name].model_validate(near if choices[name].is_ranked else {}) for name in dict.fromkeys(names)]
    stages[end:end] = [stage for stage in expanders if not stage.is_ranked]
    stages[ranked_from:ranked_from] = [stage for stage in expanders if stage.is_ranked]
    return Pipeline(stages=tuple(stages))


def with_second_search(pipeline: Pipeline, name: str) -> Pipeline:
    """The pipeline judged by the reader and widened, with a second search by one retriever; "off" for neither.

    Raises:
        PresetError: no retriever has that name.
    """
    choices = {RETRIEVERS.get(kind).name_of(kind): RETRIEVERS.get(kind) for kind in RETRIEVERS.names()}
    if name not in ("off", *choices):
        raise PresetError(f"Setting 'second' is {name!r}; give one of: {', '.join(('off', *choices))}.")
    stages = [part for s in pipeline.stages for part in (_opened(s.branches[0]) if isinstance(s, Master) else (s,))]
    if name == "off":
        return Pipeline(stages=tuple(stages))
    start = isinstance(next(iter(stages), None), Rewrite)
    end = _cut_place(stages)
    first = Pipeline(stages=tuple(stages[start:end]))
    return Pipeline(stages=(*stages[:start], Master(branches=(first, choices[name].model_validate({}))), *stages[end:]))


def _opened(stage: Stage) -> tuple[Stage, ...]:
    return stage.stages if isinstance(stage, Pipeline) else (stage,)


def _cut_place(stages: Sequence[Stage]) -> int:
    """Where the cutoff is, behind which the graph may add to what is kept; the end where there is none."""
    return next((place for place, stage in enumerate(stages) if isinstance(stage, Cut)), len(stages))


def cut_of(pipeline: Pipeline) -> Cut | None:
    """The cutoff of a pipeline."""
    return next((stage for stage in pipeline.stages if isinstance(stage, Cut)), None)


def rewriters() -> tuple[str, ...]:
    """What may be set as the rewriter."""
    return ("off", *methods())
