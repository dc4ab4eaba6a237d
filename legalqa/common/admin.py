"""Base of the operators' pages: they look, and change nothing."""

from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

_M = TypeVar("_M", bound=Model)


class ReadOnlyAdmin(admin.ModelAdmin[_M]):
    """For operators to read.

    needs_organization: The rows belong to an organisation, so the operator must have entered it
        (`legalqa.admin_site`); False for tables that are kept outside all organisations.
    """

    needs_organization = True
    show_full_result_count = False
    list_per_page = 50
    view_on_site = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """What is not shown cannot be filtered by either, or an address would spell it out letter by letter."""
        is_hidden = lookup.partition("__")[0] in (self.exclude or ())
        return not is_hidden and super().lookup_allowed(lookup, value, request)  # type: ignore[arg-type]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the framework's signature
        return bool(request.user.is_active and request.user.is_staff)

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False
