"""A firm with a corpus and campaigns of short items, for the tests of annotation."""

import json
from typing import Any

from corpora.models import Corpus
from judging.campaigns.items import item_rows_read
from judging.campaigns.rubrics import form_get
from judging.campaigns.services.campaigns import Plan, campaign_create
from judging.campaigns.services.grading import Action, Change, assignment_act
from judging.campaigns.services.queue import assignment_next
from judging.models import Assignment, Campaign
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from tests.people import Firm

SIX = {
    "faithfulness": 5,
    "answer_relevancy": 4,
    "context_relevancy": 3,
    "correctness": 4,
    "clarity": 5,
    "completeness": 2,
}


def item(number: int, *, systems: tuple[str, ...] = ("System-Gamma",), **more: Any) -> dict[str, Any]:
    """A line of an item file; the systems' names are nowhere in what is read."""
    answers = [
        {
            "system": system,
            "text": f"Rent {number} is due on day {place} [1].",
            "passages": [{"title": f"Lease {number}", "text": f"The rent is due on day {number}."}],
        }
        for place, system in enumerate(systems, start=1)
    ]
    return {"id": f"q{number}", "question": f"When is rent {number} due?", "answers": answers, **more}


def lines(items: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(one) for one in items)


def make_campaign(
    firm: Firm,
    corpus: Corpus,
    items: list[dict[str, Any]],
    *,
    form: str = "criteria",
    graders: tuple[User, ...] = (),
    name: str = "Leases",
    **plan: Any,
) -> Campaign:
    """A campaign that the firm's manager leads, with a fixed seed."""
    with organization_scope(firm.organization, user=firm.manager):
        return campaign_create(
            **firm.by_manager,
            corpus_id=corpus.pk,
            name=name,
            form=form_get(form),
            rows=item_rows_read(lines(items), form=form_get(form)),
            graders=[grader.pk for grader in graders],
            plan=Plan(**{"seed": 7, **plan}),
        )


def next_of(firm: Firm, campaign: Campaign, user: User) -> Assignment | None:
    with organization_scope(firm.organization, user=user):
        return assignment_next(organization=firm.organization, user=user, campaign_id=campaign.pk)


def act(firm: Firm, user: User, assignment: Assignment, action: Action = Action.SUBMIT, **change: Any) -> Assignment:
    with organization_scope(firm.organization, user=user):
        return assignment_act(
            organization=firm.organization,
            user=user,
            assignment_id=assignment.pk,
            action=action,
            change=Change(**change),
        )


def grade_all(firm: Firm, campaign: Campaign, user: User, grades: dict[str, Any] | Any) -> list[Assignment]:
    """Grade all that is left for a person; `grades` are the same for every item, or made from the assignment."""
    done = []
    while (assignment := next_of(firm, campaign, user)) is not None:
        act(firm, user, assignment, grades=grades(assignment) if callable(grades) else grades)
        done.append(assignment)
    return done
