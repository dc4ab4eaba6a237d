"""Pages that belong to no app."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django passes it
    """A form from an old session: htmx reloads the page, a browser gets a sentence and a way back."""
    response = render(request, "403_csrf.html", status=403)
    if request.headers.get("HX-Request"):
        response["HX-Refresh"] = "true"
    return response


class ApiSchemaView(SpectacularAPIView):
    """The OpenAPI schema; open, because it names no organisation."""

    authentication_classes: list[Any] = []
    throttle_classes: list[Any] = []


class ApiDocsView(SpectacularSwaggerSplitView):
    """Browsable documentation; its script is a file of its own, as the content-security-policy asks."""

    authentication_classes: list[Any] = []
    throttle_classes: list[Any] = []
    url_name = "api_schema"
    url_self = None
