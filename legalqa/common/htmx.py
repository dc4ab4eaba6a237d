"""One view, one template: the whole page, or the part that htmx asked for."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.middleware import HtmxDetails

STOP_POLLING = 286  # htmx: swap, and do not ask again


class HtmxHttpRequest(HttpRequest):
    htmx: HtmxDetails


def render_partial(
    request: HttpRequest, template: str, context: dict[str, Any], *, partial: str, status: int = 200
) -> HttpResponse:
    """Render `template`, or only its partial `partial` when htmx asks."""
    is_fragment = bool(getattr(request, "htmx", False)) and not request.htmx.boosted  # type: ignore[attr-defined]  # of django-htmx
    return render(request, f"{template}#{partial}" if is_fragment else template, context, status=status)


def render_state(request: HttpRequest, template: str, context: dict[str, Any], *, is_working: bool) -> HttpResponse:
    """Render a part of a page that reloads itself every few seconds, until the work that it shows has ended."""
    return render(request, template, context, status=200 if is_working else STOP_POLLING)
