"""An answer under way, as the page and the stream of events show it: steps tick off, evidence comes at once."""

from typing import Any

from django.utils import timezone

from legalqa.answering.models import Answer, AnswerState, AnswerStep, StepState
from legalqa.answering.pages.passages import passage_words
from legalqa.answering.pages.settings import cost_words
from legalqa.answering.pages.trace import step_document, steps_words
from legalqa.answering.strategies.base import SEARCHING
from legalqa.answering.strategies.registry import strategy_named

WAITING = "Waiting for a free place."


def progress_page(*, answer: Answer, seen: str = "") -> dict[str, Any]:
    """The context of the page of an answer that is under way.

    Args:
        answer: In the state "working".
        seen: The step that the page showed before; a new step is announced.
    """
    step = _current(answer)
    stage = step.name if step else ""
    return {
        "plan": _plan(answer),
        "stage": stage,
        "is_new_stage": stage != seen,
        "said": (step.sentence or f"{step.label}.") if step else WAITING,
        "elapsed_s": int(_elapsed(answer)),
        "n_written": answer.generation.get("written", 0),
        "cost_so_far": cost_words(answer.generation.get("cost", "0")),
        "found": [passage_words(row) for row in answer.evidence],
        "trace": steps_words(answer.trace),
        "is_working": True,
    }


def progress_event(*, answer: Answer) -> dict[str, Any]:
    """What the stream of events says of an answer that is under way."""
    step = _current(answer)
    return {
        "state": answer.state,
        "stage": step.name if step else "",
        "steps": [step_document(step) for step in answer.steps],
        "elapsed_s": round(_elapsed(answer), 1),
        "cost_so_far": float(answer.generation.get("cost", 0)),
        "written_characters": answer.generation.get("written", 0),
        "trace": answer.trace,
        "n_evidence": len(answer.evidence),
    }


def evidence_event(*, answer: Answer) -> list[dict[str, Any]]:
    """The passages that an answer under way is drawn from; nothing of what the model writes."""
    keys = ("rank", "paragraph_id", "document_id", "document", "version", "page", "page_label", "heading", "text")
    return [{key: row[key] for key in keys} for row in answer.evidence]


def is_over(answer: Answer) -> bool:
    return answer.state != AnswerState.WORKING


def _current(answer: Answer) -> AnswerStep | None:
    return next((step for step in answer.steps if step.state == StepState.WORKING), None)


def _plan(answer: Answer) -> list[dict[str, Any]]:
    """The steps so far and those to come; before the first begins, those that the strategy plans."""
    strategy = strategy_named(answer.strategy)
    steps = [(step.name, step.label, step.state) for step in answer.steps] or [
        (name, label, StepState.WAITING) for name, label, _ in (strategy.plan if strategy else ())
    ]
    n_passages = len(answer.evidence)
    return [
        {
            "name": label,
            "state": "queued" if state == StepState.WAITING else state,
            "detail": f"{n_passages} passages found" if name == SEARCHING[0] and n_passages else "",
        }
        for name, label, state in steps
    ]


def _elapsed(answer: Answer) -> float:
    return max(0.0, (timezone.now() - answer.created_at).total_seconds())
