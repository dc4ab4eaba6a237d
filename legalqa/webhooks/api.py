"""Endpoints of webhooks, for owners and corpus managers."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import METHODS, MemberApi, MemberRequest, scopes_of
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.drf import PAGING, operation, paged
from legalqa.webhooks import services
from legalqa.webhooks.models import SUBSCRIBABLE, DeliveryState, EventKind
from legalqa.webhooks.selectors import delivery_list, webhook_get, webhook_list

SUBSCRIBABLE_CHOICES = [(kind.value, kind.label) for kind in SUBSCRIBABLE]


class WebhookSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=SUBSCRIBABLE_CHOICES))
    is_on = serializers.BooleanField()
    switched_off_because = serializers.CharField()
    created_at = serializers.DateTimeField()


class DeliverySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    event_id = serializers.UUIDField(help_text="The `webhook-id` header; the same for every attempt.")
    kind = serializers.ChoiceField(choices=EventKind.choices)
    state = serializers.ChoiceField(choices=DeliveryState.choices)
    attempts = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True, help_text="The receiver's last reply.")
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    tried_at = serializers.DateTimeField(allow_null=True)
    next_at = serializers.DateTimeField(allow_null=True)


class WebhookApi(MemberApi):
    usual_scopes = scopes_of(reads=TokenScope.WEBHOOKS_READ, writes=TokenScope.WEBHOOKS_WRITE)
    roles = dict.fromkeys(METHODS, MANAGERS)


class WebhookListApi(WebhookApi):
    in_scope = False

    @extend_schema_serializer(component_name="NewWebhook")
    class InputSerializer(serializers.Serializer[Any]):
        url = serializers.CharField(max_length=500)
        events = serializers.ListField(
            child=serializers.ChoiceField(choices=SUBSCRIBABLE_CHOICES), min_length=1, max_length=10
        )

    @extend_schema_serializer(component_name="WebhookWithSecret")
    class OutputSerializer(WebhookSerializer):
        secret = serializers.CharField(help_text="Shown only once.")

    @operation("webhooks_list", WebhookSerializer(many=True), parameters=PAGING)
    def get(self, request: MemberRequest) -> Response:
        """The organisation's webhooks, oldest first."""
        with organization_scope(request.organization, user=request.user):
            return paged(webhook_list(organization=request.organization), request, WebhookSerializer)

    @operation("webhooks_create", OutputSerializer, 409, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> Response:
        """Create a webhook. Only this reply contains the secret with which its deliveries are signed."""
        webhook, secret = services.webhook_create(**request.acting, **data)
        return Response(WebhookSerializer(webhook).data | {"secret": secret}, status=201)


class WebhookDetailApi(WebhookApi):
    @operation("webhooks_retrieve", WebhookSerializer, 404)
    def get(self, request: MemberRequest, webhook_id: UUID) -> object:
        """One webhook."""
        return webhook_get(organization=request.organization, webhook_id=webhook_id)

    @operation("webhooks_delete", None, 404)
    def delete(self, request: MemberRequest, webhook_id: UUID) -> None:
        """Remove a webhook; pending deliveries are dropped."""
        services.webhook_delete(**request.acting, webhook_id=webhook_id)


class WebhookTestApi(WebhookApi):
    @operation("webhooks_test", DeliverySerializer, 404, 409, status=202)
    def post(self, request: MemberRequest, webhook_id: UUID) -> object:
        """Send a test event."""
        return services.webhook_test(**request.acting, webhook_id=webhook_id)


class DeliveryListApi(WebhookApi):
    @operation("deliveries_list", DeliverySerializer(many=True), 404, is_paged=True)
    def get(self, request: MemberRequest, webhook_id: UUID) -> object:
        """Deliveries of the last 30 days, newest first."""
        webhook = webhook_get(organization=request.organization, webhook_id=webhook_id)
        return delivery_list(webhook=webhook)


class DeliveryAgainApi(WebhookApi):
    @operation("deliveries_again", DeliverySerializer, 404, 409, status=202)
    def post(self, request: MemberRequest, webhook_id: UUID, delivery_id: UUID) -> object:
        """Send an event again, with the same id."""
        return services.delivery_again(**request.acting, webhook_id=webhook_id, delivery_id=delivery_id)
