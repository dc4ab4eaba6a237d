"""Solved cases given to a model that writes: their supports or the cases as a whole, as context, never a source."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.pages.settings import prompts_used
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.cases.services import case_review
from retrieval.models import CaseEntry
from retrieval.pipelines.presets import preset_get
from tests.legalqa.answering.writing import shown, statement, writes
from tests.legalqa.llm.setting_up import set_up
from tests.pages import one_line
from tests.people import signed_in
from tests.provider import ScriptedProvider
from tests.retrieval.cases.conftest import Base, base

__all__ = ["base"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sdk")]
QUESTION = "How often must a hiring tool be audited for bias?"
RULE = "An employer must have every hiring tool audited for bias within one year before its use."
OF_A_CASE = "In Smith v The State of New South Wales (2015), no drugs were found."  # of a support on a text of its own
SOLVED = "It was not, without reasonable grounds."  # and the answer that it supported


@pytest.fixture
def model(base: Base, db: None, settings: Settings, scripted_provider: ScriptedProvider) -> ScriptedProvider:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(base.firm, scripted_provider.url)
    scripted_provider.always = writes(statement(RULE))
    return scripted_provider


EVERY = "-1"  # a floor that leaves each case in


def ask(base: Base, **changes: str) -> Answer:
    changed = {"cases.floor": EVERY} | {name.replace("__", "."): value for name, value in changes.items()}
    return question_ask(question=Question(**base.acting, text=QUESTION, preset=preset_get("casebase", changed)))


def given(model: ScriptedProvider) -> str:
    """The solved cases as the model was given them; "" where it was given none."""
    content = str(model.asked[-1].body["messages"][1]["content"])
    return content.partition(' solved="cases">')[2]


def note(base: Base, answer: Answer) -> str:
    with organization_scope(base.firm.organization, user=base.firm.owner):
        return str(next(step for step in answer.trace if step["step"] == "write").get("note", ""))


@pytest.mark.parametrize(
    ("context", "prompt", "has_answer", "has_entities"),
    [
        ("support", "answer_cited_snippets@1", False, False),
        ("case", "answer_cited_cases@1", True, False),
        ("full", "answer_cited_cases@1", True, True),
    ],
)
def test_the_model_reads_as_much_of_the_cases_as_the_settings_say(
    base: Base, model: ScriptedProvider, context: str, prompt: str, has_answer: bool, has_entities: bool
) -> None:
    answer = ask(base, cases__context=context)
    cases = given(model)

    assert OF_A_CASE in cases
    assert (SOLVED in cases, "Entities: " in cases) == (has_answer, has_entities)
    assert (answer.generation["prompt"], answer.generation["n_cases"]) == (prompt, 3)
    assert note(base, answer).startswith("With 3 solved cases as context, ")
    with organization_scope(base.firm.organization, user=base.firm.owner):
        assert [used["name"] for used in prompts_used(answer)] == [prompt]
        assert prompts_used(answer)[0]["text"]
        assert shown(answer_document(answer=answer)) == [RULE]


def test_a_case_that_is_not_like_the_question_is_not_given(base: Base, model: ScriptedProvider) -> None:
    ask(base, cases__floor="0.37")

    assert "How often must an employer audit a hiring tool?" in given(model)
    assert OF_A_CASE not in given(model)


def test_what_only_a_case_says_is_withheld(base: Base, model: ScriptedProvider) -> None:
    model.always = writes(statement(RULE), statement(OF_A_CASE))
    answer = ask(base)

    assert OF_A_CASE in given(model)
    with organization_scope(base.firm.organization, user=base.firm.owner):
        assert shown(answer_document(answer=answer)) == [RULE]


def test_a_case_that_is_not_in_use_any_more_is_not_given(base: Base, model: ScriptedProvider) -> None:
    with organization_scope(base.firm.organization, user=base.firm.owner):
        for case in CaseEntry.objects.exclude(external_id="audit"):
            acting: Any = {"organization": base.firm.organization, "user": base.firm.owner}
            case_review(**acting, case_id=case.pk, decision="reject")
    assert ask(base).generation["n_cases"] == 1
    assert OF_A_CASE not in given(model)


def test_cases_that_are_kept_from_the_model_are_beside_the_answer_all_the_same(
    base: Base, model: ScriptedProvider
) -> None:
    answer = ask(base, cases__context="none")

    assert (given(model), "n_cases" in answer.generation) == ("", False)
    assert answer.made_from["cases"]


def test_without_cases_the_prompt_is_the_usual_one(base: Base, model: ScriptedProvider) -> None:
    question = Question(**base.acting, text=QUESTION, preset=preset_get("cited-or-silent"))
    answer = question_ask(question=question)

    assert given(model) == ""
    assert (answer.generation["prompt"], "n_cases" in answer.generation) == ("answer_cited@2", False)


def post(user: User, base: Base, **fields: str) -> Any:
    form = {"text": QUESTION, "corpus": str(base.corpus.pk), "mode": "written", **fields}
    return signed_in(user).post(reverse("question_ask", args=[base.firm.organization.slug]), form)


def test_the_page_lets_a_person_choose_and_refuses_it_for_a_method_without_cases(
    base: Base, model: ScriptedProvider
) -> None:
    reply = post(base.firm.owner, base, preset="casebase", cases_context="support")
    assert reply.status_code == 302, reply.content.decode()
    with organization_scope(base.firm.organization, user=base.firm.owner):
        answer = Answer.objects.latest("created_at")
    assert "'context': 'support'" in str(answer.pipeline)

    refused = post(base.firm.owner, base, preset="cited-or-silent", cases_context="support")
    assert refused.status_code == 422
    assert "“Cited or silent” compares no solved cases." in one_line(refused.content.decode())


def test_a_program_and_a_command_choose_it_as_any_setting(
    base: Base, model: ScriptedProvider, capsys: pytest.CaptureFixture[str]
) -> None:
    headers: Any = base.firm.bearer(base.firm.owner, TokenScope.QUESTIONS_WRITE)
    settings = {"cases.context": "support", "cases.floor": EVERY, "answer.mode": "written"}
    body = {"corpus_id": str(base.corpus.pk), "text": QUESTION, "preset": "casebase", "set": settings}
    address = reverse("api_question_list")
    reply = Client().post(address, json.dumps(body), content_type="application/json", headers=headers)
    assert reply.status_code in (201, 202), reply.content.decode()
    with organization_scope(base.firm.organization, user=base.firm.owner):
        assert "'context': 'support'" in str(Answer.objects.get(pk=reply.json()["id"]).pipeline)

    model.asked.clear()
    changes = ["cases.context=support", f"cases.floor={EVERY}"]
    options = {"preset": "casebase", "set": changes, "organization": "solvers", "json": True}
    call_command("ask", str(base.corpus.pk), QUESTION, **options)
    assert RULE in capsys.readouterr().out
    assert (OF_A_CASE in given(model), SOLVED in given(model)) == (True, False)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"mode": "quoted", "temperature": "0.5"}, "'temperature' changes nothing where the answer is quoted"),
        ({"mode": "quoted", "cases_context": "support"}, "'cases.context' changes nothing where the answer is quoted"),
        ({"classifier": "off", "complexity": "1"}, "'complexity' changes nothing where it is not detected"),
    ],
)
def test_a_setting_that_changes_nothing_is_refused_and_the_page_switches_it_off(
    fields: dict[str, str], words: str, base: Base, model: ScriptedProvider
) -> None:
    refused = post(base.firm.owner, base, preset="casebase", **fields)
    assert (refused.status_code, words in unescape(refused.content.decode())) == (422, True)

    (beside, value), (name, _) = fields.items()
    asked_on = reverse("question_ask", args=[base.firm.organization.slug])
    page = signed_in(base.firm.owner).get(asked_on).content.decode()
    assert re.search(rf'<(select|input)[^>]* name="{name}"[^>]* data-unless="{beside}={value}"', page)
    assert re.search(rf'<select name="{beside}".*?<option value="{value}"', page, re.DOTALL)
