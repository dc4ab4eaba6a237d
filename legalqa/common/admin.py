"""Base of the operators' pages: they look, and change nothing."""

from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

_M = TypeVar("_M", bound=Model)
_ON_TEXT = {"iexact", "contains", "icontains", "startswith", "istartswith"}
LOOKUPS = frozenset({"", "exact", "in", "isnull", "gt", "gte", "lt", "lte"} | _ON_TEXT)


class ReadOnlyAdmin(admin.ModelAdmin[_M]):
    """For operators to read: the columns of the list, and `fields` where a row's own page shows others.

    A column that is named in neither is not shown anywhere, so that a new column stays hidden until somebody lists it.

    needs_organization: The rows belong to an organisation, so the operator must have entered it
        (`legalqa.admin_site`); False for tables that are kept outside all organisations.
    """

    needs_organization = True
    show_full_result_count = False
    list_per_page = 50
    view_on_site = False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields or [str(name) for name in self.list_display]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Columns that the list does not show cannot be filtered by, or their values could be guessed letter by letter.

        Nor can a row that a shown column leads to: only the columns themselves, and plain comparisons.
        """
        name, _, comparison = lookup.partition("__")
        offered = {*self.list_display, *self.list_filter, *(field.lstrip("^=@") for field in self.search_fields)}
        return name in offered and comparison in LOOKUPS

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_staff)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
