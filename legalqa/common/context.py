"""Variables of every template, besides those of its view."""

from django.http import HttpRequest


def organization_slug(request: HttpRequest) -> dict[str, str]:
    """`slug`, the organisation's part of its addresses; "" on pages that belong to none."""
    return {"slug": getattr(getattr(request, "organization", None), "slug", "")}
