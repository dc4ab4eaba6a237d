"""Endpoints of language models, for owners."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from legalqa.accounts.access import OWNERS
from legalqa.accounts.api import METHODS, MemberApi, MemberRequest, scopes_of
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.drf import PAGING, operation, paged
from legalqa.llm import connection, selectors
from legalqa.llm.models import LIMIT_BOUNDS, ROLE_CHOICES, ROLE_CHOICES_IN_USE
from legalqa.llm.pricing import millionths, money
from legalqa.llm.services import budgets, providers
from legalqa.llm.types import Role

MONEY: dict[str, Any] = {"max_digits": 15, "decimal_places": 6}


class MillionthsField(serializers.DecimalField):
    """An amount of the currency for programs, stored in millionths."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**MONEY, **options)

    def to_internal_value(self, data: Any) -> Any:
        return millionths(super().to_internal_value(data))

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(money(value))


class ProviderSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    base_url = serializers.CharField()
    is_local = serializers.BooleanField()
    key_last4 = serializers.CharField(
        help_text=f"The last four characters of the key, empty if it has fewer than {providers.KEY_SHOWN_FROM}; "
        "the key itself is never shown."
    )
    key_changed_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


@extend_schema_serializer(component_name="NewProvider")
class ProviderInputSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=60)
    base_url = serializers.CharField(max_length=300)
    key = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)
    is_local = serializers.BooleanField(
        required=False,
        help_text="Ollama, llama.cpp or vLLM on your own machine: longer timeouts and fewer tokens of passages.",
    )


def _limit(name: str, help_text: str) -> serializers.IntegerField:
    low, high = LIMIT_BOUNDS[name]
    text = f"{help_text} null: the default."
    return serializers.IntegerField(required=False, allow_null=True, min_value=low, max_value=high, help_text=text)


class LimitsSerializer(serializers.Serializer[Any]):
    deadline_s = _limit("deadline_s", "Seconds for a whole reply.")
    first_token_s = _limit("first_token_s", "Seconds until the first token.")
    between_s = _limit("between_s", "Seconds between two parts of a reply.")
    evidence_tokens = _limit("evidence_tokens", "Maximum tokens of passages sent to it.")


class ModelSerializer(LimitsSerializer):
    id = serializers.UUIDField()
    role = serializers.ChoiceField(choices=ROLE_CHOICES)
    provider_id = serializers.UUIDField()
    model = serializers.CharField()
    place = serializers.IntegerField(help_text="Of several models in a role, the lowest number is called first.")
    price_in = serializers.DecimalField(max_digits=9, decimal_places=4)
    price_out = serializers.DecimalField(max_digits=9, decimal_places=4)
    context_tokens = serializers.IntegerField()


@extend_schema_serializer(component_name="ModelPrices")
class PricesInputSerializer(LimitsSerializer):
    price_in = serializers.DecimalField(max_digits=9, decimal_places=4, min_value=0, default=Decimal(0))
    price_out = serializers.DecimalField(max_digits=9, decimal_places=4, min_value=0, default=Decimal(0))
    context_tokens = serializers.IntegerField(min_value=512, max_value=10_000_000, default=8192)


@extend_schema_serializer(component_name="NewModel")
class ModelInputSerializer(PricesInputSerializer):
    role = serializers.ChoiceField(choices=ROLE_CHOICES_IN_USE)
    provider_id = serializers.UUIDField()
    model = serializers.CharField(max_length=100)


class OwnersApi(MemberApi):
    usual_scopes = scopes_of(reads=TokenScope.LLM_READ, writes=TokenScope.LLM_WRITE)
    roles = dict.fromkeys(METHODS, OWNERS)


class ProviderListApi(OwnersApi):
    in_scope = False

    @operation("llm_providers_list", ProviderSerializer(many=True), parameters=PAGING)
    def get(self, request: MemberRequest) -> Response:
        """Providers of language models that the organisation has set up."""
        with organization_scope(request.organization, user=request.user):
            rows = selectors.provider_list(organization=request.organization)
            return paged(rows, request, ProviderSerializer)

    @operation("llm_providers_create", ProviderSerializer, 409, status=201, takes=ProviderInputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> object:
        """Add a provider. The key is stored encrypted and never shown again."""
        return providers.provider_create(**request.acting, **data)


class ProviderDetailApi(OwnersApi):
    in_scope = False

    @operation("llm_providers_change", ProviderSerializer, 404, 409, takes=ProviderInputSerializer)
    def post(self, request: MemberRequest, provider_id: UUID, data: dict[str, Any]) -> object:
        """Change a provider. Without `key` the stored one is kept; a new address needs the key again."""
        return providers.provider_update(**request.acting, provider_id=provider_id, **data)

    @operation("llm_providers_delete", None, 404)
    def delete(self, request: MemberRequest, provider_id: UUID) -> None:
        """Remove a provider, its key and its models."""
        with organization_scope(request.organization, user=request.user):
            providers.provider_delete(**request.acting, provider_id=provider_id)


class RoleModelListApi(OwnersApi):
    @operation("llm_models_list", ModelSerializer(many=True), is_paged=True)
    def get(self, request: MemberRequest) -> object:
        """The models of each role, in the order in which they are called."""
        return selectors.role_model_list(organization=request.organization)

    @operation("llm_models_create", ModelSerializer, 404, 409, status=201, takes=ModelInputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> object:
        """Add a model of a provider to a role, after the models already in it."""
        values = data | {"role": Role(data["role"])}
        return providers.role_model_create(**request.acting, **values)


class RoleModelDetailApi(OwnersApi):
    @operation("llm_models_change", ModelSerializer, 404, takes=PricesInputSerializer)
    def post(self, request: MemberRequest, role_model_id: UUID, data: dict[str, Any]) -> object:
        """Change a model's prices, context size and limits."""
        return providers.role_model_update(**request.acting, role_model_id=role_model_id, **data)

    @operation("llm_models_delete", None, 404)
    def delete(self, request: MemberRequest, role_model_id: UUID) -> None:
        """Take a model out of its role."""
        providers.role_model_delete(**request.acting, role_model_id=role_model_id)


class RoleModelFirstApi(OwnersApi):
    @operation("llm_models_first", ModelSerializer, 404)
    def post(self, request: MemberRequest, role_model_id: UUID) -> object:
        """Call a model first in its role."""
        row = providers.role_model_first(**request.acting, role_model_id=role_model_id)
        row.refresh_from_db()
        return row


@extend_schema_serializer(component_name="Tested")
class TestedSerializer(serializers.Serializer[Any]):
    works = serializers.BooleanField()
    said = serializers.CharField(source="message", help_text="The result in one sentence.")


class RoleModelTestApi(OwnersApi):
    in_scope = False

    @operation("llm_models_test", TestedSerializer, 404)
    def post(self, request: MemberRequest, role_model_id: UUID) -> object:
        """Send the model one word and report in a sentence whether it works; at most ten times a minute."""
        return connection.role_model_test(**request.acting, role_model_id=role_model_id)


class ConnectionTestApi(OwnersApi):
    in_scope = False

    @extend_schema_serializer(component_name="ConnectionTest")
    class InputSerializer(serializers.Serializer[Any]):
        model = serializers.CharField(max_length=100)
        role = serializers.ChoiceField(choices=ROLE_CHOICES_IN_USE, default=Role.ANSWER.value)
        provider_id = serializers.UUIDField(required=False, help_text="A stored provider, with its key.")
        base_url = serializers.CharField(max_length=300, required=False, help_text="Replaces the stored one.")
        key = serializers.CharField(max_length=500, required=False, allow_blank=True)
        is_local = serializers.BooleanField(required=False)

    @operation("llm_test", TestedSerializer, 404, takes=InputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> object:
        """Test a model without saving it, at a stored provider or at an address; at most ten times a minute."""
        values = data | {"role": Role(data["role"])}
        return connection.connection_test(**request.acting, **values)


class GatewaySettingsApi(OwnersApi):
    class BudgetSerializer(serializers.Serializer[Any]):
        kind = serializers.CharField()
        starts = serializers.DateField()
        cap = MillionthsField(allow_null=True)
        spent = MillionthsField()
        reserved = MillionthsField(help_text="Reserved for calls in progress.")

    @extend_schema_serializer(component_name="GatewaySettingsChange")
    class InputSerializer(serializers.Serializer[Any]):
        allows_fallback = serializers.BooleanField(required=False)
        uses_operator = serializers.BooleanField(required=False)
        cap_request = MillionthsField(min_value=0, required=False, allow_null=True)
        cap_day = MillionthsField(min_value=0, required=False, allow_null=True)
        cap_month = MillionthsField(min_value=0, required=False, allow_null=True)
        cap_evaluation = MillionthsField(min_value=0, required=False, allow_null=True)
        calls_per_minute = serializers.IntegerField(min_value=1, max_value=100_000, required=False, allow_null=True)

    @extend_schema_serializer(component_name="GatewaySettings")
    class OutputSerializer(InputSerializer):
        budgets = serializers.ListField(child=serializers.DictField())

    @operation("llm_settings_retrieve", OutputSerializer)
    def get(self, request: MemberRequest) -> Response:
        """What the organisation allows, its caps, and what is spent and reserved."""
        return Response(self._shown(request))

    @operation("llm_settings_change", OutputSerializer, takes=InputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> Response:
        """Change the given fields; null removes a cap."""
        budgets.settings_save(**request.acting, **data)
        return Response(self._shown(request))

    def _shown(self, request: MemberRequest) -> dict[str, Any]:
        allowed = selectors.settings_get(organization=request.organization)
        rows = selectors.budget_list(organization=request.organization)
        return self.InputSerializer(allowed).data | {"budgets": self.BudgetSerializer(rows, many=True).data}
