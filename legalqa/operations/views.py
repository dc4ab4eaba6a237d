"""Two addresses for monitoring: is the process alive, and can it work."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from legalqa.operations.checks import READINESS, Level, checks_run


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django passes it
    """The process answers, without depending on anything else."""
    return HttpResponse("ok\n", content_type="text/plain")


@login_not_required
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether everything is there that requests and documents need; with the token, also what is missing."""
    checks = checks_run(READINESS)
    is_ready = all(check.level is not Level.FAIL for check in checks)
    body: dict[str, object] = {"ready": is_ready}
    if _may_know(request):
        body["checks"] = {check.name: {"level": str(check.level), "found": check.result} for check in checks}
    return JsonResponse(body, status=200 if is_ready else 503)


def _may_know(request: HttpRequest) -> bool:
    keyword, _, token = request.headers.get("Authorization", "").partition(" ")
    return bool(settings.HEALTH_TOKEN) and keyword == "Bearer" and constant_time_compare(token, settings.HEALTH_TOKEN)
