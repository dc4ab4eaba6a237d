"""The settings that made an answer, and the calls of language models for it, in words and figures."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from legalqa.answering.calls import ANSWER, READING, RERANKING, REWRITING, calls_of
from legalqa.answering.models import Answer
from legalqa.answering.modes import AUTO
from legalqa.answering.pages.asked import asked_page
from legalqa.answering.statements import BESIDE_PROMPTS, FORMER_PROMPTS
from legalqa.answering.statements import PROMPT as ANSWER_PROMPT
from legalqa.answering.strategies.registry import strategy_named
from legalqa.llm.models import OUTCOME_CHOICES
from retrieval.pipelines.presets import PRESETS
from retrieval.pipelines.steps import pipeline_words
from retrieval.rewriters.llm import PROMPT as REWRITE_PROMPT

OUTCOMES = dict(OUTCOME_CHOICES)
PROMPTS = {prompt.label: prompt for prompt in (*FORMER_PROMPTS, ANSWER_PROMPT, *BESIDE_PROMPTS, REWRITE_PROMPT)}
PURPOSES = {
    REWRITING: "Rewriting the question",
    RERANKING: "Reranking the passages",
    READING: "Reading the passages",
    ANSWER: "Writing the answer",
}
MADE_FROM = {  # what repeating an answer also takes
    "corpus_version": "Version of the corpus",
    "chunk_set": "Chunk set",
    "encoder": "Encoder",
    "reader": "Reader",
    "code": "Revision of the code",
}
Row = dict[str, Any]


def settings_summary(answer: Answer, scope: Mapping[str, Any]) -> list[Row]:
    """What was asked, method, time and model in short, for the page of the answer.

    Args:
        answer: Whose settings they are.
        scope: What it was asked of (`asked_page`).
    """
    return [
        {"label": "Documents", "value": scope["documents"]},
        {"label": "As of", "value": scope["as_of"]},
        *({"label": "Takes effect later", "value": one.words} for one in scope["effects"]),
        {"label": "Method", "value": _title(answer)},
        {"label": "Settings", "value": answer.fingerprint[:12]},
        {"label": "Took", "value": f"{answer.seconds:.2f} s"},
        *_model_rows(answer.generation),
    ]


def settings_words(answer: Answer) -> list[Row]:
    """Every setting that made the answer, in words; settings that follow from the question with their values.

    Named documents have the titles that they had then, as all that a pack holds.
    """
    scope = asked_page(answer=answer, as_given=True)
    policy = answer.pipeline["answer"]
    packages = answer.made_from.get("packages")  # answers of earlier versions have none
    preset = PRESETS.get(answer.preset)
    rows = [
        ("Method", f"{_title(answer)}. {preset.description}" if preset else answer.preset),
        ("Search", "; ".join(dict.fromkeys(pipeline_words(answer.pipeline["pipeline"])))),
        ("Passages read", _read_words(policy)),
        ("Answer", f"{_mode(policy['mode'])}; at most {policy['max_claims']} statements"),
        ("Given", "Only where the evidence is likely to hold it" if policy["gate"] else "Always, whatever is found"),
        ("Checked", "Every quote and every statement, against its source"),
        ("Documents", scope["documents"]),
        ("As of", scope["as_of"]),
        ("Fingerprint of the settings", answer.fingerprint),
        *((label, str(answer.made_from[key])) for key, label in MADE_FROM.items() if answer.made_from.get(key)),
        *([("Packages", ", ".join(f"{name} {version}" for name, version in packages.items()))] if packages else []),
        ("Took", f"{answer.seconds:.2f} s"),
    ]
    return [{"label": label, "value": value} for label, value in rows]


def _read_words(policy: dict[str, Any]) -> str:
    nearest = policy.get("nearest", 0)  # answers of earlier versions have none
    beside = f", and of a large corpus the {nearest} paragraphs nearest in meaning" if nearest else ""
    return f"Those of the best {policy['evidence_k']} pieces of text{beside}"


def calls_made(answer: Answer) -> list[Row]:
    """The calls of models for an answer, each with prompt, model, tokens and cost, in their order."""
    writing = [{"for": ANSWER, **answer.generation}] if answer.generation.get("outcome") else []
    return [*calls_of(answer.trace), *writing]


def call_rows(answer: Answer) -> list[Row]:
    """The same calls for a page."""
    return [{"title": PURPOSES[call["for"]], "rows": _model_rows(call)} for call in calls_made(answer)]


def prompts_used(answer: Answer) -> list[dict[str, str]]:
    """The prompts of these calls with their text; "" for one that this version of the product no longer has."""
    hashes = {call["prompt"]: call["prompt_hash"] for call in calls_made(answer) if "prompt" in call}
    return [
        {"name": name, "sha256": digest, "text": prompt.text if prompt and prompt.sha256 == digest else ""}
        for name, digest in hashes.items()
        for prompt in [PROMPTS.get(name)]
    ]


def cost_of(answer: Answer) -> Decimal:
    """What all calls of language models for an answer cost, in the currency of the organisation's prices."""
    return sum((Decimal(call["cost"]) for call in calls_made(answer)), Decimal(0))


def cost_words(cost: str) -> str:
    """An amount as people read it: in the currency of the organisation's prices, which has no sign here."""
    amount = Decimal(cost)
    return f"{amount:.4f}" if amount else "0"


def _mode(mode: str) -> str:
    strategy = strategy_named(mode)
    return strategy.label if strategy else "Written by a model where there is one" if mode == AUTO else mode


def _title(answer: Answer) -> str:
    preset = PRESETS.get(answer.preset)
    return preset.title if preset else answer.preset


def _model_rows(generation: Mapping[str, Any]) -> list[Row]:
    if not generation.get("outcome"):
        return []
    tokens = f"{generation['input_tokens']} in, {generation['output_tokens']} out"
    asked = {}
    if "prompt" in generation:
        asked = {
            "Prompt": f"{generation['prompt']}, {generation['prompt_hash'][:12]}",
            "Temperature": f"{generation['temperature']:g}",
        }
    return [
        {
            "label": "Model",
            "value": " · ".join(filter(None, [generation["model"], generation["provider"]])) or "none answered",
        },
        {"label": "Outcome", "value": OUTCOMES.get(generation["outcome"], generation["outcome"])},
        *({"label": label, "value": value} for label, value in asked.items()),
        {"label": "Tokens", "value": tokens},
        {"label": "Cost", "value": cost_words(generation["cost"])},
    ]
