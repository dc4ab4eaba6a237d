"""The baselines: what they say unchecked stays in experiments, and the seed's gate and verifier do as they did."""

import json
from decimal import Decimal
from typing import Any

import pytest

from judging.experiments import baselines
from judging.experiments.services import experiment_resume
from judging.gold.services.sets import gold_set_import
from judging.models import Experiment, ExperimentAnswer, GoldSet
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, Claim
from legalqa.answering.strategies import evidence
from legalqa.answering.strategies.registry import strategy_choices, strategy_for, strategy_named
from tests.judging.experiments.conftest import Garden
from tests.judging.gold.reading import gold_rows_read
from tests.legalqa.answering.writing import FAR_OFF, LATE, QUESTION, Office, statement, writes
from tests.provider import ScriptedProvider, says

INVENTED = "The tenant owes interest of nine percent and a fine of 40 euros."


def gold(office: Office, *questions: str) -> Garden:
    rows = gold_rows_read(
        "\n".join(
            json.dumps({"question": text, "reference_answer": "" if text == FAR_OFF else LATE}) for text in questions
        )
    )
    with organization_scope(office.firm.organization, user=office.firm.manager):
        gold_set = gold_set_import(
            organization=office.firm.organization,
            user=office.firm.manager,
            corpus_id=office.corpus.pk,
            name=f"Gold {GoldSet.objects.count()}",
            rows=rows,
        )
    return Garden(office.firm, office.corpus, gold_set)


def value(experiment: Experiment, cell: str, measure: str) -> Any:
    (row,) = (one for one in experiment.report["rows"] if (one["preset"], one["metric"]) == (cell, measure))
    return row["value"]


def test_nobody_is_offered_a_baseline_or_answered_by_one(garden: Garden) -> None:
    baselines = {"prompt-only", "written-unchecked", "policy-copilot", "policy-copilot-quoted"}

    with garden.scope():
        offered = {name for name, _ in strategy_choices(organization=garden.firm.organization)}
    assert not baselines & offered
    for name in baselines:
        assert strategy_named(name) is not None
        assert strategy_for(name, organization=garden.firm.organization).name == "quoted.v1"


def test_the_seed_quotes_the_whole_best_paragraph_where_its_gate_opens(
    garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    presets = ("policy-copilot gate=off", "policy-copilot reranker=off")
    monkeypatch.setattr(baselines, "GATE_COSINE", 1.1)  # no cosine opens it
    experiment = garden.ended(*presets)

    with garden.scope():
        rows = ExperimentAnswer.objects.filter(experiment=experiment, cell=presets[0])
        claims = Claim.objects.filter(answer__in=rows.values("answer")).values_list("text", flat=True)
        assert "The tenant of the garden pays 900 euros on the first day of each month." in list(claims)
    assert [value(experiment, cell, "answer_rate") for cell in presets] == [1.0, 0.0]
    assert [value(experiment, cell, "abstention") for cell in presets] == [0.0, 1.0]


def test_a_baseline_is_as_sure_as_its_gate_and_our_reader_reads_nothing_for_it(
    garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    # That a reader was not asked leaves no trace in an answer.
    monkeypatch.setattr(evidence, "compose", lambda *_, **__: pytest.fail("our reader was asked"))

    experiment = garden.ended("policy-copilot reranker=off")

    with garden.scope():
        rows = (
            ExperimentAnswer.objects.filter(experiment=experiment)
            .select_related("answer")
            .order_by("question__ordinal")
        )
        answers = [row.answer for row in rows if row.answer is not None]
    cosines = [answer.evidence[0]["stages"]["dense.score"] for answer in answers]
    assert [answer.confidence for answer in answers] == pytest.approx([max(0.0, one) for one in cosines], abs=1e-5)
    assert len(answers) == 3


def test_without_a_check_what_a_model_invents_is_said_and_counted_as_ungrounded(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(says(f"{INVENTED} Ask a lawyer."), writes(statement(LATE), statement(INVENTED, LATE)))
    experiment = gold(office, QUESTION).ended("prompt-only", "naive-unchecked", generators=["written"])

    prompt, naive = "prompt-only written", "naive-unchecked written"
    assert value(experiment, prompt, "answer_rate") == value(experiment, naive, "answer_rate") == 1.0
    assert value(experiment, naive, "ungrounded") == 0.5
    assert value(experiment, prompt, "ungrounded") is None, "nothing was retrieved to compare it with"
    assert [cell["is_unchecked"] for cell in experiment.report["cells"]] == [True, True]
    with organization_scope(office.firm.organization, user=None):
        answer = Answer.objects.get(strategy="prompt-only", question__text=QUESTION)
        assert INVENTED in answer.unchecked_text
        assert not Claim.objects.filter(answer=answer, is_shown=True).exists()


def test_the_seeds_verifier_prunes_what_shares_no_number_with_its_paragraph(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(*[writes(statement(LATE), statement(INVENTED, LATE))] * 2)
    presets = ("policy-copilot gate=off", "policy-copilot gate=off verify=off")
    experiment = gold(office, QUESTION).ended(*presets, generators=["written"])

    checked, unchecked = (f"{preset} written" for preset in presets)
    assert value(experiment, checked, "ungrounded") == 0.0
    assert value(experiment, unchecked, "ungrounded") == 0.5


def test_a_model_that_says_it_does_not_know_has_declined(office: Office, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.will(says("I do not know."))
    experiment = gold(office, FAR_OFF).ended("prompt-only", generators=["written"])

    assert value(experiment, "prompt-only written", "abstention") == 1.0


def test_an_answer_that_did_not_come_is_counted_as_failed_and_asked_again_in_another_experiment(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(says("", finish="content_filter"), says("In March."))
    questions = gold(office, "When does the lease end?")
    experiment = questions.ended("prompt-only", generators=["written"])

    assert experiment.report["cells"][0]["failed"] == 1
    assert value(experiment, "prompt-only written", "answer_rate") is None

    with organization_scope(office.firm.organization, user=None):
        again = experiment_resume(organization=office.firm.organization, user=None, experiment_id=experiment.pk)
    again = questions.work(again)
    assert again.report["cells"][0]["failed"] == 0
    assert value(again, "prompt-only written", "answer_rate") == 1.0


def test_the_budget_ends_it_with_what_was_answered(office: Office, scripted_provider: ScriptedProvider) -> None:
    scripted_provider.will(says("Interest of five percent."))
    questions = gold(office, "What is owed by a tenant who is late?", "May a room be sublet?")
    experiment = questions.ended("prompt-only", generators=["written"], budget=Decimal("0.00000001"))

    assert not experiment.report["is_whole"]
    assert experiment.report["cells"][0]["n"] == 1
