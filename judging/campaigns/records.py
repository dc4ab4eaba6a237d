"""Records of a campaign file, each checked against its form: what a page could not show is never stored."""

from collections.abc import Iterable
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware, make_aware

from judging.campaigns.rubrics import Form, known_checked
from judging.campaigns.services.campaigns import Plan
from judging.models import Adjudication, Assignment, Campaign, CampaignGrade, CampaignGrader, CampaignItem
from legalqa.common.dates import day_fault
from legalqa.common.errors import ApplicationError

MAX_ITEM_SECONDS = 1e8  # ours: three years on one item
OF_CAMPAIGN = (
    *("name", "form", "rubric_version", "instructions"),
    *("seed", "repeat_percent", "lease_minutes", "closed_at"),
)
OF_ITEM = (*("ordinal", "external_id", "kind", "question_type"), *("content", "sources", "known", "feedback", "needed"))
OF_ASSIGNMENT = (
    *("place", "is_repeat", "state", "answer_order", "leased_until", "submissions"),
    *("is_flagged", "note", "reference_note", "seconds", "opened_at", "ended_at"),
)
OF_GRADE = ("criterion", "answer", "version", "value", "status", "submission", "created_at")
OF_ADJUDICATION = ("criterion", "answer", "value", "reason", "created_at")
TIMES = frozenset({"closed_at", "leased_until", "opened_at", "ended_at", "created_at"})
STRUCTURES = frozenset({"content", "sources", "known", "answer_order"})
IDS = ("gold_question", "experiment_answer", "experiment", "answer")  # of what a source names

Row = dict[str, Any]
M = TypeVar("M", bound=Model)


def campaign_of(row: Row, **of: Any) -> Campaign:
    """The campaign of its record, before it is stored; this and the functions below raise as `_made`.

    Raises:
        ApplicationError: a percentage or a number of minutes is out of its range.
    """
    campaign = _made(Campaign, row, OF_CAMPAIGN, of)
    Plan(repeat_percent=campaign.repeat_percent, lease_minutes=campaign.lease_minutes).check()
    return campaign


def grader_of(row: Row, **of: Any) -> CampaignGrader:
    """The pseudonym of a record."""
    return _made(CampaignGrader, row, ("name",), of)


def item_of(row: Row, *, form: Form, **of: Any) -> CampaignItem:
    """The item of a record, with as many answers and sources as its form has, and known grades on its scales."""
    item = _made(CampaignItem, row, OF_ITEM, of)
    what, content, sources = f"item {item.ordinal}", item.content, item.sources
    answers = content["answers"]
    passages = [passage for answer in answers for passage in answer.get("passages", ())]
    texts = [content["question"], content.get("reference_answer", ""), *(part["text"] for part in answers)]
    texts += [text for passage in passages for text in (passage["text"], passage.get("title", ""))]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{what} has a question, answer or passage that is not text")
    fewest, most = form.n_answers
    if not isinstance(answers, list) or not fewest <= len(answers) <= most:
        raise ValueError(f"{what} does not have the {fewest} to {most} answers of the form “{form.name}”")
    if not isinstance(sources, list) or len(sources) != len(answers):
        raise ValueError(f"{what} does not have one source for each answer")
    for source in sources:
        _source_check(what, source)
    try:
        item.known = known_checked(form, len(answers), dict(item.known))
    except ApplicationError as error:
        raise ValueError(f"the known grades of {what}: {error.message}") from None
    return item


def assignment_of(row: Row, *, item: CampaignItem, **of: Any) -> Assignment:
    """The assignment of a record, its order one of the item's answers."""
    assignment = _made(Assignment, row, OF_ASSIGNMENT, of | {"item": item})
    what, order = f"assignment {assignment.place} of item {item.ordinal}", assignment.answer_order
    if any(type(place) is not int for place in order) or sorted(order) != list(range(len(item.content["answers"]))):
        raise ValueError(f"the answer_order of {what} does not name each answer once")
    if not 0 <= assignment.seconds <= MAX_ITEM_SECONDS:  # nor NaN, which is on no side
        raise ValueError(f"the seconds of {what} are not a number from 0 to {MAX_ITEM_SECONDS:,.0f}")
    return assignment


def grade_of(row: Row, *, form: Form, assignment: Assignment, **of: Any) -> CampaignGrade:
    """The grade of a record: of a criterion and an answer that its form asks for, on the scale or none."""
    grade = _made(CampaignGrade, row, OF_GRADE, of | {"assignment": assignment})
    _scale_check(grade, form, assignment.item)
    return grade


def adjudication_of(row: Row, *, form: Form, item: CampaignItem, **of: Any) -> Adjudication:
    """The outcome of a record: of a criterion and an answer that its form asks for, on the scale."""
    outcome = _made(Adjudication, row, OF_ADJUDICATION, of | {"item": item})
    _scale_check(outcome, form, item)
    return outcome


def _made(model: type[M], row: Row, names: Iterable[str], of: Row) -> M:
    """A row of the database from the fields of a record, each of the type and in the range of its column.

    Raises:
        KeyError, TypeError, ValueError, AttributeError, ValidationError: the record does not fit.
    """
    values = {name: _time(row[name]) if name in TIMES and row[name] else row[name] for name in names}
    for name, value in values.items():
        if isinstance(value, dict | list) and name not in STRUCTURES:
            raise ValueError(f"{name} is a list or an object, and must be one value")
    made = model(**of, **values)
    empty = {name for name, value in values.items() if value in ("", [], {}, None)}  # as the product stores them
    made.clean_fields(exclude={field.name for field in model._meta.fields} - (values.keys() - empty))
    return made


def _time(text: str) -> Any:
    try:
        moment = parse_datetime(text)
    except ValueError:  # as it is written, but no calendar has it
        moment = None
    if moment is None:
        raise ValueError(day_fault(text)[0])
    return moment if is_aware(moment) else make_aware(moment)


def _source_check(what: str, source: Row) -> None:
    """Raise ValueError for a source whose answer or experiment a page could not look up."""
    is_whole = {"experiment", "system"} <= source.keys() if "experiment_answer" in source else True
    if not is_whole or not isinstance(source.get("system", ""), str):
        raise ValueError(f"a source of {what} does not name its system, or its experiment")
    for key in IDS:
        if key in source and str(UUID(source[key])) != source[key]:
            raise ValueError(f"the {key} of a source of {what} is not an id")


def _scale_check(graded: CampaignGrade | Adjudication, form: Form, item: CampaignItem) -> None:
    criterion = form.asked(graded.criterion, graded.answer, n_answers=len(item.content["answers"]))
    if criterion is None:
        raise ValueError(
            f"item {item.ordinal} has a grade of {graded.criterion[:40]!r} for answer {graded.answer}, "
            "which its form does not ask for"
        )
    if graded.value is not None and graded.value not in criterion.values:
        low, high = criterion.values[0], criterion.values[-1]
        raise ValueError(f"item {item.ordinal} has the grade {graded.value}, and {criterion.key} is {low} to {high}")
