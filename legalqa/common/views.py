"""Pages that belong to no app."""

import logging
import sys
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.utils.encoding import force_bytes
from django.views import defaults
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from legalqa.common.database.refusals import refusal_of
from legalqa.common.errors import Unavailable
from legalqa.common.logs import request_id

logger = logging.getLogger(__name__)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django passes it
    """A form from an old session: htmx reloads the page, a browser gets a sentence and a way back."""
    response = render(request, "403_csrf.html", status=403)
    if request.headers.get("HX-Request"):
        response["HX-Refresh"] = "true"
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address that leads nowhere: programs get the API's error shape, people a page."""
    if is_api(request):
        return JsonResponse({"message": "There is no such address.", "code": "not_found", "extra": {}}, status=404)
    return defaults.page_not_found(request, exception)


def fault(request: HttpRequest) -> HttpResponse:
    """A fault in our code, in the API's error shape or as a page; neither says more than that there was one."""
    if refusal := refusal_of(sys.exc_info()[1]):  # the database went away before a view was reached
        return unavailable(request, refusal)
    if is_api(request):
        message = "The request failed because of a technical fault, which was recorded. Try again in a minute."
        extra = {"request_id": request_id()}
        return JsonResponse({"message": message, "code": "fault", "extra": extra}, status=500)
    return _bare_page("500.html", status=500)


def unavailable(request: HttpRequest, refusal: Unavailable) -> HttpResponse:
    """The database is slow, busy or away; a program is told when to come back."""
    logger.warning("unavailable: %s", refusal.code, exc_info=True)
    if is_api(request):
        extra = refusal.extra | {"request_id": request_id()}
        body = {"message": refusal.message, "code": refusal.code, "extra": extra}
        response: HttpResponse = JsonResponse(body, status=refusal.status)
    else:
        response = _bare_page("503.html", status=refusal.status, message=refusal.message)
    response["Retry-After"] = "60"
    return response


def _bare_page(template: str, *, status: int, message: str = "") -> HttpResponse:
    """A page made without the request, because looking up the person may be what fails."""
    context = {"request_id": request_id(), "message": message}
    return HttpResponse(loader.get_template(template).render(context), status=status)


def is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


class ApiSchemaView(SpectacularAPIView):
    """The OpenAPI schema; open, because it names no organisation."""

    authentication_classes: list[Any] = []
    throttle_classes: list[Any] = []

    def _get_schema_response(self, request: Request) -> HttpResponse:
        renderer = request.accepted_renderer
        headers = {"Content-Disposition": f'inline; filename="LegalQA.{renderer.format}"'}
        return HttpResponse(_schema_as(renderer.format), content_type=renderer.media_type, headers=headers)


@cache  # looking through all views is slow, and anybody may ask, as often as they like
def _schema_as(kind: str) -> bytes:
    renderer = OpenApiJsonRenderer() if kind == "json" else OpenApiYamlRenderer()
    return force_bytes(renderer.render(SchemaGenerator().get_schema(public=True)))  # type: ignore[no-untyped-call]  # its library's


class ApiDocsView(SpectacularSwaggerSplitView):
    """Browsable documentation; its script is a file of its own, as the content-security-policy asks."""

    authentication_classes: list[Any] = []
    throttle_classes: list[Any] = []
    url_name = "api_schema"
    url_self = None
