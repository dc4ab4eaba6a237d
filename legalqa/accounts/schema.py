"""What the OpenAPI schema says of every endpoint: the scope it asks for, and whether it takes an Idempotency-Key."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from legalqa.accounts.api import KEY_HEADER
from legalqa.accounts.scopes import ANY_TOKEN, TokenScope
from legalqa.common.drf import Pages


class ApiSchema(AutoSchema):
    """The library's description, with ours added."""

    @property
    def _scope(self) -> str:
        return str(getattr(self.view, "scopes", {}).get(self.method.lower(), ANY_TOKEN))

    def get_description(self) -> str:  # type: ignore[override]  # the stubs name the framework's own
        description = str(super().get_description() or "")
        if self._scope == ANY_TOKEN:
            return description
        return f"{description}\n\nScope: `{self._scope}` ({TokenScope(self._scope).label}).".strip()

    def get_extensions(self) -> dict[str, Any]:
        scope = {} if self._scope == ANY_TOKEN else {"x-required-scope": self._scope}
        return {**super().get_extensions(), **scope}

    def _get_paginator(self) -> Pages | None:
        """A list that takes a limit is a page; the endpoints make it themselves, so the library cannot see it."""
        return Pages() if any(one.name == "limit" for one in self.get_override_parameters()) else None

    def get_override_parameters(self) -> list[Any]:
        parameters = list(super().get_override_parameters())
        if self.method.lower() in getattr(self.view, "idempotent", ()):
            parameters.append(
                OpenApiParameter(
                    KEY_HEADER,
                    str,
                    OpenApiParameter.HEADER,
                    description=(
                        "A text of your choice for this one request. Sent again with the same content within a day, "
                        "it brings the same reply, with the header Idempotent-Replayed, and nothing is done twice."
                    ),
                )
            )
        return parameters
