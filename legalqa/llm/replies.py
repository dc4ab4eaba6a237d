"""Judging a reply: it is an answer only if it is complete, not empty, and fits its schema."""

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from legalqa.common.json_lines import NotJson, json_read
from legalqa.llm.prompts import prompt_load
from legalqa.llm.types import Outcome
from legalqa.llm.wire import RawReply

PROMPTS = Path(__file__).parent / "prompts"
JSON_MAX_CHARACTERS = 200_000
_FENCES = ("```json", "```JSON", "```")
SENTENCES = {
    Outcome.REFUSED: "The model declined to answer.",
    Outcome.TRUNCATED: "The answer is incomplete: it was cut off.",
    Outcome.FILTERED: "The provider's content filter stopped the answer.",
    Outcome.INVALID: "The model's reply could not be used.",
    Outcome.OVERFLOW: "The question and its evidence are too long for the model.",
    Outcome.CANCELLED: "The question was withdrawn.",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """fix: What is wrong with the form, in words that a model can act on; "" if a repair would not help."""

    outcome: Outcome
    parsed: BaseModel | None = None
    fix: str = ""


def judge(reply: RawReply, schema: type[BaseModel] | None) -> Judged:
    """The outcome of a reply, and its object if it has a schema."""
    if reply.is_refusal:
        return Judged(Outcome.REFUSED)
    if reply.finish == "content_filter":
        return Judged(Outcome.FILTERED)
    if reply.finish == "length" or (reply.finish is None and reply.text):
        return Judged(Outcome.TRUNCATED)
    if reply.finish != "stop" or not reply.text.strip():
        return Judged(Outcome.INVALID)
    if schema is None:
        return Judged(Outcome.OK)
    try:
        return Judged(Outcome.OK, parsed=parse(reply.text, schema))
    except ValidationError as error:
        places = [
            f"{'.'.join(str(part) for part in each['loc']) or 'object'}: {each['msg']}" for each in error.errors()[:5]
        ]
        return Judged(Outcome.INVALID, fix="; ".join(places)[:1000])
    except (ValueError, RecursionError) as error:
        return Judged(Outcome.INVALID, fix=str(error)[:200])


def parse(text: str, schema: type[BaseModel]) -> BaseModel:
    """The one JSON object in the text, read strictly: no NaN, no duplicate keys, nothing around it but a code fence.

    Raises:
        ValueError: it is not such an object (ValidationError, a subclass: it does not fit the schema).
    """
    if len(text) > JSON_MAX_CHARACTERS:
        raise ValueError(f"The object has more than {JSON_MAX_CHARACTERS} characters.")
    try:
        value = json_read(_unfenced(text))
    except NotJson as error:
        raise ValueError(f"It is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise ValueError("It must be one JSON object.")
    return schema.model_validate_json(json.dumps(value))  # as JSON: lists may be tuples, strings may be enums


def _unfenced(text: str) -> str:
    text = text.strip()
    for fence in _FENCES:
        if text.startswith(fence) and text.endswith("```") and len(text) >= len(fence) + 3:
            return text[len(fence) : -3]
    return text


def schema_note(schema: type[BaseModel]) -> str:
    """The instruction for a model that takes a schema only as text."""
    shape = json.dumps(schema.model_json_schema(), separators=(",", ":"))
    return prompt_load(PROMPTS / "schema_note.v1.md").render(shape=shape)


def repair_turn(fix: str) -> str:
    """The instruction for a model whose object did not fit."""
    return prompt_load(PROMPTS / "repair_turn.v1.md").render(fix=fix)
