"""Rows that the database itself refuses, from any code."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction

from corpora.models import TrainedEncoder
from judging.campaigns.rubrics import FORMS
from judging.models import Adjudication, CampaignGrade, Experiment, GoldReference, GoldReport, GoldReview
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Claim, TrainedReader
from retrieval.models import CaseSupport, ComplexityClassifier, GraphTriplet, TrainedRanker
from tests.isolation.world import World

OURS = ("legalqa.", "corpora", "retrieval", "judging")
REFUSED: list[tuple[type[models.Model], dict[str, Any], str]] = [
    (GoldReview, {"state": "doubted"}, "gold_review_state_known"),
    (GoldReport, {"state": "doubted"}, "gold_report_state_known"),
    (GoldReference, {"start": 3, "end": 3}, "gold_span_ordered"),
    (GoldReference, {"start": None, "end": 3}, "gold_span_ordered"),
    (GoldReference, {"start": 3, "end": None}, "gold_span_ordered"),
    (Experiment, {"rerun": "hourly"}, "experiment_rerun_known"),
    (CampaignGrade, {"value": 0, "status": "graded"}, "campaign_grade_on_a_scale"),
    (CampaignGrade, {"value": 11, "status": "graded"}, "campaign_grade_on_a_scale"),
    (Adjudication, {"value": 0}, "adjudication_on_a_scale"),
    (Adjudication, {"value": 11}, "adjudication_on_a_scale"),
    (Claim, {"verdict": "likely"}, "claim_verdict_known"),
    (Claim, {"answer_start": 2, "answer_end": 1}, "claim_answer_ordered"),
    (GraphTriplet, {"start": 3, "end": 3}, "graph_span_ordered"),
    (CaseSupport, {"start": 3, "end": 3}, "case_support_span_ordered"),
    (CaseSupport, {"start": None, "end": 3}, "case_support_span_ordered"),
    (CaseSupport, {"start": 3, "end": None}, "case_support_span_ordered"),
    (TrainedEncoder, {"state": "half"}, "encoder_ready_whole"),
    (TrainedReader, {"state": "half"}, "reader_ready_whole"),
    (TrainedRanker, {"state": "half"}, "ranker_ready_whole"),
    (ComplexityClassifier, {"state": "half"}, "complexity_ready_whole"),
]


@pytest.mark.parametrize(
    ("model", "values", "constraint"), REFUSED, ids=[f"{name}-{n}" for n, (*_, name) in enumerate(REFUSED)]
)
def test_the_database_refuses_values_that_a_row_cannot_have(
    model: type[models.Model], values: dict[str, Any], constraint: str, world: World
) -> None:
    with organization_scope(world.ours.firm.organization, user=None):
        rows = model._default_manager.all()
        assert rows.exists()

        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            rows.update(**values)


def test_the_scale_of_every_form_fits_the_grades_that_the_database_keeps() -> None:
    points = {value for form in FORMS.values() for criterion in form.criteria for value in criterion.values}

    assert points == set(range(1, 11))


def values_allowed(condition: models.Q, field: str) -> Iterator[str]:
    """The values of a field that a condition names, in any of its branches."""
    for child in condition.children:
        if isinstance(child, models.Q):
            yield from values_allowed(child, field)
        elif isinstance(child, tuple) and child[0] == field:
            yield child[1]
        elif isinstance(child, tuple) and child[0] == f"{field}__in":
            yield from child[1]


def test_the_database_knows_the_choices_of_every_field_that_has_them() -> None:
    fields = [
        (model, field)
        for model in apps.get_models()
        if model.__module__.startswith(OURS)
        for field in model._meta.local_fields
        if field.choices
    ]
    open_fields = []
    for model, field in fields:
        choices = {value for value, _ in field.flatchoices} | ({""} if field.blank else set())
        rules = [rule.condition for rule in model._meta.constraints if isinstance(rule, models.CheckConstraint)]
        checks = [rule for rule in rules if isinstance(rule, models.Q)]
        if {value for check in checks for value in values_allowed(check, field.name)} != choices:
            open_fields.append(f"{model._meta.label}.{field.name}")

    assert len(fields) > 30
    assert open_fields == []
