"""An experiment that has ended never changes: what failed in it is asked again in a new one."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from judging.experiments.services import experiment_remove, experiment_resume
from judging.gold.services.reviewing import gold_question_edit
from judging.models import Experiment, ExperimentAnswer, ExperimentScore, GoldQuestion, Rerun, Review
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.common.errors import Conflict
from tests.judging.experiments.conftest import Garden

SignIn = Callable[[User], Client]
FIRST = "as the judge said first"


@pytest.fixture
def ended(garden: Garden) -> Experiment:
    """An ended experiment, of which one of six answers failed; its judge has cost something."""
    experiment = garden.ended("naive", "fixed-3", judges=["length"], rerun=Rerun.DAILY)
    with garden.scope():
        failed = ExperimentAnswer.objects.filter(experiment=experiment, cell="naive").earliest("question__ordinal")
        ExperimentScore.objects.filter(answer=failed).delete()
        failed.answer = None
        failed.save()
        ExperimentScore.objects.filter(experiment=experiment, judge="length").update(reason=FIRST, cost=1)
        experiment.report["cells"][0]["failed"] = 1
        experiment.save()
    return experiment


def asked_again(garden: Garden, experiment: Experiment) -> Experiment:
    with garden.scope():
        return experiment_resume(
            organization=garden.firm.organization, user=garden.firm.manager, experiment_id=experiment.pk
        )


def run_of(experiment: Experiment) -> tuple[Any, ...]:
    return experiment.report, experiment.provenance, experiment.settings


def test_what_failed_in_an_ended_experiment_is_asked_again_in_a_new_one_and_the_ended_one_stays(
    garden: Garden, ended: Experiment
) -> None:
    with garden.scope():
        Corpus.objects.filter(pk=garden.corpus.pk).update(version=F("version") + 1)

    again = garden.work(asked_again(garden, ended))

    assert again.pk != ended.pk
    assert (again.previous_id, again.settings, again.rerun) == (ended.pk, ended.settings, Rerun.DAILY)
    assert [(cell["n"], cell["failed"], cell["reused"]) for cell in again.report["cells"]] == [(3, 0, 2), (3, 0, 3)]
    before, _ = garden.now(ended)
    assert run_of(before) == run_of(ended)
    assert before.rerun == Rerun.NEVER, "the new one has taken the schedule over"
    with garden.scope():
        assert ExperimentAnswer.objects.filter(experiment=ended, answer=None).count() == 1
    made_from = again.provenance
    assert made_from["taken_over_from"] == str(ended.pk)
    assert made_from["taken_over_corpus_version"] == ended.provenance["corpus_version"] < made_from["corpus_version"]
    assert made_from["taken_over_code"] == ended.provenance["code"]


def test_judges_are_asked_again_only_where_an_answer_to_the_question_had_failed(
    garden: Garden, ended: Experiment
) -> None:
    again = garden.work(asked_again(garden, ended))

    with garden.scope():
        judged = ExperimentScore.objects.filter(experiment=again, judge="length")
        assert judged.count() == 6
        fresh = judged.exclude(reason=FIRST).values_list("answer__question__ordinal", "answer__cell")
        assert set(fresh) == {(0, "naive"), (0, "fixed-3")}
    assert Decimal(again.report["judge_cost"]) == 0, "what was taken over was paid for before"


def test_page_and_endpoint_say_which_answers_failed_and_why_it_cannot_be_repeated(
    garden: Garden, ended: Experiment, client_of: SignIn
) -> None:
    with garden.scope():
        ExperimentAnswer.objects.filter(experiment=ended, answer=None).update(reason="The model did not answer.")
        text = ExperimentAnswer.objects.get(experiment=ended, answer=None).question.text
    page = reverse("experiment_detail", args=[garden.firm.organization.slug, ended.pk])
    assert "cannot be run again" not in client_of(garden.firm.manager).get(page).content.decode()
    with garden.scope():
        GoldQuestion.objects.filter(gold_set=ended.gold_set).update(review=Review.DRAFT)
    html = client_of(garden.firm.manager).get(page).content.decode()
    headers = garden.firm.bearer(garden.firm.manager, TokenScope.CORPORA_READ)
    document = Client().get(f"/api/v1/experiments/{ended.pk}/", headers=headers).json()

    assert "The model did not answer." in html
    assert "cannot be run again as scheduled: The gold set has no approved questions" in html
    assert [(row["question"], row["cell"], row["reason"]) for row in document["failed"]] == [
        (text, "naive", "The model did not answer.")
    ]
    assert document["repeat_refused"].startswith("The gold set has no approved questions")


def test_what_failed_is_asked_again_once(garden: Garden, ended: Experiment) -> None:
    again = asked_again(garden, ended)

    with pytest.raises(Conflict, match="A later experiment asks again"):
        asked_again(garden, ended)
    with pytest.raises(Conflict, match="No answer failed"):
        asked_again(garden, garden.work(again))


def test_an_experiment_stays_until_its_answers_are_taken_over(garden: Garden, ended: Experiment) -> None:
    again = asked_again(garden, ended)
    with garden.scope(), pytest.raises(Conflict, match="taking over"):
        experiment_remove(organization=garden.firm.organization, user=garden.firm.manager, experiment_id=ended.pk)

    garden.work(again)
    with garden.scope():
        experiment_remove(organization=garden.firm.organization, user=garden.firm.manager, experiment_id=ended.pk)
        assert Experiment.objects.get(pk=again.pk).previous is None


def test_the_page_leads_to_the_new_experiment_and_both_name_each_other(
    garden: Garden, ended: Experiment, client_of: SignIn
) -> None:
    browser = client_of(garden.firm.manager)

    def address(name: str, experiment_id: UUID) -> str:
        return reverse(name, args=[garden.firm.organization.slug, experiment_id])

    before = browser.get(address("experiment_detail", ended.pk)).content.decode()
    assert "1 answer failed." in before and "Ask again what failed, in a new experiment" in before
    posted = browser.post(address("experiment_resume", ended.pk))
    with garden.scope():
        again = Experiment.objects.get(previous=ended)
    assert posted.headers["Location"] == address("experiment_detail", again.pk)
    page = browser.get(address("experiment_detail", ended.pk)).content.decode()
    assert address("experiment_detail", again.pk) in page and "Ask again what failed" not in page
    page = browser.get(address("experiment_detail", again.pk)).content.decode()
    assert "taken over from" in page and address("experiment_detail", ended.pk) in page


def test_a_program_gets_the_new_experiment_with_the_id_of_the_ended_one(
    garden: Garden, ended: Experiment, client: Client
) -> None:
    headers = garden.firm.bearer(garden.firm.manager, TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE)
    address = reverse("api_experiment_resume", args=[ended.pk])
    again = client.post(address, content_type="application/json", headers=headers)

    assert again.status_code == 200, again.content
    assert (again.json()["state"], again.json()["report"]) == ("queued", {})
    assert again.json()["previous_id"] == str(ended.pk) != again.json()["id"]


def edit(garden: Garden, **changes: Any) -> None:
    """Edit the second question of the set, and approve it again."""
    of: dict[str, Any] = {"organization": garden.firm.organization, "user": garden.firm.manager}
    with garden.scope():
        question = GoldQuestion.objects.get(gold_set=garden.gold_set, ordinal=1)
        gold_question_edit(**of, question_id=question.pk, changes=changes)
        GoldQuestion.objects.filter(pk=question.pk).update(review=Review.APPROVED)


def judged_again(garden: Garden, experiment: Experiment) -> set[int]:
    """The places of the questions that the judge has judged again."""
    with garden.scope():
        judged = ExperimentScore.objects.filter(experiment=experiment, judge="length")
        assert judged.count() == 6
        return set(judged.exclude(reason=FIRST).values_list("answer__question__ordinal", flat=True))


@pytest.mark.parametrize(
    "changes", [{"question": "Who waters the roses?"}, {"history": ["What grows there?"], "question_type": "follow-up"}]
)
def test_an_answer_to_a_question_that_was_edited_since_is_not_taken_over(
    garden: Garden, ended: Experiment, changes: dict[str, Any]
) -> None:
    edit(garden, **changes)

    again = garden.work(asked_again(garden, ended))

    assert [cell["reused"] for cell in again.report["cells"]] == [1, 2]
    with garden.scope():
        rows = ExperimentAnswer.objects.filter(experiment=again).select_related("answer__question", "question")
        for row in rows:
            assert row.answer is not None and row.answer.question.text == row.question.text
    assert judged_again(garden, again) == {0, 1}


def test_an_answer_by_a_preset_that_is_another_now_is_not_taken_over_and_all_are_judged_together(
    garden: Garden, ended: Experiment
) -> None:
    with garden.scope():
        row = ExperimentAnswer.objects.get(experiment=ended, question__ordinal=1, cell="naive")
        assert row.answer is not None
        row.answer.asked["preset"]["title"] = "Another of that name"
        row.answer.save()
        ExperimentAnswer.objects.filter(pk=row.pk).update(fingerprint="of another")

    again = garden.work(asked_again(garden, ended))

    assert [cell["reused"] for cell in again.report["cells"]] == [1, 3]
    assert judged_again(garden, again) == {0, 1}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"reference_paragraph_ids": ["dogs"]}, {0, 1}),
        ({"reference_answer": "Every third day."}, {0, 1}),
        ({"topic": "roses"}, {0}),
    ],
)
def test_what_was_judged_by_references_that_were_edited_since_is_judged_again(
    garden: Garden, ended: Experiment, changes: dict[str, Any], expected: set[int]
) -> None:
    edit(garden, **changes)

    again = garden.work(asked_again(garden, ended))

    assert [cell["reused"] for cell in again.report["cells"]] == [2, 3], "the answers are still to what is asked"
    assert judged_again(garden, again) == expected


def test_what_another_version_of_the_judge_said_is_judged_again(garden: Garden, ended: Experiment) -> None:
    with garden.scope():
        ended.provenance["judges"]["length"]["version"] = "another"
        ended.save()

    assert judged_again(garden, garden.work(asked_again(garden, ended))) == {0, 1, 2}


def test_the_page_says_that_the_new_experiment_has_the_whole_budget_and_asks_what_was_not_asked(
    garden: Garden, ended: Experiment, client_of: SignIn
) -> None:
    with garden.scope():
        ended.settings["budget"] = "2.50"
        ended.report["is_whole"] = False
        ended.save()

    address = reverse("experiment_detail", args=[garden.firm.organization.slug, ended.pk])
    page = " ".join(client_of(garden.firm.manager).get(address).content.decode().split())

    assert "may cost up to 2.50 again, and asks the questions that were not asked here, too." in page
