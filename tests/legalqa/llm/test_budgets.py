"""Money is set aside before a call and settled after it, whatever is asked at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from pytest_django import Settings

from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scoping import organization_scope
from legalqa.llm.models import BudgetWindow
from legalqa.llm.selectors import budget_list
from legalqa.llm.services.budgets import settings_save
from legalqa.llm.types import Outcome
from tests.legalqa.llm.setting_up import ask, calls, set_up
from tests.people import Firm, make_firm
from tests.provider import ScriptedProvider, fails, says

MOST = 50  # what a call may cost: this many tokens out for a millionth each
ALL_OF_IT = says("Yes.", usage={"prompt_tokens": 1, "completion_tokens": MOST})


def cap(firm: Firm, **caps: int | None) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        settings_save(**firm.by_owner, **caps)


def test_of_a_hundred_questions_at_once_a_budget_for_ten_pays_exactly_ten(
    committed_db: None, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    firm = make_firm("harding", "Harding & Stone")
    settings.LLM_CONCURRENT = 100
    set_up(firm, scripted_provider.url)
    cap(firm, cap_day=10 * MOST)
    scripted_provider.always = ALL_OF_IT

    def question(_: int) -> Outcome:
        try:
            return ask(firm, deadline_s=60.0).outcome
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        outcomes = list(threads.map(question, range(100)))

    charged = [call for call in calls(firm) if call.cost]
    with organization_scope(firm.organization, user=firm.owner):
        windows = list(BudgetWindow.objects.order_by("kind").values_list("kind", "spent", "reserved"))
    assert (outcomes.count(Outcome.OK), outcomes.count(Outcome.QUOTA)) == (10, 90)
    assert (len(charged), len(scripted_provider.asked)) == (10, 10)
    assert windows == [("day", 500, 0), ("month", 500, 0)]


@pytest.mark.parametrize("kind", ["cap_request", "cap_day", "cap_month", "cap_evaluation"])
def test_each_cap_refuses_what_it_does_not_hold(firm: Firm, scripted_provider: ScriptedProvider, kind: str) -> None:
    set_up(firm, scripted_provider.url)
    cap(firm, **{kind: MOST - 1})

    reply = ask(firm, is_evaluation=True)

    assert (reply.outcome, scripted_provider.asked) == (Outcome.QUOTA, [])
    assert [(call.outcome, call.cost, call.reason) for call in calls(firm)] == [("quota", 0, reply.reason)]


def test_what_was_set_aside_and_not_needed_is_free_again(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    cap(firm, cap_day=MOST)
    scripted_provider.will(fails(404), says("Yes.", usage={"prompt_tokens": 1, "completion_tokens": 0}), ALL_OF_IT)

    outcomes = [ask(firm).outcome for _ in range(4)]

    assert outcomes == [Outcome.UNAVAILABLE, Outcome.OK, Outcome.OK, Outcome.QUOTA]


def test_evaluations_do_not_eat_into_what_they_are_not_counted_in(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url)
    cap(firm, cap_evaluation=MOST)
    scripted_provider.will(ALL_OF_IT, ALL_OF_IT)

    outcomes = [ask(firm, is_evaluation=is_evaluation).outcome for is_evaluation in (True, True, False)]

    assert outcomes == [Outcome.OK, Outcome.QUOTA, Outcome.OK]


def test_a_person_asks_so_often_a_minute_and_no_oftener(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    cap(firm, calls_per_minute=2)
    scripted_provider.always = says("Yes.")

    outcomes = [ask(firm).outcome for _ in range(3)]

    assert outcomes == [Outcome.OK, Outcome.OK, Outcome.QUOTA]


def test_four_fifths_of_a_budget_are_told_once(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    cap(firm, cap_day=4 * MOST)
    scripted_provider.will(*[ALL_OF_IT] * 4)

    for _ in range(4):
        ask(firm)

    with organization_scope(firm.organization, user=firm.owner):
        told = AuditEvent.objects.filter(action="budget.alerted")
        assert [event.details for event in told] == [{"budget": "day", "cap": "0.0002"}]
        [day, *_] = budget_list(organization=firm.organization)
    assert (day.percent, day.is_nearly_used) == (100, True)
