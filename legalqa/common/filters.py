"""Which rows of a list, and in which order: one class a list, for its page and for its endpoint."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers


class ListFilter(FilterSet):  # type: ignore[misc]  # django-filter ships no types
    """A page reads `qs`, which passes over values that do not exist; an endpoint reads `rows`, which refuses them."""

    @property
    def rows(self) -> QuerySet[Any]:
        """
        Raises:
            serializers.ValidationError: a value is not one of those that exist; the sentence names them.
        """
        blank = {name: [self._refusal(name)] for name in self.filters if self.data.get(name) == ""}
        if blank or not self.is_valid():
            raise serializers.ValidationError(blank or self.errors)
        rows: QuerySet[Any] = self.qs
        return rows

    def _refusal(self, name: str) -> str:
        """The error for an empty value: a filter that is named must have one."""
        messages: dict[str, str] = self.filters[name].extra.get("error_messages", {})
        return messages.get("invalid_choice", "Give a value, or leave it out.") % {"value": ""}

    @classmethod
    def parameters(cls) -> list[OpenApiParameter]:
        """As the schema of the API declares them."""
        return [
            OpenApiParameter(
                name,
                str,
                enum=[key for key, _ in one.extra.get("choices", ())] or None,
                description=one.extra["help_text"],
            )
            for name, one in cls.base_filters.items()
        ]


def one_of(names: Iterable[str], *, words: str, **options: Any) -> ChoiceFilter:
    """A filter that takes one of these names.

    Args:
        words: What it asks for, in the API's schema.
    """
    choices = list(names)
    problem = f"'%(value)s' does not exist; choose one of: {', '.join(choices)}."
    return ChoiceFilter(
        choices=[(name, name) for name in choices],
        help_text=words,
        error_messages={"invalid_choice": problem},
        **options,
    )
