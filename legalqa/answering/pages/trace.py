"""The steps that led to an answer, in words."""

from collections.abc import Sequence
from typing import Any

from legalqa.answering.models import AnswerStep
from retrieval.pipelines.steps import is_stage, step_action
from retrieval.rewriters.base import rewriter_label

STEP_NAMES = {
    "wording": "Words of the documents",
    "nearest": "Paragraphs nearest in meaning",
    "sentences": "Sentences weighed",
    "gate": "Enough evidence?",
    "write": "Written by the model",
    "reader": "Passages read",
    "verify": "Statements checked",
    "fallback": "Fell back",
}


def step_document(step: AnswerStep) -> dict[str, Any]:
    """A step as the API and the stream of events give it."""
    return {
        "name": step.name,
        "title": step.label,
        "state": step.state,
        "started_at": step.started_at.isoformat() if step.started_at else None,
        "ended_at": step.ended_at.isoformat() if step.ended_at else None,
    }


def steps_words(trace: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Name, detail and milliseconds of each step for the page; a search that several rewrites needed is listed once."""
    together: dict[object, list[dict[str, Any]]] = {}
    for place, step in enumerate(trace):
        together.setdefault(step["step"] if is_stage(step["step"]) else place, []).append(step)
    return [_step_words(steps[0] if len(steps) == 1 else _summed(steps)) for steps in together.values()]


def _summed(steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    hits = " + ".join(str(step["hits"]) for step in steps)
    notes = " · ".join(dict.fromkeys(filter(None, (step.get("note", "") for step in steps))))
    milliseconds = round(sum(step["milliseconds"] for step in steps), 1)
    return {"step": steps[0]["step"], "hits": hits, "milliseconds": milliseconds, "note": notes}


def _step_words(step: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": STEP_NAMES.get(step["step"]) or step_action(step["step"]),
        "detail": _detail(step),
        "milliseconds": step.get("milliseconds"),
    }


def _detail(step: dict[str, Any]) -> str:
    match step["step"]:
        case "encode":
            return ""
        case "complexity":
            return complexity_words(step)
        case "banded-cutoff.v1" | "rerank-call":
            return str(step.get("note", ""))
        case "rewrite":
            return rewrite_words(step)
        case "gate":
            return "yes" if step["open"] else "no"
        case "verify":
            return f"{step['shown']} of {step['checked']} shown"
        case "write":
            outcome = "answered" if step["outcome"] == "ok" else step["outcome"]
            return " · ".join(filter(None, [outcome, step["model"], step.get("note", "")]))
    if "hits" in step:
        return " · ".join(filter(None, [f"{step['hits']} found", step.get("note", "")]))
    return str(step.get("note", ""))


def complexity_words(step: dict[str, Any]) -> str:
    """How a question was classified, by whom, and what followed from it."""
    sure = f"{round(100 * step['probabilities'][step['predicted']])} % sure"
    who = "chosen by you" if step["chosen_by"] == "person" else f"by the classifier ({step['classifier']}, {sure})"
    k = "k by how steeply the ranking falls" if step["k_by_ranking"] else f"k {step['k']}"
    mapping = f"version {step['mapping']} of the mapping" if step["mapping"] else "the packaged mapping"
    return f"{step['words']}, {who}; {k}, Q {step['rewrites'] or 'off'} by {mapping}"


def rewrite_words(step: dict[str, Any]) -> str:
    """How the rewriter changed the question and why, in one line."""
    reading = [f"read as “{step['question']}”"] if step["question"] != step["asked"] else []
    reading += [f"{one['number']}. “{one['text']}” ({one['reason'].rstrip('.')})" for one in step["rewrites"]]
    who = rewriter_label(step["method"])
    return " · ".join(filter(None, [*(reading or ["nothing to change"]), *step["reasons"], who, step["note"]]))


def reading_words(trace: Sequence[dict[str, Any]]) -> str:
    """How the question was read, with the reasons; empty if it was read as it was typed."""
    steps = [step for step in trace if step["step"] == "rewrite"]
    if not steps:
        return ""
    step = steps[0]
    parts = [f"“{one['text']}”" for one in step["rewrites"] if one["rule"] == "part"]
    # What was only left out was not searched, and is read (`retrieval.types.Queries.to_answer`).
    is_shorter = step["reasons"] and all(reason.startswith("Left out") for reason in step["reasons"])
    verb = "Searched" if is_shorter else "Read"
    reading = [f"{verb} as “{step['question']}”."] if step["question"] != step["asked"] else []
    reading += [reason if reason.endswith(".") else f"{reason}." for reason in step["reasons"]] if reading else []
    reading += [f"Searched as {len(parts)} questions: {', '.join(parts)}."] if parts else []
    return " ".join(reading)
