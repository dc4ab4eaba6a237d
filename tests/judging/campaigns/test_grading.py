"""Grading an item: drafts, versions, submission, undoing, and answers side by side in their stored order."""

from typing import Any

import pytest

from corpora.models import Corpus
from judging.campaigns.figures import grader_rows, submitted_grades
from judging.campaigns.lead import Wish, campaign_make
from judging.campaigns.rubrics import CANNOT_JUDGE
from judging.campaigns.services.grading import Action, grades_now, values_shown
from judging.models import Assignment, Campaign, CampaignGrade, GoldQuestion, GoldReport, GoldSet
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from tests.judging.campaigns.office import SIX, act, grade_all, item, make_campaign, next_of
from tests.people import Firm


@pytest.fixture
def campaign(firm: Firm, corpus: Corpus) -> Campaign:
    return make_campaign(firm, corpus, [item(n) for n in range(1, 4)], graders=(firm.lawyer,))


def begun(firm: Firm, campaign: Campaign) -> Assignment:
    assignment = next_of(firm, campaign, firm.lawyer)
    assert assignment is not None
    return assignment


def versions(firm: Firm, assignment: Assignment) -> list[tuple[str, int, int | None, int]]:
    with organization_scope(firm.organization, user=firm.lawyer):
        grades = CampaignGrade.objects.filter(assignment=assignment).order_by("pk")
        return [(g.criterion, g.version, g.value, g.submission) for g in grades]


def shown(firm: Firm, assignment: Assignment) -> dict[str, Any]:
    with organization_scope(firm.organization, user=firm.lawyer):
        return values_shown(assignment=Assignment.objects.select_related("item", "campaign").get(pk=assignment.pk))


def test_every_change_is_a_draft_of_its_own_and_the_same_value_is_none(firm: Firm, campaign: Campaign) -> None:
    mine = begun(firm, campaign)
    for value in (3, 4, 4):
        act(firm, firm.lawyer, mine, Action.DRAFT, grades={"clarity": value})

    assert versions(firm, mine) == [("clarity", 1, 3, 0), ("clarity", 2, 4, 0)]


def test_a_submission_takes_the_drafts_and_a_later_edit_is_a_new_version(firm: Firm, campaign: Campaign) -> None:
    mine = begun(firm, campaign)
    act(firm, firm.lawyer, mine, grades=SIX)
    act(firm, firm.lawyer, mine, Action.DRAFT, grades={"clarity": 1})
    assert ("clarity", 1, 5, 1) in versions(firm, mine)
    after = act(firm, firm.lawyer, mine, grades={"clarity": 1})

    assert after.submissions == 2
    assert [row for row in versions(firm, mine) if row[0] == "clarity"] == [("clarity", 1, 5, 1), ("clarity", 2, 1, 2)]


def test_a_submission_with_a_grade_missing_is_refused_and_its_drafts_stay(firm: Firm, campaign: Campaign) -> None:
    mine = begun(firm, campaign)
    act(firm, firm.lawyer, mine, Action.DRAFT, grades={"clarity": 2})

    with pytest.raises(ApplicationError, match=r"Missing: Faithfulness, Answer relevancy, Context relevancy, Corr.*"):
        act(firm, firm.lawyer, mine)
    assert shown(firm, mine) == {"clarity": 2}


def test_cannot_judge_is_a_grade_without_a_value_and_not_a_skip(firm: Firm, campaign: Campaign) -> None:
    mine = begun(firm, campaign)
    after = act(firm, firm.lawyer, mine, grades=SIX | {"clarity": CANNOT_JUDGE})

    assert after.state == "submitted"
    assert ("clarity", 1, None, 1) in versions(firm, mine)
    assert shown(firm, mine)["clarity"] == CANNOT_JUDGE


@pytest.mark.parametrize("grades", [{"clarity": 6}, {"clarity": 0}, {"clarity": "good"}, {"beauty": 3}])
def test_a_grade_off_its_scale_is_refused(grades: dict[str, Any], firm: Firm, campaign: Campaign) -> None:
    mine = begun(firm, campaign)

    with pytest.raises(ApplicationError):
        act(firm, firm.lawyer, mine, Action.DRAFT, grades=grades)
    assert versions(firm, mine) == []


def test_undo_takes_the_last_draft_back_then_leads_to_the_item_before(firm: Firm, campaign: Campaign) -> None:
    first = begun(firm, campaign)
    act(firm, firm.lawyer, first, grades=SIX)
    second = begun(firm, campaign)
    for value in (3, 4):
        act(firm, firm.lawyer, second, Action.DRAFT, grades={"clarity": value})

    assert [act(firm, firm.lawyer, second, Action.UNDO).pk for _ in range(2)] == [second.pk, second.pk]
    assert shown(firm, second) == {}
    assert act(firm, firm.lawyer, second, Action.UNDO).pk == first.pk
    assert begun(firm, campaign).pk == second.pk, "what was open is still next"


def test_undo_opens_a_skipped_item_again(firm: Firm, campaign: Campaign) -> None:
    first = begun(firm, campaign)
    act(firm, firm.lawyer, first, Action.SKIP)
    back = act(firm, firm.lawyer, begun(firm, campaign), Action.UNDO)

    assert (back.pk, back.state) == (first.pk, "open")


def test_a_skipped_item_that_its_grader_goes_back_to_can_be_submitted(firm: Firm, campaign: Campaign) -> None:
    mine = begun(firm, campaign)
    act(firm, firm.lawyer, mine, Action.SKIP)
    after = act(firm, firm.lawyer, mine, grades=SIX)

    assert (after.state, after.submissions) == ("submitted", 1)
    assert after.ended_at is not None


def test_time_adds_up_and_notes_and_flags_are_kept(firm: Firm, campaign: Campaign) -> None:
    mine = begun(firm, campaign)
    act(firm, firm.lawyer, mine, Action.DRAFT, seconds=2.5, note="Unsure.", is_flagged=True, reference_note="Day 4.")
    after = act(firm, firm.lawyer, mine, grades=SIX, seconds=1.5)

    assert (after.seconds, after.note, after.is_flagged, after.reference_note) == (4.0, "Unsure.", True, "Day 4.")


def test_answers_side_by_side_are_stored_by_their_place_whatever_letter_they_had(firm: Firm, corpus: Corpus) -> None:
    systems = ("lawyer", "plain model", "retrieval")
    campaign = make_campaign(
        firm, corpus, [item(n, systems=systems) for n in range(1, 7)], form="lawyer", graders=(firm.lawyer,)
    )
    orders = set()
    while (mine := next_of(firm, campaign, firm.lawyer)) is not None:
        letters = {answer: "abc"[place] for place, answer in enumerate(mine.answer_order)}
        act(firm, firm.lawyer, mine, grades={f"quality_{letters[answer]}": answer + 8 for answer in range(3)})
        orders.add(tuple(mine.answer_order))
        with organization_scope(firm.organization, user=firm.lawyer):
            assert {answer: g.value for (_, answer), g in grades_now(assignment=mine).items()} == {0: 8, 1: 9, 2: 10}
    assert len(orders) > 1


def test_a_preference_names_the_same_answer_on_whichever_side_it_was_shown(firm: Firm, corpus: Corpus) -> None:
    items = [item(n, systems=("one", "two")) for n in range(1, 9)]
    campaign = make_campaign(firm, corpus, items, form="pairwise", graders=(firm.lawyer,))
    stored = set()
    while (mine := next_of(firm, campaign, firm.lawyer)) is not None:
        act(firm, firm.lawyer, mine, grades={"preference": mine.answer_order.index(0) + 1})
        stored.add((tuple(mine.answer_order), versions(firm, mine)[0][2]))
        assert shown(firm, mine) == {"preference": mine.answer_order.index(0) + 1}

    assert stored == {((0, 1), 1), ((1, 0), 1)}


def test_a_grader_who_always_takes_what_is_shown_first_is_seen_in_the_figures(firm: Firm, corpus: Corpus) -> None:
    items = [item(n, systems=("one", "two")) for n in range(1, 9)]
    campaign = make_campaign(firm, corpus, items, form="pairwise", graders=(firm.lawyer,))
    grade_all(firm, campaign, firm.lawyer, {"preference": 1})

    with organization_scope(firm.organization, user=firm.manager):
        (row,) = grader_rows(campaign=campaign, grades=submitted_grades(campaign=campaign))

    assert {"label": "shown first", "of": {"share": 1.0, "n": 8}} in row["shares"]


def test_a_training_item_is_over_once_it_was_submitted(firm: Firm, corpus: Corpus) -> None:
    training = item(1, kind="training", known={"clarity": 5})
    campaign = make_campaign(firm, corpus, [training], graders=(firm.lawyer,))
    mine = begun(firm, campaign)
    act(firm, firm.lawyer, mine, grades=SIX)

    with pytest.raises(Conflict):
        act(firm, firm.lawyer, mine, grades={"clarity": 5})


def of_gold(firm: Firm, corpus: Corpus) -> tuple[Assignment, GoldQuestion]:
    """An item that came from a gold question, in the hands of the lawyer."""
    acting: Any = {"organization": firm.organization}
    with organization_scope(firm.organization, user=firm.manager):
        gold_set = GoldSet.objects.create(**acting, corpus=corpus, created_by=firm.manager, name="rents")
        question = GoldQuestion.objects.create(
            **acting, gold_set=gold_set, ordinal=1, text="When is rent due?", reference_answer="On day 4."
        )
        wish = Wish(name="Gold", form="correctness", gold_set_id=gold_set.pk, graders=[firm.lawyer.pk])
        campaign = campaign_make(**acting, user=firm.manager, corpus_id=corpus.pk, wish=wish)
    return begun(firm, campaign), question


def reports(firm: Firm) -> list[tuple[str, str]]:
    with organization_scope(firm.organization, user=firm.manager):
        found = GoldReport.objects.select_related("reported_by").order_by("reported_at")
        return [(report.note, report.reported_by.email) for report in found if report.reported_by]


def test_a_wrong_reference_of_a_gold_question_is_reported_to_its_set_once_and_not_while_it_is_typed(
    firm: Firm, corpus: Corpus
) -> None:
    mine, question = of_gold(firm, corpus)
    for typed in ("It", "It is day 5."):
        act(firm, firm.lawyer, mine, Action.DRAFT, reference_note=typed)
    assert reports(firm) == []
    for _ in range(2):
        act(firm, firm.lawyer, mine, grades={"correctness": 1}, reference_note="It is day 5.")

    assert reports(firm) == [("It is day 5.", firm.lawyer.email)]
    with organization_scope(firm.organization, user=firm.manager):
        assert GoldReport.objects.get().question_id == question.pk


def test_an_item_that_is_skipped_reports_its_wrong_reference_and_a_removed_question_stops_nobody(
    firm: Firm, corpus: Corpus
) -> None:
    mine, question = of_gold(firm, corpus)
    act(firm, firm.lawyer, mine, Action.SKIP, reference_note="It is day 5.")
    assert reports(firm) == [("It is day 5.", firm.lawyer.email)]
    with organization_scope(firm.organization, user=firm.manager):
        question.delete()
    after = act(firm, firm.lawyer, mine, grades={"correctness": 1}, reference_note="It is day 6.")

    assert (after.state, after.reference_note) == ("submitted", "It is day 6.")
