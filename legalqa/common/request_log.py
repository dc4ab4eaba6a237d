"""One line in the log for each request, and the id that ties everything it caused to it."""

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any

from django.http import HttpRequest, HttpResponse

from legalqa.common.logs import log_context, request_id_make

HEADER = "X-Request-ID"
QUIET = frozenset({"healthz", "readyz"})  # asked every few seconds

logger = logging.getLogger(__name__)


class RequestLogMiddleware:
    """The outermost middleware: gives the request its id, answers with it, and logs how the request ended."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        identity = request_id_make(request.headers.get(HEADER, ""))
        started = perf_counter()
        with log_context(request_id=identity):
            response = self.get_response(request)
            response[HEADER] = identity
            route = request.resolver_match.view_name if request.resolver_match else ""
            if route or response.status_code >= 400:  # static files have no route
                is_quiet = route in QUIET and response.status_code < 400
                milliseconds = round(1000 * (perf_counter() - started), 1)
                fields = _fields(request, response) | {"route": route, "ms": milliseconds}
                logger.log(logging.DEBUG if is_quiet else logging.INFO, "request", extra={"fields": fields})
        return response


def _fields(request: HttpRequest, response: HttpResponse) -> dict[str, Any]:
    """Ids only, and only those that the request has looked up anyway."""
    user = getattr(request, "_cached_user", None)
    organization = getattr(request, "organization", None)
    membership = getattr(request, "membership", None)
    return {
        "method": request.method,
        "status": response.status_code,
        "outcome": _outcome(response.status_code),
        "organization": str(organization.pk) if organization else "",
        "user": str(membership.user_id) if membership else str(user.pk) if user and user.pk else "",
    }


def _outcome(status: int) -> str:
    if status < 400:
        return "ok"
    return "refused" if status < 500 else "unavailable" if status == 503 else "fault"
