"""Operators' pages about language models: what is set up, never a key."""

from django.contrib import admin

from legalqa.common.admin import ReadOnlyAdmin
from legalqa.llm.models import LLMCall, Provider, RoleModel


@admin.register(Provider)
class ProviderAdmin(ReadOnlyAdmin[Provider]):
    list_display = ("name", "base_url", "key_last4", "created_at")
    exclude = ("sealed_key",)


@admin.register(RoleModel)
class RoleModelAdmin(ReadOnlyAdmin[RoleModel]):
    list_display = ("role", "model", "provider", "place", "price_in", "price_out")


@admin.register(LLMCall)
class LLMCallAdmin(ReadOnlyAdmin[LLMCall]):
    list_display = ("started_at", "role", "provider", "model", "outcome", "cost", "milliseconds")
    list_filter = ("outcome", "role")
