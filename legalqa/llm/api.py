"""Endpoints of language models, for owners."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from legalqa.accounts.access import OWNERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.drf import Pages, error_responses
from legalqa.llm import selectors
from legalqa.llm.models import OUTCOME_CHOICES, ROLE_CHOICES
from legalqa.llm.pricing import millionths, money
from legalqa.llm.services import budgets, providers, testing
from legalqa.llm.types import Role

PAGING = [OpenApiParameter("limit", int), OpenApiParameter("offset", int)]
CAPS = ("cap_request", "cap_day", "cap_month", "cap_evaluation")
MONEY: dict[str, Any] = {"max_digits": 15, "decimal_places": 6}


class ProviderSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    base_url = serializers.CharField()
    key_last4 = serializers.CharField(help_text="The last four characters of the key; the key itself is never shown.")
    key_changed_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


@extend_schema_serializer(component_name="NewProvider")
class ProviderInputSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=60)
    base_url = serializers.CharField(max_length=300)
    key = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)


class ModelSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    role = serializers.ChoiceField(choices=ROLE_CHOICES)
    provider_id = serializers.UUIDField()
    model = serializers.CharField()
    place = serializers.IntegerField(help_text="Of several models in a role the smallest is asked first.")
    price_in = serializers.DecimalField(max_digits=9, decimal_places=4)
    price_out = serializers.DecimalField(max_digits=9, decimal_places=4)
    context_tokens = serializers.IntegerField()


@extend_schema_serializer(component_name="ModelPrices")
class PricesInputSerializer(serializers.Serializer[Any]):
    price_in = serializers.DecimalField(max_digits=9, decimal_places=4, min_value=0, default=Decimal(0))
    price_out = serializers.DecimalField(max_digits=9, decimal_places=4, min_value=0, default=Decimal(0))
    context_tokens = serializers.IntegerField(min_value=512, max_value=10_000_000, default=8192)


@extend_schema_serializer(component_name="NewModel")
class ModelInputSerializer(PricesInputSerializer):
    role = serializers.ChoiceField(choices=ROLE_CHOICES)
    provider_id = serializers.UUIDField()
    model = serializers.CharField(max_length=100)


class ProviderListApi(MemberApi):
    scopes = {"get": TokenScope.LLM_READ, "post": TokenScope.LLM_WRITE}
    roles = {"get": OWNERS, "post": OWNERS}
    in_scope = False

    @extend_schema(
        operation_id="llm_providers_list",
        parameters=PAGING,
        responses={200: ProviderSerializer(many=True), **error_responses(401)},
    )
    def get(self, request: MemberRequest) -> Response:
        """Providers of language models that the organisation has set up."""
        with organization_scope(request.organization, user=request.user):
            pages, rows = Pages(), selectors.provider_list(organization=request.organization)
            found = pages.paginate_queryset(rows, request, view=self)
            return pages.get_paginated_response(ProviderSerializer(found, many=True).data)

    @extend_schema(
        operation_id="llm_providers_create",
        request=ProviderInputSerializer,
        responses={201: ProviderSerializer, **error_responses(401, 409)},
    )
    def post(self, request: MemberRequest) -> Response:
        """Set a provider up. The key is stored encrypted and never shown again."""
        data = ProviderInputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        provider = providers.provider_create(
            organization=request.organization, user=request.user, **data.validated_data
        )
        return Response(ProviderSerializer(provider).data, status=201)


class ProviderDetailApi(MemberApi):
    scopes = {"post": TokenScope.LLM_WRITE, "delete": TokenScope.LLM_WRITE}
    roles = {"post": OWNERS, "delete": OWNERS}
    in_scope = False

    @extend_schema(
        operation_id="llm_providers_change",
        request=ProviderInputSerializer,
        responses={200: ProviderSerializer, **error_responses(401, 404, 409)},
    )
    def post(self, request: MemberRequest, provider_id: UUID) -> Response:
        """Change a provider. Without `key` the stored one stays; a new address needs the key again."""
        data = ProviderInputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        provider = providers.provider_update(
            organization=request.organization, user=request.user, provider_id=provider_id, **data.validated_data
        )
        return Response(ProviderSerializer(provider).data)

    @extend_schema(operation_id="llm_providers_delete", responses={204: None, **error_responses(401, 404)})
    def delete(self, request: MemberRequest, provider_id: UUID) -> Response:
        """Remove a provider, its key and its models."""
        with organization_scope(request.organization, user=request.user):
            providers.provider_delete(organization=request.organization, user=request.user, provider_id=provider_id)
        return Response(status=204)


class RoleModelListApi(MemberApi):
    scopes = {"get": TokenScope.LLM_READ, "post": TokenScope.LLM_WRITE}
    roles = {"get": OWNERS, "post": OWNERS}

    @extend_schema(
        operation_id="llm_models_list",
        parameters=PAGING,
        responses={200: ModelSerializer(many=True), **error_responses(401)},
    )
    def get(self, request: MemberRequest) -> Response:
        """Which models answer in which role, the first to be asked first."""
        pages, rows = Pages(), selectors.role_model_list(organization=request.organization)
        found = pages.paginate_queryset(rows, request, view=self)
        return pages.get_paginated_response(ModelSerializer(found, many=True).data)

    @extend_schema(
        operation_id="llm_models_create",
        request=ModelInputSerializer,
        responses={201: ModelSerializer, **error_responses(401, 404, 409)},
    )
    def post(self, request: MemberRequest) -> Response:
        """Let a model of a provider answer in a role, after those that are there."""
        data = ModelInputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        values = data.validated_data | {"role": Role(data.validated_data["role"])}
        row = providers.role_model_create(organization=request.organization, user=request.user, **values)
        return Response(ModelSerializer(row).data, status=201)


class RoleModelDetailApi(MemberApi):
    scopes = {"post": TokenScope.LLM_WRITE, "delete": TokenScope.LLM_WRITE}
    roles = {"post": OWNERS, "delete": OWNERS}

    @extend_schema(
        operation_id="llm_models_change",
        request=PricesInputSerializer,
        responses={200: ModelSerializer, **error_responses(401, 404)},
    )
    def post(self, request: MemberRequest, role_model_id: UUID) -> Response:
        """Change a model's prices and context size."""
        data = PricesInputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        row = providers.role_model_update(
            organization=request.organization, user=request.user, role_model_id=role_model_id, **data.validated_data
        )
        return Response(ModelSerializer(row).data)

    @extend_schema(operation_id="llm_models_delete", responses={204: None, **error_responses(401, 404)})
    def delete(self, request: MemberRequest, role_model_id: UUID) -> Response:
        """Take a model out of its role."""
        providers.role_model_delete(organization=request.organization, user=request.user, role_model_id=role_model_id)
        return Response(status=204)


class RoleModelFirstApi(MemberApi):
    scopes = {"post": TokenScope.LLM_WRITE}
    roles = {"post": OWNERS}

    @extend_schema(
        operation_id="llm_models_first", request=None, responses={200: ModelSerializer, **error_responses(401, 404)}
    )
    def post(self, request: MemberRequest, role_model_id: UUID) -> Response:
        """Have a model asked first in its role."""
        row = providers.role_model_first(
            organization=request.organization, user=request.user, role_model_id=role_model_id
        )
        row.refresh_from_db()
        return Response(ModelSerializer(row).data)


class RoleModelTestApi(MemberApi):
    scopes = {"post": TokenScope.LLM_WRITE}
    roles = {"post": OWNERS}
    in_scope = False

    class OutputSerializer(serializers.Serializer[Any]):
        works = serializers.BooleanField()

    @extend_schema(
        operation_id="llm_models_test",
        request=None,
        responses={200: OutputSerializer, **error_responses(401, 404)},
    )
    def post(self, request: MemberRequest, role_model_id: UUID) -> Response:
        """Send the model one word and say whether it works, and nothing more; ten times a minute at most."""
        works = testing.role_model_test(
            organization=request.organization, user=request.user, role_model_id=role_model_id
        )
        return Response({"works": works})


class GatewaySettingsApi(MemberApi):
    scopes = {"get": TokenScope.LLM_READ, "post": TokenScope.LLM_WRITE}
    roles = {"get": OWNERS, "post": OWNERS}

    class BudgetSerializer(serializers.Serializer[Any]):
        kind = serializers.CharField()
        starts = serializers.DateField()
        cap = serializers.DecimalField(**MONEY, allow_null=True)
        spent = serializers.DecimalField(**MONEY)
        reserved = serializers.DecimalField(**MONEY, help_text="Set aside for calls under way.")

    @extend_schema_serializer(component_name="GatewaySettingsChange")
    class InputSerializer(serializers.Serializer[Any]):
        allows_fallback = serializers.BooleanField(required=False)
        uses_operator = serializers.BooleanField(required=False)
        cap_request = serializers.DecimalField(**MONEY, min_value=0, required=False, allow_null=True)
        cap_day = serializers.DecimalField(**MONEY, min_value=0, required=False, allow_null=True)
        cap_month = serializers.DecimalField(**MONEY, min_value=0, required=False, allow_null=True)
        cap_evaluation = serializers.DecimalField(**MONEY, min_value=0, required=False, allow_null=True)
        calls_per_minute = serializers.IntegerField(min_value=1, max_value=100_000, required=False, allow_null=True)

    @extend_schema_serializer(component_name="GatewaySettings")
    class OutputSerializer(InputSerializer):
        budgets = serializers.ListField(child=serializers.DictField())

    @extend_schema(operation_id="llm_settings_retrieve", responses={200: OutputSerializer, **error_responses(401)})
    def get(self, request: MemberRequest) -> Response:
        """What the organisation allows, its caps, and what is spent and set aside."""
        return Response(self._shown(request))

    @extend_schema(
        operation_id="llm_settings_change",
        request=InputSerializer,
        responses={200: OutputSerializer, **error_responses(401)},
    )
    def post(self, request: MemberRequest) -> Response:
        """Change what is named; null takes a cap away."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        values = {name: millionths(v) if name in CAPS else v for name, v in data.validated_data.items()}
        budgets.settings_save(organization=request.organization, user=request.user, **values)
        return Response(self._shown(request))

    def _shown(self, request: MemberRequest) -> dict[str, Any]:
        allowed = selectors.settings_get(organization=request.organization)
        caps = {name: getattr(allowed, name) for name in CAPS}
        rows = [
            {
                "kind": budget.kind.value,
                "starts": budget.starts,
                "cap": None if budget.cap is None else money(budget.cap),
                "spent": money(budget.spent),
                "reserved": money(budget.reserved),
            }
            for budget in selectors.budget_list(organization=request.organization)
        ]
        shown = {
            "allows_fallback": allowed.allows_fallback,
            "uses_operator": allowed.uses_operator,
            "calls_per_minute": allowed.calls_per_minute,
            **{name: None if cap is None else money(cap) for name, cap in caps.items()},
        }
        return self.InputSerializer(shown).data | {"budgets": self.BudgetSerializer(rows, many=True).data}


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
    OpenApiParameter("until", str, description="Day, in UTC, included."),
    OpenApiParameter("role", str, enum=[key for key, _ in ROLE_CHOICES]),
    OpenApiParameter("model", str),
    OpenApiParameter("user", UUID),
    OpenApiParameter("outcome", str, enum=[key for key, _ in OUTCOME_CHOICES]),
]


class CallListApi(MemberApi):
    scopes = {"get": TokenScope.LLM_READ}
    roles = {"get": OWNERS}

    @extend_schema_serializer(component_name="LLMCall")
    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.UUIDField()
        asked_id = serializers.UUIDField(help_text="The same for every try, repair and fallback of one question.")
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

    @extend_schema(
        operation_id="llm_calls_list",
        parameters=[*PAGING, *FILTERS],
        responses={200: OutputSerializer(many=True), **error_responses(401)},
    )
    def get(self, request: MemberRequest) -> Response:
        """Every call of a model, the newest first; hashes and counts, no text."""
        filters = FilterSerializer(data=request.query_params.dict())
        filters.is_valid(raise_exception=True)
        rows = selectors.call_list(organization=request.organization, filters=filters.validated_data)
        pages = Pages()
        found = pages.paginate_queryset(rows, request, view=self)
        return pages.get_paginated_response(self.OutputSerializer(found, many=True).data)


class CostListApi(MemberApi):
    scopes = {"get": TokenScope.LLM_READ}
    roles = {"get": OWNERS}

    @extend_schema_serializer(component_name="LLMCost")
    class OutputSerializer(serializers.Serializer[Any]):
        key = serializers.CharField()
        name = serializers.CharField(source="label")
        calls = serializers.IntegerField()
        answered = serializers.IntegerField()
        input_tokens = serializers.IntegerField()
        output_tokens = serializers.IntegerField()
        cost = serializers.DecimalField(**MONEY)

    @extend_schema(
        operation_id="llm_costs_list",
        parameters=[*PAGING, *FILTERS, OpenApiParameter("by", str, enum=list(selectors.GROUPS))],
        responses={200: OutputSerializer(many=True), **error_responses(401)},
    )
    def get(self, request: MemberRequest) -> Response:
        """Sums over calls by day (the default), role, model, user or outcome."""
        data = FilterSerializer(data=request.query_params.dict())
        data.is_valid(raise_exception=True)
        filters = dict(data.validated_data)
        by = filters.pop("by")
        rows = selectors.cost_list(organization=request.organization, filters=filters, by=by)
        pages = Pages()
        found = pages.paginate_queryset(rows, request, view=self)
        return pages.get_paginated_response(self.OutputSerializer(found, many=True).data)
