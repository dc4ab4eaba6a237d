"""An experiment from its start to its table: sliced, stopped, resumed, reused, repeated, and kept to itself."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import F
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from corpora.models import Corpus
from judging.experiments.grading import item_of, sittings
from judging.experiments.services import (
    EXPERIMENTS,
    experiment_estimate,
    experiment_remove,
    experiment_resume,
    experiments_repeat,
)
from judging.experiments.settings import experiment_settings
from judging.models import Experiment, ExperimentAnswer, ExperimentScore, GoldQuestion
from judging.models.gold import Review
from legalqa.accounts.models import AuditEvent, User
from legalqa.answering.models import Answer, Purpose
from legalqa.answering.selectors import answer_list
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.revision import code_revision
from legalqa.jobs.models import JobState, Lane
from legalqa.webhooks.models import Delivery
from legalqa.webhooks.services import webhook_create
from tests.judging.experiments.conftest import Garden

SignIn = Callable[[User], Client]


@pytest.fixture
def inside(garden: Garden) -> Iterator[Garden]:
    with garden.scope():
        yield garden


def stored(experiment: Experiment) -> dict[tuple[str, str, int], Any]:
    """The id of each answer, by question, cell and repeat."""
    rows = ExperimentAnswer.objects.filter(experiment=experiment)
    return {(row.question.text, row.cell, row.repeat): row.answer_id for row in rows.select_related("question")}


def value(experiment: Experiment, cell: str, measure: str) -> float | None:
    (row,) = (one for one in experiment.report["rows"] if (one["preset"], one["metric"]) == (cell, measure))
    found: float | None = row["value"]
    return found


def test_every_question_is_asked_of_every_preset_and_the_table_says_what_they_did(garden: Garden) -> None:
    experiment = garden.ended("naive", "cited-or-silent")

    assert [cell["key"] for cell in experiment.report["cells"]] == ["naive", "cited-or-silent"]
    assert (value(experiment, "naive", "answer_rate"), value(experiment, "naive", "abstention")) == (1.0, 0.0)
    assert value(experiment, "cited-or-silent", "abstention") == 1.0
    assert value(experiment, "naive", "recall@5") == 1.0
    with garden.scope():
        assert len(stored(experiment)) == 6
    assert garden.now(experiment)[1].state == JobState.DONE


def test_answers_of_an_experiment_are_in_nobodys_history_and_are_one_line_of_the_audit(garden: Garden) -> None:
    garden.ended("naive")

    with garden.scope():
        assert Answer.objects.filter(purpose=Purpose.EXPERIMENT).count() == 3
        assert not answer_list(organization=garden.firm.organization, user=garden.firm.manager).exists()
        assert not answer_list(organization=garden.firm.organization, user=None).exists()
        actions = list(AuditEvent.objects.values_list("action", flat=True))
    assert actions.count("experiment.started") == 1
    assert "question.asked" not in actions


def test_it_takes_the_turns_that_other_work_leaves(garden: Garden) -> None:
    assert garden.now(garden.begin("naive"))[1].lane == Lane.SPARE


def test_stopped_half_way_it_resumes_with_what_is_missing_and_computes_nothing_twice(
    garden: Garden, settings: Settings
) -> None:
    settings.JOB_SLICE_S = 0  # an answer a slice
    experiment = garden.begin("naive", "fixed-3")
    garden.work(experiment, slices=2)
    with garden.scope():
        half = stored(experiment)
        assert len(half) == Answer.objects.filter(purpose=Purpose.EXPERIMENT).count() == 2
    assert garden.now(experiment)[1].cursor == 2

    whole = garden.work(experiment)

    assert whole.report["is_whole"]
    with garden.scope():
        found = stored(whole)
        assert {key: found[key] for key in half} == half
        assert len(found) == Answer.objects.filter(purpose=Purpose.EXPERIMENT).count() == 6


def test_cancelled_it_keeps_what_was_answered_and_can_be_resumed(garden: Garden) -> None:
    experiment = garden.begin("naive")
    with garden.scope():
        EXPERIMENTS.cancel(experiment)
    assert garden.work(experiment).report == {}
    assert garden.now(experiment)[1].state == JobState.CANCELLED
    with garden.scope(), pytest.raises(Conflict, match="ended"):
        EXPERIMENTS.cancel(experiment)

    with garden.scope():
        experiment_resume(organization=garden.firm.organization, user=garden.firm.manager, experiment_id=experiment.pk)
    ended = garden.work(experiment)
    assert ended.report["is_whole"]
    assert ended.provenance["resumed_code"] == code_revision()
    with garden.scope():
        assert ended.provenance["resumed_corpus_version"] == garden.corpus_now().version


def test_from_the_list_of_work_it_resumes_as_on_its_page_and_what_failed_is_asked_again(
    garden: Garden, client_of: SignIn
) -> None:
    experiment = _cancelled(garden)
    with garden.scope():
        ExperimentAnswer.objects.filter(experiment=experiment).update(answer=None, reason="The model did not answer.")

    assert _tried_again(garden, experiment, client_of).status_code == 302
    ended = garden.work(experiment)
    assert [cell["failed"] for cell in ended.report["cells"]] == [0]
    assert ended.provenance["resumed_code"] == code_revision()


def test_the_list_of_work_changes_nothing_of_an_experiment_that_has_its_report(
    garden: Garden, client_of: SignIn
) -> None:
    experiment = _cancelled(garden)
    with garden.scope():
        Experiment.objects.filter(pk=experiment.pk).update(report={"cells": []})  # its worker died right after

    refused = _tried_again(garden, experiment, client_of)
    assert (refused.status_code, "This experiment has ended." in refused.content.decode()) == (409, True)
    assert garden.now(experiment)[1].state == JobState.CANCELLED


def _cancelled(garden: Garden) -> Experiment:
    """An experiment that was cancelled after its first answer."""
    experiment = garden.begin("naive")
    with override_settings(JOB_SLICE_S=0):
        garden.work(experiment, slices=1)
    with garden.scope():
        EXPERIMENTS.cancel(experiment)
    return experiment


def _tried_again(garden: Garden, experiment: Experiment, client_of: SignIn) -> Any:
    retry = reverse("job_retry", args=[garden.firm.organization.slug, garden.now(experiment)[1].pk])
    return client_of(garden.firm.manager).post(retry)


def test_an_answer_that_is_known_is_not_computed_again_by_another_experiment(garden: Garden) -> None:
    first, second = garden.ended("naive"), garden.ended("naive", "fixed-3")

    with garden.scope():
        known, taken = stored(first), stored(second)
    assert {key: pk for key, pk in taken.items() if key[1] == "naive"} == known
    assert [cell["reused"] for cell in second.report["cells"]] == [3, 0]
    assert [row["value"] for row in second.report["rows"] if row["preset"] == "naive"] == [
        row["value"] for row in first.report["rows"]
    ]


def test_a_changed_corpus_is_asked_again(garden: Garden) -> None:
    first = garden.ended("naive")
    with garden.scope():
        Corpus.objects.filter(pk=garden.corpus.pk).update(version=F("version") + 7)

    second = garden.ended("naive")

    assert second.report["cells"][0]["reused"] == 0
    with garden.scope():
        assert not set(stored(first).values()) & set(stored(second).values())


def test_a_changed_threshold_of_the_corpus_is_asked_again(garden: Garden) -> None:
    garden.ended("naive")
    with garden.scope():
        Corpus.objects.filter(pk=garden.corpus.pk).update(answer_threshold=0.9)

    assert garden.ended("naive").report["cells"][0]["reused"] == 0


def test_drafts_and_rejected_questions_are_not_asked_and_are_counted(garden: Garden, client_of: SignIn) -> None:
    with garden.scope():
        tenant, gardener, football = GoldQuestion.objects.filter(gold_set=garden.gold_set).order_by("ordinal")
        GoldQuestion.objects.filter(pk=gardener.pk).update(review=Review.DRAFT)
        GoldQuestion.objects.filter(pk=football.pk).update(review=Review.REJECTED)
        estimate = experiment_estimate(gold_set=garden.gold_set, settings=experiment_settings(presets=["naive"]))
    experiment = garden.ended("naive")

    with garden.scope():
        assert [text for text, *_ in stored(experiment)] == [tenant.text]
    assert (experiment.provenance["questions"], experiment.provenance["left_out"]) == (1, 2)
    assert (estimate.answers, estimate.left_out) == (1, 2)
    page = client_of(garden.firm.manager).get(f"/o/{garden.firm.organization.slug}/experiments/{experiment.pk}/")
    assert "1 question (2 not approved, left out)" in " ".join(page.content.decode().split())


def test_a_gold_set_of_drafts_alone_is_refused(garden: Garden) -> None:
    with garden.scope():
        GoldQuestion.objects.filter(gold_set=garden.gold_set).update(review=Review.DRAFT)

    with pytest.raises(ApplicationError, match="no approved questions"):
        garden.begin("naive")


def test_removed_with_its_answers_it_leaves_those_that_another_experiment_uses(garden: Garden) -> None:
    first, second = garden.ended("naive", "fixed-3"), garden.ended("naive")
    with garden.scope():
        experiment_remove(organization=garden.firm.organization, user=garden.firm.manager, experiment_id=first.pk)
        assert set(Answer.objects.values_list("pk", flat=True)) == set(stored(second).values())
        assert not ExperimentScore.objects.filter(answer__experiment=first.pk).exists()


def test_one_at_work_is_not_removed(garden: Garden) -> None:
    experiment = garden.begin("naive")
    with garden.scope(), pytest.raises(Conflict, match="Cancel it first"):
        experiment_remove(organization=garden.firm.organization, user=garden.firm.manager, experiment_id=experiment.pk)


def test_repeated_every_day_it_is_compared_with_the_one_before_and_webhooks_hear_whether_it_is_worse(
    garden: Garden,
) -> None:
    first = garden.ended("naive", rerun="daily")
    assert experiments_repeat() == 0
    webhook_create(
        organization=garden.firm.organization,
        user=garden.firm.manager,
        url="https://93.184.216.34/heard",
        events=["experiment.ended"],
    )
    with garden.scope():
        Experiment.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=1, hours=1))

    assert experiments_repeat() == 1
    assert experiments_repeat() == 0, "the new one has taken the schedule over"
    with garden.scope():
        second = Experiment.objects.get(previous=first)
    second = garden.work(second)

    assert second.report["compared"]["experiment"] == str(first.pk)
    assert second.report["compared"]["is_regression"] is False
    with garden.scope():
        payload = Delivery.objects.get().payload
    assert payload["type"] == "experiment.ended"
    assert payload["data"] == {
        "corpus_id": str(garden.corpus.pk),
        "state": "ended",
        "experiment_id": str(second.pk),
        "regression": False,
    }


def test_judges_read_every_answer_once_beside_the_rules_and_what_they_cannot_judge_is_counted(garden: Garden) -> None:
    experiment = garden.ended("naive", "cited-or-silent", judges=["length"])

    (naive, silent) = [row for row in experiment.report["rows"] if row["judge"] == "length"]
    assert (naive["preset"], naive["n"], silent["preset"], silent["n"]) == (
        "naive",
        3,
        "cited-or-silent",
        3 - silent["undefined"],
    )
    assert naive["value"] > 0
    with garden.scope():
        assert ExperimentScore.objects.filter(judge="length").count() == 6


def test_a_judge_reads_the_law_of_the_day_of_the_answer_once_the_corpus_has_changed(garden: Garden) -> None:
    experiment = garden.begin("naive")
    garden.work(experiment, slices=1)
    day = timezone.now() - timedelta(days=40)

    with garden.scope():
        Answer.objects.filter(purpose=Purpose.EXPERIMENT).update(created_at=day)
        [first, *_] = sittings(experiment=experiment, judges=["length"], cells=["naive"])
        unchanged = item_of(first, corpus=garden.corpus_now())
        Corpus.objects.filter(pk=garden.corpus.pk).update(version=F("version") + 1)
        changed = item_of(first, corpus=garden.corpus_now())

    assert (unchanged.as_of, changed.as_of) == (None, timezone.localdate(day))


def test_what_it_takes_is_said_before_and_quoted_answers_cost_nothing(inside: Garden) -> None:
    settings = experiment_settings(presets=["naive", "fixed-3"])

    estimate = experiment_estimate(gold_set=inside.gold_set, settings=settings)

    assert (estimate.answers, estimate.cost) == (6, Decimal(0))


@pytest.mark.parametrize(
    ("presets", "more", "sentence"),
    [
        (["nobody"], {}, "No preset of this corpus is called 'nobody'"),
        (["naive"], {"generators": ["written"]}, "none is set up for answers"),
        (["prompt-only"], {}, "written by a model only"),
        (["naive"], {"grid": {"rrf.k": ["3"]}}, "has no rrf stage"),
        (["naive"], {"judges": ["nobody"]}, "No judge is called 'nobody'; choose one of"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_is_asked(
    garden: Garden, presets: list[str], more: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ApplicationError, match=sentence):
        garden.begin(*presets, **more)
