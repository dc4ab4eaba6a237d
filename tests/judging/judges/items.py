"""Items to judge, and what a judge says of them."""

from typing import Any

from judging.judges.services import judge_make
from judging.judges.types import JudgedAnswer, JudgedItem, Judgment
from tests.people import Firm

QUESTION = "When must the bias audit have been done?"
REFERENCE = "No more than one year before the tool is used."
PASSAGE = "It is unlawful to use the tool unless a bias audit was conducted no more than one year before its use."


def item(*answers: JudgedAnswer | str, **changes: Any) -> JudgedItem:
    whole = tuple(JudgedAnswer(each) if isinstance(each, str) else each for each in answers)
    values: dict[str, Any] = {"id": "1", "question": QUESTION, "answers": whole, "reference_answer": REFERENCE}
    return JudgedItem(**values | changes)


def judged(firm: Firm, name: str, one: JudgedItem, **options: Any) -> list[Judgment]:
    return list(judge_make(organization=firm.organization, name=name, **options).judge(one))


def values(found: list[Judgment]) -> dict[tuple[str, int], float | None]:
    return {(each.measure, each.answer): each.value for each in found}
