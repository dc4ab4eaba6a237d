"""Items to judge as lines of a file and bodies of requests have them, and judgments as they are given out."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from judging.judges.types import JudgedAnswer, JudgedItem, Judgment
from legalqa.common.errors import ApplicationError

MAX_CHARS = 100_000


class AnswerLine(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=MAX_CHARS)
    passages: tuple[str, ...] = ()
    is_silent: bool = False
    model: str = ""


class ItemLine(BaseModel):
    """An item; an answer that is a plain text is one without passages, and null is a silence."""

    model_config = ConfigDict(coerce_numbers_to_str=True, extra="forbid")
    id: str = ""
    question: str = Field(min_length=1, max_length=MAX_CHARS)
    answers: tuple[AnswerLine, ...] = Field(min_length=1, max_length=10)
    reference_answer: str = Field(default="", max_length=MAX_CHARS)
    gold_passages: tuple[str, ...] = ()
    is_answerable: bool = Field(default=True, alias="answerable")
    question_type: str = ""
    gold_model: str = ""
    as_of: date | None = None

    @field_validator("answers", mode="before")
    @classmethod
    def _texts_are_answers(cls, answers: Any) -> Any:
        if not isinstance(answers, list | tuple):
            return answers
        silent = {"text": "", "is_silent": True}
        return [silent if each is None else {"text": each} if isinstance(each, str) else each for each in answers]


def item_read(row: Mapping[str, Any]) -> JudgedItem:
    """The item of a line or a body.

    Raises:
        ApplicationError: something is missing or of another kind; says what and of which item.
    """
    try:
        line = ItemLine.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        which = f"Item {str(row.get('id', ''))[:60]!r}: "
        fault = f"{place} does not fit: {first['msg']}. Correct it."
        if first["type"] == "extra_forbidden":
            fault = f"there is no key {place[:60]!r}. Correct its name, or leave it out."
        raise ApplicationError(f"{which}{fault}", code="bad_line") from None
    fields = line.model_dump()
    return JudgedItem(**fields | {"answers": tuple(JudgedAnswer(**each) for each in fields["answers"])})


def judgment_document(item_id: str, judgment: Judgment) -> dict[str, Any]:
    return {
        "id": item_id,
        "answer": judgment.answer,
        "measure": judgment.measure,
        "value": judgment.value,
        "status": judgment.status.value,
        "reasons": [judgment.reason] if judgment.reason else [],
        "warning": judgment.warning,
        "law": list(judgment.law),
        "model": judgment.model,
        "calls": judgment.n_calls,
        "tokens": judgment.n_tokens,
        "cost": judgment.cost,
        "seconds": round(judgment.seconds, 3),
    }
