"""Grades from the ask page, as grades of a campaign on the correctness scale.

The rule, from three words and two to five points: "right" and "rightly silent" are 5, "partly right" is 3, "wrong" is
2, and "the documents do answer this" is 1, for a silence that should have been an answer helps no more than an answer
to another question. No word of the ask page means "correct, with a minor gap", so nothing becomes 4. A corrected answer
becomes the item's reference answer. Notes are left out: the ask page tells people that graders do not read them.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone

from corpora.selectors import corpus_get
from judging.campaigns.items import MAX_ITEMS, ItemRow
from judging.campaigns.rubrics import CORRECTNESS, FORMS
from judging.campaigns.services.campaigns import Plan, campaign_create
from judging.models import Assignment, Campaign, CampaignGrade, CampaignGrader, CampaignItem
from judging.models.campaigns import AssignmentState, GradeStatus
from legalqa.accounts.models import Organization, User
from legalqa.answering.models import AnswerGrade, Grade
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.types import SILENT
from legalqa.common.errors import ApplicationError

ON_SCALE = {Grade.RIGHT: 5, Grade.RIGHTLY_SILENT: 5, Grade.PARTLY: 3, Grade.WRONG: 2, Grade.MISSED: 1}


def campaign_of_asked(
    *,
    organization: Organization,
    user: User,
    corpus_id: UUID,
    name: str,
    graders: Sequence[UUID] = (),
    plan: Plan | None = None,
    instructions: str = "",
) -> Campaign:
    """A campaign of the answers that people graded on the ask page, with those grades in it.

    Each item is an answer with its passages; its grade counts as submitted. Who asked and graded is not named: each
    grader is a pseudonym without a person, so that an item says nothing of who asked it.

    Raises:
        NotFound: no such corpus.
        ApplicationError: nothing is graded yet, or as `campaign_create`.
        Conflict: as `campaign_create`.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    all_grades = AnswerGrade.objects.filter(organization=organization, corpus=corpus).order_by("created_at", "pk")
    grades = list(all_grades.select_related("answer__question", "answer__organization")[:MAX_ITEMS])
    if not grades:
        raise ApplicationError(
            "No answer in this corpus is graded yet. Grade some, or take the items from a gold set or a file.",
            code="nothing_graded",
        )
    by_answer: dict[UUID, list[AnswerGrade]] = {}
    for grade in grades:
        by_answer.setdefault(grade.answer_id, []).append(grade)
    campaign = campaign_create(
        organization=organization,
        user=user,
        corpus_id=corpus_id,
        name=name,
        form=FORMS["correctness"],
        rows=[_row(of_answer) for of_answer in by_answer.values()],
        graders=graders,
        plan=plan,
        instructions=instructions,
    )
    _grades_make(campaign, list(by_answer.values()))
    return campaign


def _row(grades: Sequence[AnswerGrade]) -> ItemRow:
    answer = grades[0].answer
    passages = [{"title": row["document"], "text": row["text"]} for row in answer.evidence]
    text = str(answer_document(answer=answer)["text"]) or SILENT
    correction = next((grade.correction for grade in reversed(grades) if grade.correction), "")
    return ItemRow(
        content={
            "question": answer.question.text,
            "reference_answer": correction,
            "answers": [{"text": text, "passages": passages}],
        },
        sources=[{"system": answer.preset, "answer": str(answer.pk)}],
    )


def _grades_make(campaign: Campaign, grades: Sequence[Sequence[AnswerGrade]]) -> None:
    of: Any = {"organization_id": campaign.organization_id, "campaign": campaign}
    people = list(dict.fromkeys(grade.grader_id for of_answer in grades for grade in of_answer))
    graders = {person: CampaignGrader(**of, name=f"ask page {n}") for n, person in enumerate(people, start=1)}
    CampaignGrader.objects.bulk_create(graders.values())
    items = {item.ordinal: item for item in CampaignItem.objects.filter(campaign=campaign)}
    places = dict.fromkeys(people, 0)
    now = timezone.now()
    assignments: list[Assignment] = []
    given: list[CampaignGrade] = []
    for ordinal, of_answer in enumerate(grades, start=1):
        for grade in of_answer:
            places[grade.grader_id] += 1
            assignment = Assignment(
                **of,
                item=items[ordinal],
                grader=graders[grade.grader_id],
                place=places[grade.grader_id],
                state=AssignmentState.SUBMITTED,
                answer_order=[0],
                leased_until=now,
                submissions=1,
                opened_at=grade.created_at,
                ended_at=grade.changed_at,
            )
            assignments.append(assignment)
            given.append(
                CampaignGrade(
                    **of,
                    assignment=assignment,
                    criterion=CORRECTNESS.key,
                    version=1,
                    value=ON_SCALE[Grade(grade.grade)],
                    status=GradeStatus.GRADED,
                    submission=1,
                    created_at=grade.changed_at,
                )
            )
    Assignment.objects.bulk_create(assignments, batch_size=1000)
    CampaignGrade.objects.bulk_create(given, batch_size=1000)
