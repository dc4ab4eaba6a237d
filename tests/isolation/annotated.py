"""Campaigns of an isolated house: one that people still grade in, and one with grades that its lead reads."""

import json
from dataclasses import dataclass
from typing import Any

from corpora.models import Corpus
from judging.campaigns.items import item_rows_read
from judging.campaigns.rubrics import FORMS
from judging.campaigns.services.adjudication import grade_adjudicate
from judging.campaigns.services.campaigns import Plan, campaign_create
from judging.campaigns.services.grading import Action, Change, assignment_act
from judging.campaigns.services.queue import assignment_next
from judging.models import Assignment, Campaign
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from tests.people import Firm


@dataclass(frozen=True)
class Annotated:
    """`open` is given to people by role, `assignments` are theirs; `graded` has grades and an outcome."""

    open: Campaign
    graded: Campaign
    assignments: dict[str, Assignment]

    def campaign_of(self, name: str) -> Campaign:
        return self.open if "annotation" in name else self.graded


def item_of(words: str) -> dict[str, Any]:
    return {
        "question": f"What of {words}?",
        "reference_answer": f"All of {words}.",
        "answers": [{"system": "plain", "text": words, "passages": [{"title": "A lease", "text": words}]}],
    }


def make_annotated(firm: Firm, corpus: Corpus, marker: str, roles: tuple[str, ...]) -> Annotated:
    people: dict[str, User] = {role: getattr(firm, role) for role in roles}
    opened = _campaign(firm, corpus, marker, "Open", list(people.values()))
    graded = _campaign(firm, corpus, marker, "Graded", [firm.lawyer])
    assignments = {role: _next(firm, opened, person) for role, person in people.items()}
    assignment = _next(firm, graded, firm.lawyer)
    with organization_scope(firm.organization, user=firm.lawyer):
        assignment_act(
            **firm.by_lawyer,
            assignment_id=assignment.pk,
            action=Action.SUBMIT,
            change=Change(grades={"correctness": 5}, note=f"As {marker} says.", is_flagged=True),
        )
    with organization_scope(firm.organization, user=firm.owner):
        grade_adjudicate(
            **firm.by_owner,
            campaign_id=graded.pk,
            item=1,
            decided={"criterion": "correctness", "answer": 0, "value": 4, "reason": f"For {marker}."},
        )
    return Annotated(opened, graded, assignments)


def _campaign(firm: Firm, corpus: Corpus, marker: str, name: str, graders: list[User]) -> Campaign:
    form = FORMS["correctness"]
    with organization_scope(firm.organization, user=firm.owner):
        return campaign_create(
            **firm.by_owner,
            corpus_id=corpus.pk,
            name=f"{name} on {marker}",
            form=form,
            rows=item_rows_read(json.dumps(item_of(marker)), form=form),
            graders=[grader.pk for grader in graders],
            plan=Plan(overlap=len(graders)),
        )


def _next(firm: Firm, campaign: Campaign, person: User) -> Assignment:
    with organization_scope(firm.organization, user=person):
        found = assignment_next(organization=firm.organization, user=person, campaign_id=campaign.pk)
    assert found is not None
    return found
