"""Operators' page about webhooks: whether they work, but not their secrets."""

from django.contrib import admin

from legalqa.common.admin import ReadOnlyAdmin
from legalqa.webhooks.models import Webhook


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin[Webhook]):
    list_display = ("url", "switched_off_at", "failures", "created_at")
    fields = ("url", "events", "created_by", "created_at", "switched_off_at", "switched_off_because", "failures")
