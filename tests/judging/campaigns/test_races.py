"""A grader with two tabs: of two acts at once on one item, the second meets what the first has stored."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.utils import timezone

from judging.campaigns.services.grading import Action
from judging.models import Assignment, Campaign, CampaignGrade
from judging.models.campaigns import AssignmentState
from legalqa.accounts.scoping import organization_scope
from tests.ingestion import make_corpus
from tests.judging.campaigns.office import SIX, act, item, make_campaign, next_of
from tests.overtaking import overtaken
from tests.people import Firm, make_firm


@pytest.fixture
def office(committed_db: None) -> Firm:
    """A firm that other connections see."""
    return make_firm("harding", "Harding & Stone")


@pytest.fixture
def campaign(office: Firm) -> Campaign:
    return make_campaign(office, make_corpus(office, "Leases"), [item(1), item(2)], graders=(office.lawyer,))


def begun(office: Firm, campaign: Campaign) -> Assignment:
    assignment = next_of(office, campaign, office.lawyer)
    assert assignment is not None
    return assignment


def test_of_two_tabs_that_submit_an_item_at_once_one_does(office: Firm, campaign: Campaign) -> None:
    mine = begun(office, campaign)

    def submit(_: int) -> None:
        act(office, office.lawyer, mine, grades=SIX)
        connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(submit, range(2)))
    with organization_scope(office.organization, user=office.lawyer):
        stored = Assignment.objects.get(pk=mine.pk)
        grades = CampaignGrade.objects.filter(assignment=mine)
        assert (stored.state, stored.submissions) == ("submitted", 1)
        assert {(grade.version, grade.submission) for grade in grades} == {(1, 1)}
        assert len(grades) == len(SIX)


def test_an_undo_opens_no_item_that_another_tab_submits_meanwhile(office: Firm, campaign: Campaign) -> None:
    """The other tab's transaction ends once the undo waits for it: the undo has read the item as skipped."""
    skipped = begun(office, campaign)
    act(office, office.lawyer, skipped, Action.SKIP)
    present = begun(office, campaign)

    def submit() -> None:
        same = Assignment.objects.filter(pk=skipped.pk)
        same.update(state=AssignmentState.SUBMITTED, submissions=1, ended_at=timezone.now())

    shown = overtaken(
        office.organization, office.lawyer, by=submit, act=lambda: act(office, office.lawyer, present, Action.UNDO)
    )
    with organization_scope(office.organization, user=office.lawyer):
        stored = Assignment.objects.get(pk=skipped.pk)

    assert (stored.state, stored.submissions) == ("submitted", 1)
    assert (shown.pk, shown.state) == (skipped.pk, "submitted")
