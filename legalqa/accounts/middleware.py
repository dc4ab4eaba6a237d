"""Pages are closed to the anonymous unless they say otherwise; htmx leaves for the sign-in page."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.http import urlencode


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """A redirect in answer to htmx would put the sign-in page into the middle of the page that asked."""

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
