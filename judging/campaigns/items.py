"""Items of a campaign: read from JSONL, or made of the questions of a gold set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judging.campaigns.rubrics import Form, known_checked
from judging.gold.services.sets import gold_questions, gold_questions_approved, gold_references
from judging.models import GoldSet, Review
from judging.models.campaigns import ItemKind
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import LineError, json_lines, line_text

MAX_ITEMS = 5_000  # ours: a year of a grader's afternoons
MAX_CHARS, MAX_PASSAGES = 20_000, 50
KNOWN = frozenset({"id", "question", "question_type", "reference_answer", "answers", "kind", "known", "feedback"})
OF_ANSWER, OF_PASSAGE = frozenset({"text", "system", "passages"}), frozenset({"text", "title"})


class ItemFileError(LineError):
    """A line that is not an item: which one, what is wrong."""

    kind = "bad_item_line"


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item before it is stored; fields as `judging.models.campaigns.CampaignItem` has them."""

    content: Mapping[str, Any]
    sources: Sequence[Mapping[str, Any]]
    external_id: str = ""
    question_type: str = ""
    kind: str = ItemKind.GRADED
    known: Mapping[str, int] = field(default_factory=dict)
    feedback: str = ""


def item_rows_read(text: str, *, form: Form) -> list[ItemRow]:
    """The items of a JSONL text.

    A line has `question` and `answers`: objects with `text`, and where known `system`, which graders never see, and
    `passages` (objects with `text` and `title`). It may have `id`, `question_type`, `reference_answer`, `kind` (graded,
    training or check), `known` (grades that are right, by criterion; `quality.1` for the second answer) and `feedback`.
    Other keys are refused, so that a misspelt one is not lost in silence.

    Raises:
        ItemFileError: a line that does not fit; it names the line.
        ApplicationError: no line, or more than MAX_ITEMS.
    """
    rows: list[ItemRow] = []
    for line, fields in json_lines(text, refused=ItemFileError):
        rows.append(_row(line, fields, form))
        if len(rows) > MAX_ITEMS:
            raise ApplicationError(f"The file has more than {MAX_ITEMS:,} items. Split it.", code="too_many_items")
    if not rows:
        raise ApplicationError("The file contains no item. Use one JSON object per line.", code="empty_file")
    return rows


def item_rows_of_gold(*, gold_set: GoldSet, form: Form, is_with_drafts: bool = False) -> list[ItemRow]:
    """The questions of a gold set that have a reference answer: it is the answer, its passages are the references.

    Args:
        gold_set: Whose approved questions are taken.
        form: What is asked about each.
        is_with_drafts: Take those that wait for their review as well; rejected ones never come along.

    Raises:
        ApplicationError: the form compares answers, or no question has a reference answer.
    """
    if form.is_side_by_side:
        raise ApplicationError(
            "A question of a gold set has one answer, and this form compares several. Upload items as a file.",
            code="needs_several_answers",
        )
    candidates = (
        gold_questions(gold_set=gold_set).exclude(review=Review.REJECTED)
        if is_with_drafts
        else gold_questions_approved(gold_set=gold_set)
    )
    questions = [question for question in candidates if question.reference_answer.strip()]
    references = gold_references(questions=questions)
    rows = [
        ItemRow(
            content={
                "question": question.text,
                "reference_answer": "",  # it is what is graded
                "answers": [
                    {
                        "text": question.reference_answer,
                        "passages": [
                            {"title": r.paragraph.document.title, "text": r.paragraph.text[slice(r.start, r.end)]}
                            for r in references.get(question.pk, ())
                        ],
                    }
                ],
            },
            sources=[{"system": "reference answer", "gold_question": str(question.pk)}],
            external_id=question.external_id,
            question_type=question.question_type,
        )
        for question in questions
    ]
    if not rows:
        raise ApplicationError(
            "No approved question of this gold set has a reference answer to grade. Approve some, or take drafts too.",
            code="nothing_to_grade",
        )
    return rows


def _row(line: int, fields: Mapping[str, Any], form: Form) -> ItemRow:
    if unknown := sorted(fields.keys() - KNOWN):
        raise ItemFileError(line, f"there is no key {unknown[0][:40]!r}; the keys are {', '.join(sorted(KNOWN))}.")
    answers = fields.get("answers")
    fewest, most = form.n_answers
    if not isinstance(answers, list) or not fewest <= len(answers) <= most:
        count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise ItemFileError(line, f"answers must be a list of {count} for the form “{form.name}”.")
    kind = fields.get("kind", ItemKind.GRADED)
    if kind not in ItemKind.values:
        raise ItemFileError(line, f"kind must be one of {', '.join(ItemKind.values)}.")
    known = fields.get("known") or {}
    if not isinstance(known, dict) or (not known and kind != ItemKind.GRADED):
        raise ItemFileError(line, "known must hold the right grades of a training or check item, by criterion.")
    try:
        known = known_checked(form, len(answers), known)
    except ApplicationError as error:
        raise ItemFileError(line, error.message) from None
    triples = [_answer(line, answer) for answer in answers]
    return ItemRow(
        content={
            "question": _text(line, fields, "question", is_needed=True),
            "reference_answer": _text(line, fields, "reference_answer"),
            "answers": [{"text": text, "passages": passages} for text, _, passages in triples],
        },
        sources=[{"system": system} for _, system, _ in triples],
        external_id=_text(line, fields, "id", limit=200),
        question_type=_text(line, fields, "question_type", limit=60),
        kind=kind,
        known=known,
        feedback=_text(line, fields, "feedback"),
    )


def _answer(line: int, fields: object) -> tuple[str, str, list[dict[str, str]]]:
    if not isinstance(fields, dict) or not fields.keys() <= OF_ANSWER:
        raise ItemFileError(line, f"an answer is an object with {', '.join(sorted(OF_ANSWER))}.")
    passages = fields.get("passages") or []
    if not isinstance(passages, list) or len(passages) > MAX_PASSAGES:
        raise ItemFileError(line, f"passages must be a list of at most {MAX_PASSAGES}.")
    if not all(isinstance(passage, dict) and passage.keys() <= OF_PASSAGE for passage in passages):
        raise ItemFileError(line, "a passage is an object with text and title.")
    rows = [
        {"title": _text(line, passage, "title", limit=300), "text": _text(line, passage, "text", is_needed=True)}
        for passage in passages
    ]
    return _text(line, fields, "text", is_needed=True), _text(line, fields, "system", limit=200), rows


def _text(line: int, fields: Mapping[str, Any], key: str, *, limit: int = MAX_CHARS, is_needed: bool = False) -> str:
    value = fields.get(key, "")
    if key == "id" and isinstance(value, int):
        value = str(value)
    text = line_text(line, key, value, longest=limit, refused=ItemFileError).strip()
    if is_needed and not text:
        raise ItemFileError(line, f"{key} is empty. Write one, or remove the line.")
    return text
