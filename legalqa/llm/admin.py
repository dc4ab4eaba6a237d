"""Operators' pages about language models: what is set up, never a key."""

from django.contrib import admin

from legalqa.common.admin import ReadOnlyAdmin
from legalqa.llm.models import LLMCall, Provider, RoleModel


@admin.register(Provider)
class ProviderAdmin(ReadOnlyAdmin[Provider]):
    list_display = ("name", "base_url", "key_last4", "created_at")
    fields = ("name", "base_url", "key_last4", "key_changed_at", "created_by", "created_at")


@admin.register(RoleModel)
class RoleModelAdmin(ReadOnlyAdmin[RoleModel]):
    list_display = ("role", "model", "provider", "place", "price_in", "price_out")


@admin.register(LLMCall)
class LLMCallAdmin(ReadOnlyAdmin[LLMCall]):
    list_display = ("started_at", "role", "provider", "model", "outcome", "cost", "milliseconds")
    list_filter = ("outcome", "role")
    fields = (
        *("started_at", "role", "provider", "model", "model_replied", "outcome", "milliseconds"),
        *("input_tokens", "output_tokens", "is_estimated", "reserved", "cost"),
        *("is_fallback", "is_repair", "is_evaluation", "blocks_dropped"),
    )
