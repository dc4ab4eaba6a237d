"""An answer under way, as the page and the stream of events show it: the plan ticks off, evidence comes at once."""

from typing import Any

from django.utils import timezone

from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.settings_words import cost_words
from legalqa.answering.trail import steps_words
from legalqa.jobs.models import Job

PLAN = (  # stage of the job, its name, what it says when it is under way
    ("searching", "Searching", "Searching the documents."),
    ("writing", "Writing", "The model is reading the passages and writing."),
    ("checking", "Checking", "Every statement is being compared with its source."),
)
STAGES = tuple(stage for stage, _, _ in PLAN)


def progress_page(*, answer: Answer, job: Job | None, seen: str = "") -> dict[str, Any]:
    """The context of the page of an answer that is under way.

    Args:
        answer: In the state "working".
        job: Its job.
        seen: The stage that the page showed before; where it is another one now, it is announced.
    """
    stage = _stage(job)
    return {
        "plan": _plan(stage, answer),
        "stage": stage,
        "is_new_stage": stage != seen,
        "said": next((words for name, _, words in PLAN if name == stage), "Waiting for a free place."),
        "elapsed_s": int(_elapsed(answer)),
        "n_written": answer.generation.get("written", 0),
        "cost_so_far": cost_words(answer.generation.get("cost", "0")),
        "found": [_passage(row) for row in answer.evidence],
        "trace": steps_words(answer.trace),
        "is_working": True,
    }


def progress_event(*, answer: Answer, job: Job | None) -> dict[str, Any]:
    """What the stream of events says of an answer that is under way."""
    return {
        "state": answer.state,
        "stage": _stage(job),
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


def _stage(job: Job | None) -> str:
    stage = job.stage if job else ""
    return "checking" if stage == "stored" else stage


def _plan(stage: str, answer: Answer) -> list[dict[str, Any]]:
    at = STAGES.index(stage) if stage in STAGES else -1
    details = {"searching": f"{len(answer.evidence)} passages found" if answer.evidence else ""}
    return [
        {
            "name": name,
            "state": "done" if place < at else "working" if place == at else "queued",
            "detail": details.get(key, ""),
        }
        for place, (key, name, _) in enumerate(PLAN)
    ]


def _elapsed(answer: Answer) -> float:
    return max(0.0, (timezone.now() - answer.created_at).total_seconds())


def _passage(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "rank": row["rank"],
        "document_title": row["document"],
        "heading": row["heading"].rsplit(" › ", 1)[-1],
        "page_label": row["page_label"] if row["kind"] == "pdf" else "",
        "text": row["text"],
    }
