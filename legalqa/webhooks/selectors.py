"""Webhooks of an organisation and their deliveries; inside its scope."""

from uuid import UUID

from django.db.models import QuerySet

from legalqa.accounts.models import Organization
from legalqa.common.errors import existing
from legalqa.webhooks.models import Delivery, Webhook

LOG_ROWS = 50


def webhook_list(*, organization: Organization) -> QuerySet[Webhook]:
    return Webhook.objects.filter(organization=organization).select_related("created_by").order_by("created_at")


def webhook_get(*, organization: Organization, webhook_id: UUID) -> Webhook:
    return existing(webhook_list(organization=organization).filter(pk=webhook_id).first(), "webhook")


def delivery_list(*, webhook: Webhook) -> QuerySet[Delivery]:
    """The webhook's deliveries, newest first."""
    return Delivery.objects.filter(organization_id=webhook.organization_id, webhook=webhook).order_by("-created_at")


def delivery_get(*, webhook: Webhook, delivery_id: UUID) -> Delivery:
    return existing(delivery_list(webhook=webhook).filter(pk=delivery_id).first(), "delivery")
