"""Endpoints of what language models did and cost, for owners."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from legalqa.accounts.api import MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import PAGING, operation, paged
from legalqa.llm import selectors
from legalqa.llm.api.providers import MONEY, OwnersApi
from legalqa.llm.models import OUTCOME_CHOICES, ROLE_CHOICES
from legalqa.llm.pricing import money


class FilterSerializer(serializers.Serializer[Any]):
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)
    role = serializers.ChoiceField(choices=ROLE_CHOICES, required=False)
    model = serializers.CharField(max_length=100, required=False)
    user = serializers.UUIDField(required=False)
    outcome = serializers.ChoiceField(choices=OUTCOME_CHOICES, required=False)
    by = serializers.ChoiceField(choices=[(name, name) for name in selectors.GROUPS], required=False, default="day")


FILTERS = [
    OpenApiParameter("since", str, description="Day, in UTC."),
    OpenApiParameter("until", str, description="Day, in UTC, inclusive."),
    OpenApiParameter("role", str, enum=[key for key, _ in ROLE_CHOICES]),
    OpenApiParameter("model", str),
    OpenApiParameter("user", UUID),
    OpenApiParameter("outcome", str, enum=[key for key, _ in OUTCOME_CHOICES]),
]


class CallListApi(OwnersApi):
    scopes = {"get": TokenScope.LLM_READ}

    @extend_schema_serializer(component_name="LLMCall")
    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.UUIDField()
        asked_id = serializers.UUIDField(help_text="The same for every attempt, repair and fallback of one question.")
        started_at = serializers.DateTimeField()
        user_id = serializers.UUIDField(allow_null=True)
        role = serializers.ChoiceField(choices=ROLE_CHOICES)
        provider = serializers.CharField()
        model = serializers.CharField()
        model_replied = serializers.CharField()
        prompt = serializers.CharField()
        prompt_hash = serializers.CharField()
        request_hash = serializers.CharField()
        outcome = serializers.ChoiceField(choices=OUTCOME_CHOICES)
        reason = serializers.CharField()
        input_tokens = serializers.IntegerField()
        output_tokens = serializers.IntegerField()
        is_estimated = serializers.BooleanField()
        is_fallback = serializers.BooleanField()
        is_repair = serializers.BooleanField()
        blocks_dropped = serializers.IntegerField()
        milliseconds = serializers.IntegerField(allow_null=True)
        cost = serializers.SerializerMethodField()

        def get_cost(self, call: Any) -> str:
            return f"{money(call.cost):.6f}"

    @operation("llm_calls_list", OutputSerializer(many=True), parameters=[*PAGING, *FILTERS])
    def get(self, request: MemberRequest) -> Response:
        """Every call of a model, the newest first; hashes and counts, no text."""
        filters = FilterSerializer(data=request.query_params.dict())
        filters.is_valid(raise_exception=True)
        rows = selectors.call_list(organization=request.organization, filters=filters.validated_data)
        return paged(rows, request, self.OutputSerializer)


class CostListApi(OwnersApi):
    scopes = {"get": TokenScope.LLM_READ}

    @extend_schema_serializer(component_name="LLMCost")
    class OutputSerializer(serializers.Serializer[Any]):
        key = serializers.CharField()
        name = serializers.CharField(source="label")
        calls = serializers.IntegerField()
        answered = serializers.IntegerField()
        input_tokens = serializers.IntegerField()
        output_tokens = serializers.IntegerField()
        cost = serializers.DecimalField(**MONEY)

    @operation(
        "llm_costs_list",
        OutputSerializer(many=True),
        parameters=[*PAGING, *FILTERS, OpenApiParameter("by", str, enum=list(selectors.GROUPS))],
    )
    def get(self, request: MemberRequest) -> Response:
        """Sums over calls by day (the default), role, model, user or outcome."""
        data = FilterSerializer(data=request.query_params.dict())
        data.is_valid(raise_exception=True)
        filters = dict(data.validated_data)
        by = filters.pop("by")
        rows = selectors.cost_list(organization=request.organization, filters=filters, by=by)
        return paged(rows, request, self.OutputSerializer)
