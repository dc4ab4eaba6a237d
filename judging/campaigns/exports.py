"""Campaigns as files: grades in long and wide CSV, and everything as JSONL, from which a campaign can be restored."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DatabaseError

from corpora.selectors import corpus_get
from judging.campaigns.figures import submitted_grades
from judging.campaigns.items import MAX_ITEMS
from judging.campaigns.records import (
    OF_ADJUDICATION,
    OF_ASSIGNMENT,
    OF_CAMPAIGN,
    OF_GRADE,
    OF_ITEM,
    adjudication_of,
    assignment_of,
    campaign_of,
    grade_of,
    grader_of,
    item_of,
)
from judging.campaigns.rubrics import Form, field_key, form_get
from judging.campaigns.services.campaigns import MAX_GRADERS, campaign_row
from judging.models import Adjudication, Assignment, Campaign, CampaignGrade, CampaignGrader, CampaignItem
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import LineError, json_lines

LONG = (
    *("campaign", "item", "item_id", "question_type", "kind", "configuration", "answer", "criterion", "grader"),
    *("value", "status", "version", "submission", "is_repeat", "is_flagged", "note", "reference_note", "seconds"),
    *("graded_at", "adjudicated", "rubric_version", "order_seed"),
)
WIDE = ("item", "item_id", "question_type", "kind", "grader", "is_repeat", "seconds", "note")


class RecordError(LineError):
    """A line that is no record of a campaign."""

    kind = "bad_campaign_file"


def long_rows(*, campaign: Campaign) -> list[dict[str, Any]]:
    """One row a grade that counts: who, by pseudonym, graded which answer of which configuration, and how."""
    outcomes = {
        (row.item_id, row.criterion, row.answer): row.value
        for row in Adjudication.objects.filter(campaign=campaign).order_by("pk")
    }
    rows = []
    for graded in submitted_grades(campaign=campaign):
        grade, assignment, item = graded.grade, graded.assignment, graded.assignment.item
        source = item.sources[grade.answer] if form_get(campaign.form).is_per_answer and item.sources else {}
        values = (
            campaign.name,
            item.ordinal,
            item.external_id,
            item.question_type,
            item.kind,
            source.get("system", ""),
            grade.answer,
            grade.criterion,
            assignment.grader.name,
            grade.value,
            grade.status,
            grade.version,
            grade.submission,
            assignment.is_repeat,
            assignment.is_flagged,
            assignment.note,
            assignment.reference_note,
            round(assignment.seconds, 2),
            grade.created_at.isoformat(),
            outcomes.get((item.pk, grade.criterion, grade.answer)),
            campaign.rubric_version,
            campaign.seed,
        )
        rows.append(dict(zip(LONG, values, strict=True)))
    return rows


def long_table(*, campaign: Campaign) -> tuple[Sequence[str], list[list[Any]]]:
    """`long_rows` as a header and rows."""
    return LONG, [list(row.values()) for row in long_rows(campaign=campaign)]


def wide_table(*, campaign: Campaign) -> tuple[Sequence[str], list[list[Any]]]:
    """One row an item and grader, for notebooks: a column for each grade (`quality.1` is of the second answer).

    A grade of "cannot judge" is empty.
    """
    form = form_get(campaign.form)
    n_answers = max((len(i.content["answers"]) for i in CampaignItem.objects.filter(campaign=campaign)), default=1)
    header = [*WIDE, *(field_key(criterion.key, answer) for criterion, answer in form.fields(n_answers))]
    wide: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in long_rows(campaign=campaign):
        line = wide.setdefault((row["item"], row["grader"], row["is_repeat"]), {name: row[name] for name in WIDE})
        line[field_key(row["criterion"], row["answer"])] = row["value"]
    return header, [[row.get(name) for name in header] for row in wide.values()]


def campaign_lines(*, campaign: Campaign) -> Iterator[str]:
    """The whole campaign, one record a line; people are only pseudonyms in it. `campaign_import` reads it."""
    items = {item.pk: item for item in CampaignItem.objects.filter(campaign=campaign).order_by("ordinal")}
    graders = {grader.pk: grader for grader in CampaignGrader.objects.filter(campaign=campaign).order_by("pk")}
    assignments = Assignment.objects.filter(campaign=campaign).order_by("grader_id", "place")
    lines = {assignment.pk: assignment for assignment in assignments}
    yield _line("campaign", campaign, OF_CAMPAIGN)
    for item in items.values():
        yield _line("item", item, OF_ITEM)
    for person in graders.values():
        yield _line("grader", person, ["name"])
    for one in lines.values():
        yield _line(
            "assignment", one, OF_ASSIGNMENT, item=items[one.item_id].ordinal, grader=graders[one.grader_id].name
        )
    for grade in CampaignGrade.objects.filter(campaign=campaign).order_by("pk"):
        one = lines[grade.assignment_id]
        yield _line("grade", grade, OF_GRADE, grader=graders[one.grader_id].name, place=one.place)
    for outcome in Adjudication.objects.filter(campaign=campaign).order_by("pk"):
        yield _line("adjudication", outcome, OF_ADJUDICATION, item=items[outcome.item_id].ordinal)


def is_campaign_file(text: str) -> bool:
    """Whether a text begins as `campaign_lines` does."""
    return text.lstrip("\ufeff \n")[:40].startswith('{"record": "campaign"')


def campaign_import(*, organization: Organization, user: User, corpus_id: UUID, name: str, text: str) -> Campaign:
    """Make a campaign of an exported one, with its items, orders, drafts, grades, notes and adjudications.

    Graders stay pseudonyms without a person; people can be added to continue grading.

    Raises:
        NotFound: no such corpus.
        ApplicationError: a record that does not fit; it names the line.
        Conflict: as `campaign_row`.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    records = _records(text)
    (head,) = records.pop("campaign")
    try:
        form = form_get(head["form"])
        campaign = campaign_of(head, organization=organization, corpus=corpus, created_by=user)
        campaign.name = name
        campaign_row(campaign=campaign)
        _rows_make(campaign, form, records)
    except (KeyError, TypeError, ValueError, AttributeError, ValidationError, DatabaseError) as error:
        raise ApplicationError(
            f"A record of the file does not fit: {_why(error)}. Upload the file as it was downloaded.",
            code="bad_campaign_file",
        ) from None
    audit(
        organization=organization,
        actor=user,
        action="campaign.imported",
        subject_id=corpus.pk,
        items=len(records["item"]),
    )
    return campaign


def _why(error: Exception) -> str:
    if isinstance(error, DatabaseError):
        return "records contradict each other"
    if isinstance(error, ValidationError):
        return "; ".join(f"{name}: {problems[0].rstrip('.')}" for name, problems in error.message_dict.items())
    if isinstance(error, KeyError):
        return f"{error} is missing, or no such record is there"
    return str(error) if isinstance(error, ValueError) else "a field holds another kind of value than it should"


def _rows_make(campaign: Campaign, form: Form, records: dict[str, list[dict[str, Any]]]) -> None:
    of: Any = {"organization_id": campaign.organization_id, "campaign": campaign}
    items = {row["ordinal"]: item_of(row, form=form, **of) for row in records["item"]}
    CampaignItem.objects.bulk_create(items.values(), batch_size=1000)
    graders = {row["name"]: grader_of(row, **of) for row in records["grader"]}
    CampaignGrader.objects.bulk_create(graders.values())
    assignments = {
        (row["grader"], row["place"]): assignment_of(row, item=items[row["item"]], grader=graders[row["grader"]], **of)
        for row in records["assignment"]
    }
    Assignment.objects.bulk_create(assignments.values(), batch_size=1000)
    grades = (
        grade_of(row, form=form, assignment=assignments[row["grader"], row["place"]], **of) for row in records["grade"]
    )
    CampaignGrade.objects.bulk_create(grades, batch_size=1000)
    Adjudication.objects.bulk_create(
        adjudication_of(row, form=form, item=items[row["item"]], **of) for row in records["adjudication"]
    )


def _records(text: str) -> dict[str, list[dict[str, Any]]]:
    kinds = ("campaign", "item", "grader", "assignment", "grade", "adjudication")
    records: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
    for line, record in json_lines(text, refused=RecordError):
        if record.get("record") not in kinds:
            raise RecordError(line, "this is not a record of a campaign. Upload the file as it was downloaded.")
        records[record["record"]].append(record)
    limits = {"campaign": (1, 1), "item": (1, MAX_ITEMS), "grader": (0, MAX_GRADERS)}
    if not all(low <= len(records[kind]) <= high for kind, (low, high) in limits.items()):
        raise ApplicationError(
            f"The file must hold one campaign with 1 to {MAX_ITEMS:,} items and at most {MAX_GRADERS} graders. "
            "Upload the file as it was downloaded.",
            code="bad_campaign_file",
        )
    return records


def _line(record: str, row: Any, names: Sequence[str], **more: Any) -> str:
    values = {name: getattr(row, name) for name in names} | more
    document = {name: v.isoformat() if isinstance(v, datetime) else v for name, v in values.items()}
    return json.dumps({"record": record} | document, ensure_ascii=False) + "\n"
