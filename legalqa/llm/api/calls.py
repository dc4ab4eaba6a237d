"""Endpoints for the calls of language models and their costs, for owners."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from legalqa.accounts.api import MemberRequest
from legalqa.common.drf import DayField, operation, order_check
from legalqa.llm import selectors
from legalqa.llm.api.providers import MONEY, OwnersApi
from legalqa.llm.models import OUTCOME_CHOICES, ROLE_CHOICES
from legalqa.llm.pricing import money


class CallFilterSerializer(serializers.Serializer[Any]):
    since = DayField(required=False, help_text="Day, in UTC.")
    until = DayField(required=False, help_text="Day, in UTC, inclusive.")
    role = serializers.ChoiceField(choices=ROLE_CHOICES, required=False)
    model = serializers.CharField(max_length=100, required=False)
    user = serializers.UUIDField(required=False)
    outcome = serializers.ChoiceField(choices=OUTCOME_CHOICES, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        order_check(attrs, "since", "until")
        return attrs


class CostFilterSerializer(CallFilterSerializer):
    by = serializers.ChoiceField(choices=[(name, name) for name in selectors.GROUPS], default="day")


class CallListApi(OwnersApi):
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

    @operation("llm_calls_list", OutputSerializer(many=True), filters=CallFilterSerializer, is_paged=True)
    def get(self, request: MemberRequest, filters: dict[str, Any]) -> object:
        """All calls of language models, newest first; hashes and counts, no text."""
        return selectors.call_list(organization=request.organization, filters=filters)


class CostListApi(OwnersApi):
    @extend_schema_serializer(component_name="LLMCost")
    class OutputSerializer(serializers.Serializer[Any]):
        key = serializers.CharField()
        name = serializers.CharField(source="label")
        calls = serializers.IntegerField()
        answered = serializers.IntegerField()
        input_tokens = serializers.IntegerField()
        output_tokens = serializers.IntegerField()
        cost = serializers.DecimalField(**MONEY)

    @operation("llm_costs_list", OutputSerializer(many=True), filters=CostFilterSerializer, is_paged=True)
    def get(self, request: MemberRequest, filters: dict[str, Any]) -> object:
        """Sums over calls by day (the default), role, model, user or outcome."""
        by = filters.pop("by")
        return selectors.cost_list(organization=request.organization, filters=filters, by=by)
