"""The pages, the endpoints and the command of experiments: one result, three ways to it."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from judging.experiments.grading import item_of, judgments_store, sittings
from judging.experiments.results import results_document, results_read
from judging.experiments.settings import SEED, experiment_settings
from judging.judges.asking import warning_of
from judging.judges.types import Judgment, Status
from judging.models import Experiment, GoldQuestion
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.common.revision import SCORING, code_revision, package_versions
from legalqa.llm.types import Role
from tests.judging.experiments.conftest import Garden
from tests.legalqa.llm.setting_up import set_up
from tests.pages import path_of


@pytest.fixture
def browser(garden: Garden, client_of: Callable[[User], Client]) -> Client:
    return client_of(garden.firm.manager)


def address(garden: Garden, name: str, *ids: Any) -> str:
    return reverse(name, args=[garden.firm.organization.slug, *ids])


def form(garden: Garden, **more: Any) -> dict[str, Any]:
    return {
        "gold_set": str(garden.gold_set.pk),
        "presets": ["naive", "fixed-3"],
        "generators": ["quoted"],
        "measures": ["answer_rate", "abstention"],
        "repeats": "1",
        **more,
    }


def run(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("experiment", "run", *arguments, "--json", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_what_it_takes_is_said_before_it_starts_and_then_it_starts(garden: Garden, browser: Client) -> None:
    new = address(garden, "experiment_start", garden.corpus.pk)

    asked = browser.post(new, form(garden, estimate="1"))
    assert "6 answers" in asked.content.decode()
    with garden.scope():
        assert not Experiment.objects.exists()

    started = browser.post(new, form(garden))
    assert started.status_code == 302
    page = browser.get(path_of(started.headers["Location"])).content.decode()
    assert "Waiting" in page and "All measures" not in page


def test_the_page_of_an_ended_experiment_has_a_row_for_each_preset_and_says_what_it_was_made_from(
    garden: Garden, browser: Client
) -> None:
    experiment = garden.ended("naive", "fixed-3", measures=["answer_rate", "abstention"])

    page = browser.get(address(garden, "experiment_detail", experiment.pk)).content.decode()

    assert "All measures" in page and "Baseline" in page
    assert page.count('<th scope="row">') == 2
    assert f"encoder {garden.corpus.encoder}" in page
    assert experiment.provenance["packages"] == package_versions()
    assert experiment.provenance["seed"] == experiment.report["seed"] == SEED
    assert experiment.provenance["scoring_code"] == code_revision(SCORING) != experiment.provenance["code"]
    reported = datetime.fromisoformat(experiment.provenance["reported_at"])
    assert reported >= experiment.created_at.replace(microsecond=0)
    results = browser.get(f"{address(garden, 'experiment_detail', experiment.pk)}results/").content.decode()
    assert f"torch {package_versions()['torch']}" in results
    assert f"{reported.day} {reported:%B %Y, %H:%M} UTC" in results and "+00:00" not in results
    assert results.count("<dt>Seed</dt>") == 1
    listed = browser.get(address(garden, "experiment_list", garden.corpus.pk)).content.decode()
    assert experiment.name in listed and "0 significant differences" in listed
    home = browser.get(address(garden, "judging_home", garden.corpus.pk)).content.decode()
    assert "1 experiment, 1 with results" in home and "1 gold set, 3 questions" in home


def test_the_list_of_experiments_has_pages_and_judging_counts_all(garden: Garden, browser: Client) -> None:
    oldest = garden.begin("naive", name="Oldest")
    of = {"organization": garden.firm.organization, "corpus": garden.corpus, "gold_set": garden.gold_set}
    with garden.scope():
        for n in range(50):
            Experiment.objects.create(**of, name=f"Later {n}", settings=oldest.settings)

    address_of_list = address(garden, "experiment_list", garden.corpus.pk)
    first, second = (browser.get(address_of_list, {"page": n}).content.decode() for n in (1, 2))
    assert ("Later 49" in first, "Oldest" in first, "Page 1 of 2" in first) == (True, False, True)
    assert "Oldest" in second
    home = browser.get(address(garden, "judging_home", garden.corpus.pk)).content.decode()
    assert "51 experiments" in home


def test_a_corpus_without_experiments_says_what_one_is_for(garden: Garden, browser: Client) -> None:
    assert "No experiment yet" in browser.get(address(garden, "experiment_list", garden.corpus.pk)).content.decode()


def test_a_form_that_does_not_fit_comes_back_with_a_sentence(garden: Garden, browser: Client) -> None:
    wrong = browser.post(
        address(garden, "experiment_start", garden.corpus.pk), form(garden, changes="policy-copilot reranker")
    )

    assert wrong.status_code == 422
    assert "is not of the form key=value" in wrong.content.decode()


def test_a_program_starts_one_and_reads_the_rows_of_its_result(garden: Garden, client: Client) -> None:
    headers = garden.firm.bearer(garden.firm.manager, TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE)
    body = {"gold_set_id": str(garden.gold_set.pk), "presets": ["naive"], "grid": {"k": ["1", "3"]}}
    started = client.post(
        reverse("api_experiment_list", args=[garden.corpus.pk]), body, content_type="application/json", headers=headers
    )
    assert (started.status_code, started.json()["state"], started.json()["total"]) == (202, "queued", 6)

    garden.work(Experiment(pk=started.json()["id"]))
    found = client.get(reverse("api_experiment_detail", args=[started.json()["id"]]), headers=headers).json()

    assert (found["state"], found["done"]) == ("done", 6)
    row = found["report"]["rows"][0]
    assert (row["preset"], row["metric"], row["n"], row["undefined"]) == ("naive k=1", "right", 3, 0)


def test_the_command_runs_one_to_its_end_and_prints_its_rows(garden: Garden) -> None:
    found = run("garden", "--presets", "naive,cited-or-silent", "--measures", "abstention")

    assert [(row["preset"], row["metric"], row["value"]) for row in found["rows"]] == [
        ("naive", "abstention", 0.0),
        ("cited-or-silent", "abstention", 1.0),
    ]
    assert found["gold_set"] == "garden"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobody", "--presets", "naive"], "There is no gold set 'nobody'"),
        (["garden", "--presets", "naive", "--grid", "k"], "'k' is not of the form key=value"),
        (["garden", "--presets", "naive", "--grid", "k=3,5", "k=7"], "'k' is given twice"),
        (["garden", "--presets", "naive", "--budget", "much"], "The budget 'much' is not a number"),
    ],
)
def test_the_command_refuses_in_a_sentence(garden: Garden, arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence) as refused:
        run(*arguments)
    assert refused.value.returncode == 2


def test_a_judge_that_would_read_its_own_answers_is_named_before_the_start_and_beside_the_figures(
    garden: Garden, browser: Client
) -> None:
    set_up(garden.firm, "http://localhost:1", role=Role.ANSWER, model="m-1")
    set_up(garden.firm, "http://localhost:1", role=Role.JUDGE, model="M-1")
    new, own = address(garden, "experiment_start", garden.corpus.pk), {"generators": ["written"], "judges": ["custom2"]}
    warning = "M-1 writes answers and judges them, too"

    assert warning in browser.post(new, form(garden, **own, estimate="1")).content.decode()
    assert warning not in browser.post(new, form(garden, judges=["custom2"], estimate="1")).content.decode()
    started = browser.post(new, form(garden, **own))
    assert warning in browser.get(path_of(started.headers["Location"])).content.decode()


def test_values_by_a_model_on_its_own_answers_are_counted_beside_the_figures(garden: Garden, browser: Client) -> None:
    experiment = garden.ended("naive")
    with garden.scope():
        (sitting, *others) = sittings(experiment=experiment, judges=["custom2"], cells=["naive"])
        item = replace(item_of(sitting, corpus=garden.corpus_now()), gold_model="openai/m-1")
        said = Judgment("correctness", 0, 1.0, Status.JUDGED, warning=warning_of("m-1", item, 0))
        judgments_store(sitting=sitting, judgments=[said])
        judgments_store(sitting=others[0], judgments=[Judgment("correctness", 0, 0.5, Status.JUDGED)])
        stored = results_read(experiment=experiment)
        experiment.report = results_document(settings=experiment_settings(presets=["naive"]), stored=stored)
        experiment.save()
    page = browser.get(address(garden, "experiment_detail", experiment.pk)).content.decode()
    assert "1 of 2 values of custom2: m-1 judges by a gold set that it wrote itself." in page


def test_a_judge_is_told_which_model_wrote_the_question(garden: Garden) -> None:
    experiment = garden.ended("naive")
    with garden.scope():
        GoldQuestion.objects.filter(gold_set=garden.gold_set).update(written_by="openai/m-1")
        (sitting, *_) = sittings(experiment=experiment, judges=["length"], cells=["naive"])
        assert item_of(sitting, corpus=garden.corpus_now()).gold_model == "openai/m-1"


def test_a_gold_set_that_an_experiment_uses_is_kept_until_that_is_removed(garden: Garden, browser: Client) -> None:
    experiment = garden.ended("naive")
    token = garden.firm.bearer(garden.firm.manager, TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE)

    api = reverse("api_gold_set_detail", args=[garden.gold_set.pk])

    page = browser.post(address(garden, "gold_set_remove", garden.gold_set.pk), follow=True).content.decode()
    refused = browser.delete(api, headers=token)

    assert "1 experiment uses this gold set and would be lost with it. Remove that experiment first" in page
    assert (refused.status_code, refused.json()["code"]) == (409, "gold_set_used")
    with garden.scope():
        assert Experiment.objects.filter(pk=experiment.pk).exists()
    browser.post(address(garden, "experiment_remove", experiment.pk))
    assert browser.delete(api, headers=token).status_code == 204


def test_removing_an_experiment_is_asked_about_first(garden: Garden, browser: Client) -> None:
    experiment = garden.ended("naive")

    page = browser.get(address(garden, "experiment_detail", experiment.pk)).content.decode()

    before, _, _ = page.partition(address(garden, "experiment_remove", experiment.pk))
    assert before.count("<details") == before.count("</details>") + 1
    assert "Its answers and scores go with it." in page
