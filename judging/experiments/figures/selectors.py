"""The data behind the figures of an experiment, each in one query."""

from uuid import UUID

from django.db.models import QuerySet

from judging.experiments.facts import SAID
from judging.experiments.figures.report import Measured
from judging.models import Experiment, ExperimentScore
from legalqa.accounts.models import Organization
from legalqa.common.errors import Conflict, NotFound, existing


def reported_experiment(*, organization: Organization, experiment_id: UUID) -> Experiment:
    """An experiment with a report, and its corpus.

    Raises:
        NotFound: there is none, or its corpus is walled off.
        Conflict: it has no report yet.
    """
    experiments = Experiment.objects.filter(organization=organization, pk=experiment_id)
    experiment = existing(experiments.select_related("corpus", "gold_set", "organization").first(), "experiment")
    if not experiment.report:
        raise Conflict("The experiment has no results yet. They appear here once it has ended.", code="no_results")
    return experiment


def experiment_with(*, experiment: Experiment, raw_id: str) -> Experiment | None:
    """The experiment on the same gold set that an address compares with; None where it names none.

    Raises:
        NotFound: it names one that does not exist, is on other questions, or is walled off.
        Conflict: that one has no report yet.
    """
    if not raw_id:
        return None
    try:
        other = reported_experiment(organization=experiment.organization, experiment_id=UUID(raw_id))
    except ValueError:
        raise NotFound("experiment") from None
    if other.gold_set_id != experiment.gold_set_id:
        raise NotFound("experiment")
    return other


def scores_of(*, experiment: Experiment, judge: str, measure: str) -> QuerySet[ExperimentScore]:
    """The scores of an experiment by one measure."""
    return ExperimentScore.objects.filter(experiment=experiment, judge=judge, measure=measure)


def measured(*, experiment: Experiment, judge: str, measure: str) -> list[Measured]:
    """Every answer with its value of a measure."""
    rows = scores_of(experiment=experiment, judge=judge, measure=measure).values_list(
        "answer__cell",
        "answer__question_id",
        "value",
        "reason",
        "answer__answer__state",
        "answer__question__is_answerable",
        "answer__answer__confidence",
    )
    return [
        Measured(cell, question, value, reason, state in SAID, is_answerable, confidence)
        for cell, question, value, reason, state, is_answerable, confidence in rows
    ]
