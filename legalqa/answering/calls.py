"""The calls of models that were made on the way to an answer, as its trace keeps them."""

from collections.abc import Iterable, Mapping
from typing import Any

REWRITING, RERANKING, READING, ANSWER = "rewriting", "reranking", "reading", "answer"
_OF_STEP = {"rewrite": REWRITING, "rerank-call": RERANKING}  # the steps that are one call


def calls_of(trace: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The calls of all steps in their order, each with what it was for."""
    calls: list[dict[str, Any]] = []
    for step in trace:
        if call := step.get("call"):
            calls.append({"for": _OF_STEP[step["step"]], **call})
        calls += step.get("calls", [])
    return calls
