"""Ends sessions that have expired, and closes pages to people who are not signed in unless a page says otherwise."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.http import urlencode

from legalqa.accounts.services import session_seen
from legalqa.accounts.session_store import SIGNED_IN, is_over
from legalqa.common.origin import origin, origin_of


class SessionLifetimeMiddleware:
    """Ends a session that has lasted or been idle for too long, and notes for the audit log where a request is from."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with origin(origin_of(request)):
            if SESSION_KEY in request.session:
                note = request.session.get(SIGNED_IN)
                if note is None or is_over(note):
                    logout(request)
                else:
                    session_seen(request=request, note=note)
            return self.get_response(request)


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Redirects htmx by a header: otherwise it would put the sign-in page into the middle of the current page."""

    def handle_no_permission(  # type: ignore[override]  # the stubs name the class of Django's own answer
        self, request: HttpRequest, view_func: Callable[..., Any]
    ) -> HttpResponseBase:
        if request.headers.get("HX-Request") != "true":
            return super().handle_no_permission(request, view_func)
        # Back to the page in the address bar, not to the fragment.
        current = request.headers.get("HX-Current-URL", "").removeprefix(f"{request.scheme}://{request.get_host()}")
        back = {"next": current} if current.startswith("/") else {}
        response = HttpResponse(status=204)
        response["HX-Redirect"] = f"{resolve_url(self.get_login_url(view_func))}?{urlencode(back)}"
        return response
