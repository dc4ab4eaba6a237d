"""What a grader is sent, on the page and by the API: built here and nowhere else, field by field.

Nothing here reads which system wrote an answer, where an answer came from, what a judge said, or what another person
graded. `CampaignItem.sources` is not opened, and `CampaignItem.known` only of a training item that is submitted.
"""

import re
from collections.abc import Mapping
from statistics import median
from typing import Any

from judging.campaigns.rubrics import CANNOT_JUDGE, LETTERS, field_key, form_get, shown_value
from judging.campaigns.services.grading import Field, fields_of, values_shown
from judging.campaigns.services.queue import grader_list, items_left
from judging.models import Assignment, CampaignGrader
from judging.models.campaigns import AssignmentState, ItemKind
from legalqa.accounts.models import Organization, User

_CITED = re.compile(r"\[(\d{1,2})\]")


def queue_list(*, organization: Organization, user: User) -> list[dict[str, Any]]:
    """The campaigns that a person grades in, each with how far they are."""
    return [queue_of(grader) for grader in grader_list(organization=organization, user=user)]


def queue_of(grader: CampaignGrader) -> dict[str, Any]:
    """One person's part of a campaign: done, left, and the median seconds of an item (None where none is done)."""
    campaign = grader.campaign
    assignments = Assignment.objects.filter(grader=grader, state=AssignmentState.SUBMITTED)
    seconds = list(assignments.values_list("seconds", flat=True))
    return {
        "campaign_id": campaign.pk,
        "name": campaign.name,
        "corpus": campaign.corpus.name,
        "form": campaign.form,
        "instructions": campaign.instructions,
        "is_closed": campaign.closed_at is not None,
        "done": len(seconds),
        "left": 0 if campaign.closed_at else items_left(grader=grader),
        "median_seconds": round(median(seconds), 1) if seconds else None,
    }


def assignment_document(assignment: Assignment) -> dict[str, Any]:
    """An item as its grader sees it, with their own grades so far and the form with its rubric."""
    form = form_get(assignment.campaign.form)
    content = assignment.item.content
    is_lettered = form.is_side_by_side
    return {
        "id": assignment.pk,
        "campaign_id": assignment.campaign_id,
        "place": assignment.place,
        "state": assignment.state,
        "form": form.key,
        "question": content["question"],
        "question_type": assignment.item.question_type,
        "reference_answer": content.get("reference_answer", "") if form.shows_reference else "",
        "answers": [
            {
                "letter": LETTERS[place] if is_lettered else "",
                "text": content["answers"][answer]["text"],
                "passages": [
                    {"title": passage.get("title", ""), "text": passage["text"]}
                    for passage in content["answers"][answer].get("passages", ())
                ],
            }
            for place, answer in enumerate(assignment.answer_order)
        ],
        "fields": [_field_document(one) for one in fields_of(assignment=assignment)],
        "grades": values_shown(assignment=assignment),
        "note": assignment.note,
        "is_flagged": assignment.is_flagged,
        "reference_note": assignment.reference_note,
        "is_training": assignment.item.kind == ItemKind.TRAINING,
        "feedback": feedback_of(assignment),
    }


def feedback_of(assignment: Assignment) -> dict[str, Any] | None:
    """What a training item shows once it is submitted: the known grades beside one's own; None for other items."""
    item = assignment.item
    if item.kind != ItemKind.TRAINING or assignment.state != AssignmentState.SUBMITTED:
        return None
    mine = values_shown(assignment=assignment)
    rows = []
    for one in fields_of(assignment=assignment):
        reference = item.known.get(field_key(one.criterion.key, one.answer))
        if reference is not None:
            right = shown_value(one.criterion, reference, assignment.answer_order)
            grade = mine.get(one.name)
            rows.append({"field": one.name, "name": _name(one), "mine": grade, "known": right, "same": grade == right})
    return {"text": item.feedback, "grades": rows}


def grading_page(assignment: Assignment) -> dict[str, Any]:
    """The grading screen: the document, with its answers cut at their citation marks and its fields ready to draw."""
    document = assignment_document(assignment)
    for answer in document["answers"]:
        answer["passages"] = _each_once(answer["passages"])
        first = {number: one["numbers"][0] for one in answer["passages"] for number in one["numbers"]}
        answer["pieces"] = _pieces(answer["text"], first)
    form = form_get(assignment.campaign.form)
    return {
        "item": document,
        "form": form,
        "campaign": assignment.campaign,
        "groups": [_group(one, document["grades"].get(one.name)) for one in fields_of(assignment=assignment)],
        "rubrics": form.criteria,
        "queue": queue_of(assignment.grader),
        "is_submitted": assignment.state == AssignmentState.SUBMITTED,
        "cannot_judge": CANNOT_JUDGE,
    }


def _name(one: Field) -> str:
    return f"{one.criterion.name}, answer {one.letter}" if one.letter else one.criterion.name


def _field_document(one: Field) -> dict[str, Any]:
    return {
        "name": one.name,
        "criterion": one.criterion.key,
        "answer": one.letter,
        "question": one.criterion.question,
        "points": [{"value": p.value, "words": p.words, "example": p.example} for p in one.criterion.points],
    }


def _group(one: Field, chosen: int | str | None) -> dict[str, Any]:
    return {
        "name": one.name,
        "label": _name(one),
        "question": one.criterion.question,
        "criterion": one.criterion.key,
        "points": [{"point": point, "is_chosen": point.value == chosen} for point in one.criterion.points],
        "is_unjudged": chosen == CANNOT_JUDGE,
        "is_graded": chosen is not None,
    }


def _each_once(passages: list[dict[str, str]]) -> list[dict[str, Any]]:
    """The passages, one that is in several documents or was cited twice only once, with its numbers and titles."""
    rows: dict[str, dict[str, Any]] = {}
    for number, passage in enumerate(passages, start=1):
        row = rows.setdefault(" ".join(passage["text"].split()), {"text": passage["text"], "numbers": [], "titles": {}})
        row["numbers"].append(number)
        row["titles"][passage["title"]] = None
    return [row | {"titles": list(filter(None, row["titles"]))} for row in rows.values()]


def _pieces(text: str, shown_as: Mapping[int, int]) -> list[dict[str, Any]]:
    """The text cut at marks such as [2]: words, and the number of the passage that a mark leads to.

    Args:
        text: Of the answer.
        shown_as: The first number of the same passage, by each of its numbers.
    """
    pieces, at = [], 0
    for mark in _CITED.finditer(text):
        if int(mark[1]) in shown_as:
            pieces += [
                {"words": text[at : mark.start()], "cites": 0},
                {"words": mark[0], "cites": shown_as[int(mark[1])]},
            ]
            at = mark.end()
    return [*pieces, {"words": text[at:], "cites": 0}]
