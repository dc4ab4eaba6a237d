"""What the pages of experiments show."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import F

from corpora.selectors import corpus_get
from judging.experiments.forms import ExperimentForm
from judging.experiments.report import head_table, warnings_words
from judging.experiments.services import (
    EXPERIMENTS,
    Estimate,
    answers_failed,
    experiment_successor,
    repeat_refused,
)
from judging.experiments.settings import ExperimentSettings
from judging.gold.services.sets import gold_set_list
from judging.judges.services import setups_known
from judging.models import Experiment, Rerun
from legalqa.accounts.models import Organization, User
from legalqa.jobs.models import Job
from legalqa.jobs.pages import work_shown, work_state
from legalqa.jobs.selectors import with_jobs
from legalqa.llm.selectors import candidate_list
from legalqa.llm.types import Role
from retrieval.services.presets import saved_preset_of_corpus

A_PAGE = 50  # experiments
STAGES = {"judging": "Judging", "reporting": "Working out the table", "": "Answering"}


def experiment_form(*, organization: Organization, corpus_id: UUID, data: Any = None) -> ExperimentForm:
    """The form that starts an experiment, with the gold sets and the presets of the corpus."""
    sets = gold_set_list(organization=organization, corpus_id=corpus_id)
    choices = [
        (str(row.gold_set.pk), f"{row.gold_set.name} ({row.n_questions} questions)") for row in sets if row.n_questions
    ]
    saved = saved_preset_of_corpus(organization=organization, corpus_id=corpus_id)
    models = [each.model for each in candidate_list(organization=organization, role=Role.ANSWER)]
    return ExperimentForm(
        data,
        gold_sets=choices,
        saved=list(saved.values_list("name", flat=True)),
        models=models if len(models) > 1 else [],
        judges=[(setup.name, f"{setup.name}: {setup.title}") for setup in setups_known(organization=organization)],
    )


def experiments_page(
    *, organization: Organization, corpus_id: UUID, number: str | None = None, a_page: int = A_PAGE
) -> dict[str, Any]:
    """A page, by its number, of the experiments of a corpus, newest first."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    experiments = EXPERIMENTS.of_corpus(corpus).defer("report", "provenance")
    annotations = {"marked": F("report__marked"), "is_regression": F("report__compared__is_regression")}
    page = Paginator(experiments.annotate(**annotations), a_page).get_page(number)
    rows = [_row(one, job) for one, job in with_jobs(organization=organization, rows=page)]
    return {"corpus": corpus, "page_obj": page, "rows": rows}


def _row(experiment: Experiment, job: Job | None) -> dict[str, Any]:
    settings = ExperimentSettings.model_validate(experiment.settings)
    columns = vars(experiment)  # with the parts of the long report that the query read
    return {
        "experiment": experiment,
        "state": work_state(job),
        "cells": len(settings.cells),
        "marked": columns["marked"] or 0,
        "is_ended": columns["marked"] is not None,
        "is_regression": bool(columns["is_regression"]),
    }


def experiment_page(*, user: User, experiment: Experiment, job: Job | None) -> dict[str, Any]:
    """An experiment: how far it is, or its head table."""
    context: dict[str, Any] = {
        "experiment": experiment,
        "corpus": experiment.corpus,
        "settings": ExperimentSettings.model_validate(experiment.settings),
        "repeat_refused": repeat_refused(user=user, experiment=experiment),
        "reruns": [{"value": value, "label": label} for value, label in Rerun.choices],
        **work_shown(job, stages=STAGES),
    }
    if experiment.report:
        n_failed = sum(cell["failed"] for cell in experiment.report["cells"])
        context |= {
            "report": experiment.report,
            "table": head_table(experiment.report),
            "table_warnings": warnings_words(experiment.report),
            "n_failed": n_failed,
            "failed": answers_failed(experiment=experiment) if n_failed else [],
            "successor": experiment_successor(experiment=experiment) if n_failed else None,
        }
    return context


def estimate_words(estimate: Estimate) -> str:
    """What an experiment will take, in a sentence."""
    minutes = estimate.seconds / 60
    time = f"about {minutes:.0f} minutes" if minutes >= 1.5 else f"about {max(1, round(estimate.seconds))} seconds"
    if estimate.cost is None:
        cost = "what the model costs is not known before its first answers"
    else:
        cost = f"about {estimate.cost:.2f} for models" if estimate.cost else "no cost for models"
    left_out = f" {left_out_words(estimate.left_out)}" if estimate.left_out else ""
    return (
        f"{estimate.answers:,} answers, {time} on an idle machine, {cost}. Answers that already exist are reused."
        f"{left_out}{f' {estimate.own_judging}' if estimate.own_judging else ''}"
    )


def left_out_words(n: int) -> str:
    """How many questions of a gold set are not asked, in a sentence."""
    return f"{n:,} question{'' if n == 1 else 's'} not approved, left out."
