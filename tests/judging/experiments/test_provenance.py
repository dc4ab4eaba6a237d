"""A model that judges what it wrote itself is named at the start: in estimate, API and command line."""

from collections.abc import Sequence
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from judging.experiments.figures.pages import provenance_of
from judging.experiments.grading import OTHER_VERSION
from judging.experiments.services import experiment_estimate
from judging.experiments.settings import experiment_settings
from judging.judges.services import judge_save
from judging.models import Experiment, ExperimentScore, GoldQuestion
from legalqa.accounts.scopes import TokenScope
from legalqa.llm.types import Role
from tests.judging.experiments.conftest import Garden
from tests.judging.experiments.test_baselines import gold
from tests.legalqa.answering.writing import QUESTION, Office
from tests.legalqa.llm.setting_up import set_up
from tests.provider import ScriptedProvider, says

NOWHERE = "http://localhost:1"
OWN = "First/m-2 writes answers and judges them, too: choose another judge, or expect high values."


def a_judge(garden: Garden, name: str, model: str) -> None:
    judge_save(
        organization=garden.firm.organization,
        user=None,
        name=name,
        kind="correctness.v1",
        settings={"model": model},
    )


def said(garden: Garden, generators: Sequence[str], judges: Sequence[str]) -> str:
    settings = experiment_settings(presets=["naive"], generators=generators, judges=judges)
    with garden.scope():
        return experiment_estimate(gold_set=garden.gold_set, settings=settings).own_judging


def test_api_and_command_name_the_one_of_two_models_that_is_chosen_to_write_and_to_judge(
    office: Office, scripted_provider: ScriptedProvider, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up(office.firm, scripted_provider.url, model="m-2", place=1)
    set_up(office.firm, scripted_provider.url, role=Role.JUDGE, model="m-2")
    questions = gold(office, QUESTION)
    a_judge(questions, "second", "First/m-2")
    headers = office.firm.bearer(office.firm.manager, TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE)
    body = {"gold_set_id": str(questions.gold_set.pk), "presets": ["prompt-only"], "judges": ["second"]}

    def started(generator: str) -> Experiment:
        address = reverse("api_experiment_list", args=[office.corpus.pk])
        document = body | {"generators": [generator]}
        answer = client.post(address, document, content_type="application/json", headers=headers).json()
        return Experiment(pk=answer["id"], provenance=answer["provenance"])

    assert started("written:m-1").provenance["own_judging"] == ""
    own = started("written:m-2")
    assert own.provenance["own_judging"] == OWN
    scripted_provider.will(says("Interest of five percent."), says("5\nRight."))
    (warning,) = questions.work(own).report["warnings"]
    assert (warning["n"], warning["words"]) == (2, "First/m-2 judges an answer that it wrote itself.")

    scripted_provider.always = says("4\nRight.")
    call_command(
        "experiment",
        "run",
        questions.gold_set.name,
        presets="prompt-only",
        generators="written:m-2",
        judges="second",
        organization=office.firm.organization.slug,
        stdout=StringIO(),
    )
    assert OWN in capsys.readouterr().err


def test_a_judge_is_compared_with_every_model_that_writes_and_each_is_named_once(garden: Garden) -> None:
    for place, model in enumerate(("m-1", "m-2", "m-3")):
        set_up(garden.firm, NOWHERE, model=model, place=place)
    set_up(garden.firm, NOWHERE, role=Role.JUDGE, model="m-9")
    for name, model in (("one", "m-1"), ("two", "first/M-2"), ("two-again", "first/M-2")):
        a_judge(garden, name, model)
    judges = ["one", "two", "two-again", "custom2"]

    both = said(garden, ["written", "written:m-2"], judges)

    assert [sentence.split()[0] for sentence in both.split(". ")] == ["m-1", "first/M-2"]
    assert said(garden, ["written:First/m-2"], judges).startswith("first/M-2 writes answers")
    assert said(garden, ["written:m-3"], judges) == said(garden, ["quoted"], judges) == ""


@pytest.mark.parametrize(
    ("author", "is_said"), [("Other/m-9", True), ("m-9", True), ("m-1", False), ("templates", False)]
)
def test_a_judge_whose_model_wrote_the_questions_is_named(garden: Garden, author: str, is_said: bool) -> None:
    set_up(garden.firm, NOWHERE, role=Role.JUDGE, model="m-9")
    with garden.scope():
        asked = GoldQuestion.objects.filter(gold_set=garden.gold_set).order_by("ordinal")
        GoldQuestion.objects.filter(pk=asked[0].pk).update(written_by=author)

    sentence = "m-9 wrote questions of the gold set and judges by them, too"
    assert said(garden, ["quoted"], ["custom2"]).startswith(sentence) is is_said
    assert said(garden, ["quoted"], ["length"]) == ""


def judging(garden: Garden, provider: ScriptedProvider) -> Experiment:
    """An experiment that the judge "strict" judges by the model m-1, and that waits for a worker."""
    set_up(garden.firm, provider.url, role=Role.JUDGE, model="m-1")
    a_judge(garden, "strict", "")
    provider.always = says("4\nRight.")
    return garden.begin("prompt-only", judges=["strict"], generators=["written"])


def test_a_judge_stays_as_it_was_at_the_start_whatever_is_saved_under_its_name_later(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    questions = gold(office, QUESTION)
    experiment = judging(questions, scripted_provider)
    made = experiment.provenance["judges"]["strict"]
    assert (made["kind"], made["model"], len(made["version"])) == ("correctness.v1", "m-1", 64)

    set_up(questions.firm, scripted_provider.url, role=Role.JUDGE, model="m-2", place=1)
    a_judge(questions, "strict", "First/m-2")
    ended = questions.work(experiment)

    with questions.scope():
        assert ExperimentScore.objects.filter(experiment=experiment, judge="strict", value=4).count() == 1
    assert {asked.body["model"] for asked in scripted_provider.asked} == {"m-1"}
    assert ("Judges", f"strict (m-1, version {made['version'][:8]})") in provenance_of(ended)


def test_a_judge_whose_prompts_have_changed_since_the_start_says_so_in_place_of_values(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    questions = gold(office, QUESTION)
    experiment = judging(questions, scripted_provider)
    with questions.scope():
        experiment.provenance["judges"]["strict"]["version"] = "that of other prompts"
        experiment.save()

    rows = [row for row in questions.work(experiment).report["rows"] if row["judge"] == "strict"]

    assert rows
    for row in rows:
        assert (row["n"], row["statuses"], row["reasons"]) == (0, {"failed": 1}, {OTHER_VERSION: 1})
