"""What comes of grades: figures, adjudication, and files from which the same state is made again."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from judging.campaigns.exports import campaign_lines, long_rows, wide_table
from judging.campaigns.figures import agreement_rows, grader_rows, progress_rows, submitted_grades
from judging.campaigns.items import item_rows_read
from judging.campaigns.lead import Wish, blinded_check, campaign_make, flagged_rows
from judging.campaigns.rubrics import CANNOT_JUDGE, CORRECTNESS, FORMS, PREFERENCE, QUALITY, SUPPORT
from judging.campaigns.services.adjudication import dispute_list, grade_adjudicate
from judging.campaigns.services.campaigns import Plan
from judging.campaigns.services.grading import Action
from judging.models import Assignment, Campaign, CampaignGrader, GoldSet
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from tests.judging.campaigns.office import SIX, act, grade_all, item, lines, make_campaign, next_of
from tests.pages import one_line
from tests.people import Firm

LAWYER = {1: 5, 2: 4, 3: 2, 4: 3}
ANNOTATOR = {1: 5, 2: 3, 3: 4, 4: CANNOT_JUDGE}


@pytest.mark.parametrize(
    ("criterion", "values", "differs"),
    [
        (CORRECTNESS, [5, 4], False),
        (CORRECTNESS, [4, 3], True),  # the other side of 4
        (CORRECTNESS, [3, 1], True),  # a range of 2
        (CORRECTNESS, [2, 1], False),
        (CORRECTNESS, [3], False),
        (QUALITY, [8, 4], False),
        (QUALITY, [8, 3], True),  # 5 of 9 steps
        (SUPPORT, [4, 3], True),
        (SUPPORT, [3, 2], False),
        (PREFERENCE, [1, 3], True),
        (PREFERENCE, [2, 2], False),
    ],
)
def test_grades_differ_by_half_the_scale_or_across_the_point_that_passes(
    criterion: Any, values: list[int], *, differs: bool
) -> None:
    assert criterion.differs(values) is differs


def test_every_point_of_every_form_has_words_an_example_and_a_key_of_its_own() -> None:
    for form in FORMS.values():
        for criterion in form.criteria:
            assert all(point.words and point.example for point in criterion.points)
            assert len({point.key for point in criterion.points}) == len(criterion.points)


ONE_ANSWER: dict[str, Any] = {"question": "Due?", "reference_answer": "", "answers": [{"text": "No.", "passages": []}]}
TWO_ANSWERS = {**ONE_ANSWER, "answers": ONE_ANSWER["answers"] * 2}


def adjudicated(firm: Firm, campaign: Campaign) -> None:
    decided = {"criterion": "correctness", "answer": 0, "value": 4, "reason": "So it says."}
    with organization_scope(firm.organization, user=firm.manager):
        grade_adjudicate(**firm.by_manager, campaign_id=campaign.pk, item=1, decided=decided)


@pytest.fixture
def campaign(firm: Firm, corpus: Corpus) -> Campaign:
    """Four items, two graders, one hidden check; notes, a flag, and a word on a reference."""
    items = [item(n, question_type="short" if n < 3 else "long", reference_answer="Day 9.") for n in range(1, 5)]
    items.append(item(5, kind="check", known={"correctness": 5}))
    people = (firm.lawyer, firm.annotator)
    campaign = make_campaign(firm, corpus, items, form="correctness", graders=people, overlap=2)
    grade_all(firm, campaign, firm.lawyer, lambda a: {"correctness": LAWYER.get(a.item.ordinal, 5)})
    grade_all(firm, campaign, firm.annotator, lambda a: {"correctness": ANNOTATOR.get(a.item.ordinal, 4)})
    with organization_scope(firm.organization, user=firm.annotator):
        third = Assignment.objects.get(campaign=campaign, item__ordinal=3, grader__user=firm.annotator)
    act(firm, firm.annotator, third, Action.DRAFT, note="Day 3.", is_flagged=True, reference_note="It is day 3.")
    return campaign


def test_figures_of_progress_agreement_and_graders(firm: Firm, campaign: Campaign) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        grades = submitted_grades(campaign=campaign)
        progress = progress_rows(campaign=campaign)
        (agreed,) = agreement_rows(campaign=campaign, grades=grades)
        rows = {row["person"]: row for row in grader_rows(campaign=campaign, grades=grades)}
        (flagged,) = flagged_rows(campaign=campaign)

    assert [(r["question_type"], r["n_items"], r["submitted"], r["needed"], r["met"]) for r in progress] == [
        ("long", 2, 4, 4, 2),
        ("short", 2, 4, 4, 2),
    ]
    assert agreed["n"] == 3, "of the fourth item one of the two says that they cannot judge"
    assert agreed["percent"] == pytest.approx(1 / 3)
    lawyer, annotator = rows[firm.lawyer.name], rows[firm.annotator.name]
    assert (lawyer["done"], lawyer["mean"], lawyer["cannot_judge"]) == (5, 3.5, 0)
    assert lawyer["spread"] == pytest.approx(1.2909944)  # of 5, 4, 2, 3
    assert (annotator["mean"], annotator["cannot_judge"]) == (4.0, 1)
    shares = {share["label"]: share["of"] for share in annotator["shares"]}
    assert shares == {
        "others": {"share": 1 / 3, "n": 3},
        "self": None,
        "shown first": None,
        "checks": {"share": 0.0, "n": 1},
    }
    assert (flagged["item"], flagged["reference_note"]) == (3, "It is day 3.")


def test_a_lead_who_grades_sees_nothing_of_others_until_the_repeats_are_graded_too(firm: Firm, corpus: Corpus) -> None:
    items = [item(n) for n in range(1, 3)]
    campaign = make_campaign(firm, corpus, items, graders=(firm.manager,), repeat_percent=100)

    def check() -> None:
        with organization_scope(firm.organization, user=firm.manager):
            blinded_check(campaign=campaign, user=firm.manager)

    for _ in range(3):  # two items, and the first repeat
        given = next_of(firm, campaign, firm.manager)
        assert given is not None
        act(firm, firm.manager, given, grades=SIX)
        with pytest.raises(Conflict):
            check()
    last = next_of(firm, campaign, firm.manager)
    assert last is not None
    assert last.is_repeat
    with pytest.raises(Conflict):
        check()
    act(firm, firm.manager, last, grades=SIX)
    check()


def test_disputes_come_without_names_and_an_outcome_is_shown_beside_the_grades(firm: Firm, campaign: Campaign) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        first, second = dispute_list(campaign=campaign)
        assert [(d.item.ordinal, d.span) for d in (first, second)] == [(3, 2), (2, 1)]
        assert sorted(letter for letter, _, _ in first.grades) == ["A", "B"]
        assert sorted((value, note) for _, value, note in first.grades) == [(2, ""), (4, "Day 3.")]
        decided = {"criterion": "correctness", "answer": 0, "value": 4, "reason": "Day 3 is right."}
        acting: Any = {"organization": firm.organization, "user": firm.manager, "campaign_id": campaign.pk}
        before = long_rows(campaign=campaign)
        grade_adjudicate(**acting, item=3, decided=decided)
        waiting = [d.item.ordinal for d in dispute_list(campaign=campaign) if d.outcome is None]
        after = long_rows(campaign=campaign)
        with pytest.raises(ApplicationError):
            grade_adjudicate(**acting, item=2, decided=decided | {"reason": " "})

    assert waiting == [2]
    assert [row["value"] for row in after] == [row["value"] for row in before]
    assert {row["adjudicated"] for row in after if row["item"] == 3} == {4}


def test_long_and_wide_tables_name_the_configuration_and_graders_by_pseudonym(firm: Firm, campaign: Campaign) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        rows = long_rows(campaign=campaign)
        header, wide = wide_table(campaign=campaign)

    assert len(rows) == len(wide) == 10
    assert {row["configuration"] for row in rows} == {"System-Gamma"}
    assert {row["grader"] for row in rows} == {"G1", "G2"}
    assert {(row["rubric_version"], row["order_seed"]) for row in rows} == {(1, 7)}
    unjudged = [row for row in rows if row["status"] == "cannot_judge"]
    assert [(row["item"], row["value"]) for row in unjudged] == [(4, None)]
    values = {(row[0], row[header.index("grader")]): row[header.index("correctness")] for row in wide}
    assert len({values[3, "G1"], values[3, "G2"]} & {2, 4}) == 2


def test_the_figures_of_all_graders_look_at_each_grade_once(firm: Firm, campaign: Campaign) -> None:
    class Counted(list[Any]):
        n = 0

        def __iter__(self) -> Any:
            self.n += 1
            return super().__iter__()

    with organization_scope(firm.organization, user=firm.manager):
        grades = Counted(submitted_grades(campaign=campaign))
        assert len(grader_rows(campaign=campaign, grades=grades)) == 2

    assert grades.n == 1


def test_an_exported_campaign_makes_the_same_state_again(firm: Firm, corpus: Corpus, campaign: Campaign) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        acting: Any = {"organization": firm.organization, "user": firm.manager}
        decided = {"criterion": "correctness", "answer": 0, "value": 4, "reason": "Day 3 is right."}
        grade_adjudicate(**acting, campaign_id=campaign.pk, item=3, decided=decided)
        lines = list(campaign_lines(campaign=campaign))
        wish = Wish(name="Again", form="criteria", file="".join(lines))
        again = campaign_make(**acting, corpus_id=corpus.pk, wish=wish)
        lines_again = list(campaign_lines(campaign=again))
        rows, rows_again = long_rows(campaign=campaign), long_rows(campaign=again)

    assert lines_again[1:] == lines[1:]
    assert json.loads(lines_again[0]) == json.loads(lines[0]) | {"name": "Again"}
    assert [row | {"campaign": ""} for row in rows_again] == [row | {"campaign": ""} for row in rows]
    assert firm.lawyer.name not in "".join(lines), "people are pseudonyms in a file"


def test_graders_that_are_chosen_for_an_exported_campaign_grade_on_in_it_by_its_own_form_and_plan(
    firm: Firm, rivals: Firm, corpus: Corpus, campaign: Campaign
) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        file, plan = "".join(campaign_lines(campaign=campaign)), Plan(lease_minutes=5)
        wish = Wish(name="Again", form="criteria", file=file, graders=[firm.annotator.pk], plan=plan)
        again = campaign_make(**firm.by_manager, corpus_id=corpus.pk, wish=wish)
        graders = CampaignGrader.objects.filter(campaign=again)

        assert dict(graders.values_list("name", "user")) == {"G1": None, "G2": None, "G3": firm.annotator.pk}
        assert (again.form, again.lease_minutes) == (campaign.form, campaign.lease_minutes)
        stranger = replace(wish, name="Strange", graders=[rivals.lawyer.pk])
        with pytest.raises(ApplicationError, match="Graders must be members"):
            campaign_make(**firm.by_manager, corpus_id=corpus.pk, wish=stranger)


@pytest.mark.parametrize(
    ("record", "change"),
    [
        ("campaign", {"form": None}),
        ("campaign", {"seed": "many"}),
        ("item", {"content": {"question": "Due?"}}),
        ("item", {"sources": [{"gold_question": "q1"}]}),
        ("item", {"ordinal": 1}),  # twice
        ("assignment", {"item": 99}),
        ("campaign", {"repeat_percent": 500}),
        ("campaign", {"lease_minutes": 10**6}),
        ("grader", {"name": ["Ann"]}),
        ("item", {"content": TWO_ANSWERS}),
        ("item", {"content": {**ONE_ANSWER, "reference_answer": {"x": 1}}}),
        ("item", {"sources": []}),
        ("item", {"sources": [{"experiment_answer": "x", "experiment": "x", "system": "x"}]}),
        ("item", {"sources": [{"experiment_answer": "00000000-0000-4000-8000-000000000000"}]}),
        ("item", {"known": [1]}),
        ("item", {"known": {"zzz": 1}}),
        ("item", {"kind": "zzz"}),
        ("item", {"needed": -1}),
        ("item", {"question_type": ["a"]}),
        ("assignment", {"answer_order": "x"}),
        ("assignment", {"answer_order": [99]}),
        ("assignment", {"answer_order": [False]}),
        ("assignment", {"seconds": float("nan")}),
        ("assignment", {"seconds": float("1e300")}),
        ("assignment", {"state": "zzz"}),
        ("assignment", {"submissions": -5}),
        ("grade", {"criterion": "zzz"}),
        ("grade", {"answer": 99}),
        ("grade", {"value": 9}),
        ("grade", {"value": 10**400}),
        ("adjudication", {"criterion": "zzz"}),
        ("adjudication", {"answer": 77}),
        ("adjudication", {"value": 9}),
    ],
)
def test_a_campaign_file_that_does_not_fit_is_refused_and_leaves_no_campaign(
    record: str, change: dict[str, Any], firm: Firm, corpus: Corpus, campaign: Campaign
) -> None:
    adjudicated(firm, campaign)
    with organization_scope(firm.organization, user=firm.manager):
        rows = [json.loads(line) for line in campaign_lines(campaign=campaign)]
        changed = [row | change if row["record"] == record else row for row in rows]
        wish = Wish(name="Again", form="criteria", file="\n".join(map(json.dumps, changed)))
        with pytest.raises(ApplicationError):
            campaign_make(**firm.by_manager, corpus_id=corpus.pk, wish=wish)
        assert [kept.name for kept in Campaign.objects.all()] == ["Leases"]


@pytest.mark.parametrize(
    ("words", "others", "sentence"),
    [
        (
            '"criterion": "correctness"',
            '"criterion": "charm"',
            "item . has a grade of 'charm' for answer 0, which its form does not ask for. Upload the file as",
        ),
        ('"closed_at": null', '"closed_at": "2024-02-30T09:30:00Z"', "2024-02-30 does not exist. Upload the file as"),
        ('"closed_at": null', '"closed_at": "soon"', "'soon' is not a date. Upload the file as"),
    ],
)
def test_a_record_that_says_what_cannot_be_is_named(
    words: str, others: str, sentence: str, firm: Firm, corpus: Corpus, campaign: Campaign
) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        file = "".join(campaign_lines(campaign=campaign)).replace(words, others)
        wish = Wish(name="Again", form="criteria", file=file)
        with pytest.raises(ApplicationError, match=sentence):
            campaign_make(**firm.by_manager, corpus_id=corpus.pk, wish=wish)


def test_what_was_chosen_for_a_campaign_is_kept_where_its_file_is_refused(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        gold_set = GoldSet.objects.create(organization=firm.organization, corpus=corpus, name="rents")
    sent: dict[str, Any] = {
        "name": "Leases",
        "form": "correctness",
        "source": f"gold:{gold_set.pk}",
        "graders": [firm.lawyer.pk],
    }
    sent |= {"overlap": 1, "overlap_percent": 100, "repeat_percent": 0, "lease_minutes": 30}
    address = reverse("campaign_list", args=[firm.organization.slug, corpus.pk])
    reply = client_of(firm.manager).post(address, sent)
    page = one_line(reply.content.decode())

    assert reply.status_code == 422
    assert "No approved question of this gold set has a reference answer to grade." in page
    assert f'value="gold:{gold_set.pk}" checked>' in page
    assert f'value="{firm.lawyer.pk}" checked>' in page
    assert 'value="file" checked' not in page


def test_a_grader_who_may_not_see_the_corpus_leaves_no_campaign(firm: Firm, corpus: Corpus) -> None:
    wish = Wish(name="Leases", form="criteria", file=lines([item(1)]), graders=[corpus.pk])
    with organization_scope(firm.organization, user=firm.manager):
        with pytest.raises(ApplicationError, match="Graders must be members"):
            campaign_make(**firm.by_manager, corpus_id=corpus.pk, wish=wish)
        assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nonsense", "Line 1: this is not valid JSON"),
        ('{"question": "A?", "answer": "B"}', "there is no key 'answer'"),
        ('{"question": "A?", "answers": []}', "answers must be a list of 1"),
        ('{"question": "", "answers": [{"text": "B"}]}', "question is empty"),
        ('{"question": "A?", "kind": "check", "answers": [{"text": "B"}]}', "known must hold"),
        ('{"question": "A?", "kind": "check", "known": {"correctness": 9}, "answers": [{"text": "B"}]}', "1 to 5"),
    ],
)
def test_a_line_that_is_no_item_is_refused_with_its_number(line: str, problem: str) -> None:
    with pytest.raises(ApplicationError, match=problem):
        item_rows_read(line, form=FORMS["correctness"])


@pytest.mark.parametrize("name", ["campaign_file", "api_campaign_file", "api_campaign_grades"])
def test_grades_that_leave_the_product_are_noted_by_whichever_door(
    firm: Firm, campaign: Campaign, client_of: Callable[[User], Client], name: str
) -> None:
    is_page = not name.startswith("api_")
    address = reverse(name, kwargs={"campaign_id": campaign.pk} | ({"slug": firm.organization.slug} if is_page else {}))
    headers: Any = {} if is_page else firm.bearer(firm.manager, *TokenScope)

    reply: Any = (client_of(firm.manager) if is_page else Client()).get(address, headers=headers)

    assert reply.status_code == 200
    with organization_scope(firm.organization, user=firm.owner):
        [event] = AuditEvent.objects.filter(organization=firm.organization, action="campaign.exported")
    assert event.actor_id == firm.manager.pk
