"""Endpoints of an experiment's figures: the same documents as the pages."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from judging.experiments.figures import pages as presentation
from judging.experiments.figures.items import changes_of, shown_of
from judging.experiments.figures.report import known_check
from judging.experiments.figures.selectors import experiment_with, reported_experiment
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import operation

MEASURE = OpenApiParameter("measure", str, description="A measure of the report, a judge's as `judge:name`.")
CELL = OpenApiParameter("cell", str, description="The configuration; default: the first other than the baseline.")
AGAINST = OpenApiParameter("against", str, description="The configuration to compare with; else the baseline.")
WITH = OpenApiParameter("with", str, description="Another experiment on the same gold set to compare with.")
TYPE = OpenApiParameter("type", str, description="Questions of this type only.")


class FigureSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    title = serializers.CharField()
    note = serializers.CharField(help_text="How to read it.")
    columns = serializers.ListField(source="table.columns", child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class FiguresSerializer(serializers.Serializer[Any]):
    measure = serializers.CharField()
    figures = FigureSerializer(many=True)
    costs = serializers.ListField(child=serializers.DictField(), help_text="What answers took, by configuration.")
    provenance = serializers.DictField(child=serializers.CharField())


class ExperimentFiguresApi(ManagersApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ}

    @operation("experiments_figures", FiguresSerializer, 404, 409, parameters=[MEASURE])
    def get(self, request: MemberRequest, experiment_id: UUID) -> object:
        """The figures of one measure of an experiment, each as its table."""
        experiment = reported_experiment(organization=request.organization, experiment_id=experiment_id)
        known_check(experiment.report, request.query_params.dict())
        page = presentation.results_page(
            experiment=experiment, key=request.query_params.get("measure", ""), slug=request.organization.slug
        )
        return {
            "measure": page["measure_key"],
            "figures": page["charts"],
            "costs": page["costs"],
            "provenance": dict(page["provenance"]),
        }


class ItemChangeSerializer(serializers.Serializer[Any]):
    question = serializers.UUIDField()
    text = serializers.CharField()
    type = serializers.CharField(source="kind")
    ours = serializers.FloatField(allow_null=True)
    theirs = serializers.FloatField(allow_null=True)
    difference = serializers.FloatField(allow_null=True)
    change = serializers.CharField(source="word", help_text="better, worse, same or undefined")


class ExperimentItemsApi(ManagersApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ}

    @operation(
        "experiments_items", ItemChangeSerializer(many=True), 404, 409, parameters=[MEASURE, CELL, AGAINST, WITH, TYPE]
    )
    def get(self, request: MemberRequest, experiment_id: UUID) -> object:
        """The questions of an experiment sorted by change between two configurations, the greatest first."""
        experiment = reported_experiment(organization=request.organization, experiment_id=experiment_id)
        query = request.query_params.dict()
        known_check(experiment.report, query)
        previous = experiment_with(experiment=experiment, raw_id=query.get("with", ""))
        return changes_of(shown_of(experiment=experiment, previous=previous, query=query))
