"""Rules for every response: bad input is a 400, nothing with an organisation's data is cached."""

from collections.abc import Callable
from typing import Any

from django.db import DataError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from legalqa.common.database.refusals import refusal_of
from legalqa.common.errors import ApplicationError, TooMany, Unavailable
from legalqa.common.views import unavailable

GetResponse = Callable[[HttpRequest], HttpResponse]


class BadInputMiddleware:
    """Turns refused input into one sentence: ours, and what the database cannot store (NUL, lone surrogates)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if any(
            bad in value for value in (request.path, request.META.get("QUERY_STRING", "")) for bad in ("\x00", "%00")
        ):
            return self.refused(request, _UNSTORABLE)
        response = self.get_response(request)
        if response.status_code == 405 and not request.path.startswith("/api/"):
            return _only_a_form(request, allow=response.headers.get("Allow", "POST"))
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, ApplicationError):
            return self.refused(request, exception)
        if isinstance(exception, DataError | UnicodeEncodeError):
            return self.refused(request, _UNSTORABLE)
        if refusal := refusal_of(exception):
            return unavailable(request, refusal)
        return None

    def refused(self, request: HttpRequest, error: ApplicationError) -> HttpResponse:
        if isinstance(error, Unavailable):
            return unavailable(request, error)
        if request.path.startswith("/api/"):
            body: dict[str, Any] = {"message": error.message, "code": error.code, "extra": error.extra}
            return JsonResponse(body, status=error.status)
        template = f"{error.status}.html" if error.status in (403, 404) else "400.html"
        title = "Too many requests" if isinstance(error, TooMany) else ""
        return render(request, template, {"message": error.message, "title": title}, status=error.status)


def _only_a_form(request: HttpRequest, *, allow: str) -> HttpResponse:
    """The page of an address to which pages send their forms, when somebody opens it."""
    message = "This address only receives forms and has no page of its own. Go back and use the button there."
    context = {"message": message, "title": "Nothing to show here"}
    response = render(request, "400.html", context, status=405)
    response["Allow"] = allow
    return response


_UNSTORABLE = ApplicationError(
    "The request contains a character that cannot be stored (NUL or half a surrogate pair). Remove it and send it "
    "again.",
    code="unstorable_character",
)


# No page here uses any of these, so a script that got in could not either.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "autoplay",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "hid",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "publickey-credentials-get",
        "screen-wake-lock",
        "serial",
        "usb",
        "xr-spatial-tracking",
    )
)


class BrowserPolicyMiddleware:
    """What browsers are told besides Django's own headers: no devices, no reading from other sites."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("X-Permitted-Cross-Domain-Policies", "none")
        return response


class PrivateCacheMiddleware:
    """Pages with an organisation's data stay out of every cache, and fragments apart from pages."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["Vary"] = ", ".join(filter(None, [response.headers.get("Vary", ""), "HX-Request"]))
        return response
