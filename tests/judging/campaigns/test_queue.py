"""Who is given which item: overlap, leases, random orders, training first, repeats."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from corpora.models import Corpus
from judging.campaigns.items import item_rows_of_gold
from judging.campaigns.rubrics import form_get
from judging.campaigns.services.grading import Action
from judging.campaigns.services.queue import assignment_lease
from judging.models import Assignment, Review
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from tests.judging.campaigns.office import SIX, act, grade_all, item, make_campaign, next_of
from tests.judging.experiments.figures.made import gold_set_made
from tests.people import Firm


def test_every_item_is_graded_by_as_many_people_as_it_needs(firm: Firm, corpus: Corpus) -> None:
    people = (firm.owner, firm.lawyer, firm.annotator)
    campaign = make_campaign(firm, corpus, [item(n) for n in range(1, 5)], graders=people, overlap=2)

    counts = [len(grade_all(firm, campaign, person, SIX)) for person in people]

    assert counts == [4, 4, 0]


def test_a_share_of_the_items_of_each_type_is_graded_by_several(firm: Firm, corpus: Corpus) -> None:
    people = (firm.owner, firm.lawyer)
    items = [item(n, question_type="short" if n <= 4 else "long") for n in range(1, 9)]
    campaign = make_campaign(firm, corpus, items, graders=people, overlap=2, overlap_percent=50)

    first, second = (grade_all(firm, campaign, person, SIX) for person in people)

    assert len(first) == 8
    assert sorted(a.item.question_type for a in second) == ["long", "long", "short", "short"]


def test_an_opened_item_is_kept_for_its_grader_until_the_lease_runs_out(firm: Firm, corpus: Corpus) -> None:
    campaign = make_campaign(firm, corpus, [item(1)], graders=(firm.lawyer, firm.annotator), lease_minutes=10)
    mine = next_of(firm, campaign, firm.lawyer)
    assert mine is not None
    act(firm, firm.lawyer, mine, Action.DRAFT, grades={"clarity": 3})

    assert next_of(firm, campaign, firm.annotator) is None
    with organization_scope(firm.organization, user=firm.lawyer):
        Assignment.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert next_of(firm, campaign, firm.annotator) is not None


def test_an_item_that_another_tab_submits_while_it_is_given_out_stays_submitted(firm: Firm, corpus: Corpus) -> None:
    campaign = make_campaign(firm, corpus, [item(1)], graders=(firm.lawyer,))
    given_out = next_of(firm, campaign, firm.lawyer)
    assert given_out is not None
    act(firm, firm.lawyer, given_out, grades=SIX)
    with organization_scope(firm.organization, user=firm.lawyer):
        assignment_lease(assignment=given_out, campaign=campaign)
        stored = Assignment.objects.get()

    assert (stored.state, stored.submissions) == ("submitted", 1)
    assert stored.ended_at is not None


def test_who_comes_back_late_still_finds_the_drafts(firm: Firm, corpus: Corpus) -> None:
    campaign = make_campaign(firm, corpus, [item(1)], graders=(firm.lawyer, firm.annotator))
    mine = next_of(firm, campaign, firm.lawyer)
    assert mine is not None
    act(firm, firm.lawyer, mine, Action.DRAFT, grades={"clarity": 3})
    with organization_scope(firm.organization, user=firm.lawyer):
        Assignment.objects.update(leased_until=timezone.now() - timedelta(days=1))
    grade_all(firm, campaign, firm.annotator, SIX)

    again = next_of(firm, campaign, firm.lawyer)

    assert again is not None
    assert again.pk == mine.pk
    act(firm, firm.lawyer, again, grades={key: 4 for key in SIX if key != "clarity"})


def test_what_one_grader_skips_another_is_given_and_the_first_never_again(firm: Firm, corpus: Corpus) -> None:
    campaign = make_campaign(firm, corpus, [item(1)], graders=(firm.lawyer, firm.annotator))
    mine = next_of(firm, campaign, firm.lawyer)
    assert mine is not None
    act(firm, firm.lawyer, mine, Action.SKIP)

    assert next_of(firm, campaign, firm.lawyer) is None
    theirs = next_of(firm, campaign, firm.annotator)
    assert theirs is not None
    assert theirs.item_id == mine.item_id


def order_of(firm: Firm, campaign: Any, person: Any) -> list[int]:
    return [a.item.ordinal for a in grade_all(firm, campaign, person, SIX)]


def test_each_grader_has_a_random_order_that_follows_from_the_seed(firm: Firm, corpus: Corpus) -> None:
    items = [item(n) for n in range(1, 9)]
    people = (firm.lawyer, firm.annotator)
    one, same, other = (
        make_campaign(firm, corpus, items, graders=people, overlap=2, name=f"Seed {k}", seed=seed)
        for k, seed in enumerate((7, 7, 8))
    )

    orders = {(c.name, p.pk): order_of(firm, c, p) for c in (one, same, other) for p in people}

    lawyer, annotator = (p.pk for p in people)
    assert orders["Seed 0", lawyer] == orders["Seed 1", lawyer]
    assert len({tuple(orders[key]) for key in orders}) == 4
    assert orders["Seed 0", lawyer] != orders["Seed 0", annotator]
    assert all(sorted(order) == list(range(1, 9)) for order in orders.values())


def test_question_types_come_in_turn(firm: Firm, corpus: Corpus) -> None:
    items = [item(n, question_type="short" if n <= 6 else "long") for n in range(1, 9)]
    campaign = make_campaign(firm, corpus, items, graders=(firm.lawyer,))

    types = [a.item.question_type for a in grade_all(firm, campaign, firm.lawyer, SIX)]

    assert sorted(types[:2]) == sorted(types[2:4]) == ["long", "short"]


def test_training_comes_first_and_hidden_checks_are_among_the_others(firm: Firm, corpus: Corpus) -> None:
    items = [
        *(item(n) for n in range(1, 9)),
        item(9, kind="training", known={"clarity": 5}),
        item(10, kind="check", known={"clarity": 5}),
    ]
    people = (firm.lawyer, firm.annotator)
    campaign = make_campaign(firm, corpus, items, graders=people)

    first, second = (grade_all(firm, campaign, person, SIX) for person in people)

    assert first[0].item.kind == "training"
    assert {a.item.kind for a in first[1:]} == {"graded", "check"}
    assert sorted(a.item.kind for a in second) == ["check", "training"]


def test_only_a_marked_share_is_given_to_the_same_person_again_in_another_order(firm: Firm, corpus: Corpus) -> None:
    campaign = make_campaign(firm, corpus, [item(n) for n in range(1, 11)], graders=(firm.lawyer,), repeat_percent=20)

    done = grade_all(firm, campaign, firm.lawyer, SIX)

    assert [a.is_repeat for a in done] == [False] * 10 + [True] * 2
    assert len({a.item_id for a in done[:10]}) == 10


def test_only_graders_are_given_items_and_nobody_once_it_has_ended(firm: Firm, corpus: Corpus) -> None:
    campaign = make_campaign(firm, corpus, [item(1)], graders=(firm.lawyer,))

    with pytest.raises(NotFound):
        next_of(firm, campaign, firm.annotator)
    with organization_scope(firm.organization, user=firm.manager):
        campaign.closed_at = timezone.now()
        campaign.save()
    with pytest.raises(Conflict):
        next_of(firm, campaign, firm.lawyer)


def test_a_gold_set_gives_its_approved_questions_with_a_reference_and_its_drafts_on_request(
    firm: Firm, corpus: Corpus
) -> None:
    form = form_get("criteria")
    with organization_scope(firm.organization, user=firm.manager):
        gold_set, (approved, draft, rejected, bare) = gold_set_made(firm, corpus, n=4)
        for question, review in ((draft, Review.DRAFT), (rejected, Review.REJECTED)):
            question.review = review
            question.save()
        bare.reference_answer = " "
        bare.save()

        taken = item_rows_of_gold(gold_set=gold_set, form=form)
        with_drafts = item_rows_of_gold(gold_set=gold_set, form=form, is_with_drafts=True)
        approved.delete()
        with pytest.raises(ApplicationError, match="No approved question"):
            item_rows_of_gold(gold_set=gold_set, form=form)

    asked = [[row.content["question"] for row in rows] for rows in (taken, with_drafts)]
    assert asked == [[approved.text], [approved.text, draft.text]]
