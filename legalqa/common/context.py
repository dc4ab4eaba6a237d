"""What every template may use besides what its view gives it."""

from django.http import HttpRequest


def organization_slug(request: HttpRequest) -> dict[str, str]:
    """`slug`, with which the addresses of the organisation begin; "" on pages that belong to none."""
    return {"slug": getattr(getattr(request, "organization", None), "slug", "")}
