"""What the OpenAPI schema adds to every endpoint: the scope that it needs, and whether it takes an Idempotency-Key."""

import re
from typing import Any, Literal

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from legalqa.accounts.api import KEY_HEADER
from legalqa.accounts.scopes import ANY_TOKEN, TokenScope
from legalqa.common.drf import Pages

_SENTENCE_END = re.compile(r"(?<=[.;])\s|\n\n")
REPLIES = {
    "200": "Success: the requested data.",
    "201": "Created.",
    "202": "Accepted: the work continues in the background.",
    "204": "Success: no content.",
    "400": "The request is wrong; the message says which rule it breaks and what to do.",
    "401": "No token, or one that is not valid.",
    "403": "The token's scope or the person's role does not allow this.",
    "404": "There is no such object, or you may not see it.",
    "409": "The current state does not allow it; the message says why.",
    "413": "The request is larger than this address accepts.",
    "422": "The content cannot be used; the message says why.",
    "429": "Too many requests: wait for the time in `Retry-After`.",
    "502": "An external service did not answer as expected.",
    "507": "There is too little room on the server's disk; nothing was stored.",
    "503": "The system is busy or part of it is unavailable: try again later.",
}


class ApiSchema(AutoSchema):
    """The library's description, with ours added."""

    @property
    def _scope(self) -> str:
        return str(getattr(self.view, "scopes", {}).get(self.method.lower(), ANY_TOKEN))

    def get_summary(self) -> str:
        """The first sentence of the operation's description, for lists of operations."""
        text = str(super().get_summary() or super().get_description() or "")
        return " ".join(_SENTENCE_END.split(text, maxsplit=1)[0].split()).rstrip(".;")

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for code, body in bodies.items():
            body["description"] = body.get("description") or REPLIES.get(code, "")
        return bodies

    def get_description(self) -> str:  # type: ignore[override]  # the stubs name the framework's own
        description = str(super().get_description() or "")
        if self._scope == ANY_TOKEN:
            return description
        return f"{description}\n\nScope: `{self._scope}` ({TokenScope(self._scope).label}).".strip()

    def get_extensions(self) -> dict[str, Any]:
        scope = {} if self._scope == ANY_TOKEN else {"x-required-scope": self._scope}
        return {**super().get_extensions(), **scope}

    def _get_paginator(self) -> Pages | None:
        """A list that takes a limit is paged; the endpoints do that themselves, so the library cannot see it."""
        return Pages() if any(getattr(one, "name", "") == "limit" for one in self.get_override_parameters()) else None

    def _get_parameters(self) -> list[dict[str, Any]]:
        """Without the default "" of a choice, which means that nothing is chosen and is not one of its values."""
        parameters: list[dict[str, Any]] = super()._get_parameters()
        for schema in (one["schema"] for one in parameters):
            if "enum" in schema and schema.get("default") == "":
                del schema["default"]
        return parameters

    def get_override_parameters(self) -> list[Any]:
        parameters = list(super().get_override_parameters())
        if self.method.lower() in getattr(self.view, "idempotent", ()):
            parameters.append(
                OpenApiParameter(
                    KEY_HEADER,
                    str,
                    OpenApiParameter.HEADER,
                    description=(
                        "A string of your choice for this one request. If you repeat the request with the same "
                        "content within a day, you get the same reply, with the header Idempotent-Replayed, and "
                        "nothing is done twice."
                    ),
                )
            )
        return parameters
