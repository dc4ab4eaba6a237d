"""How many wrong passwords are allowed: a few for one person from one address, more for the whole address."""

from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest


class SignInThrottle(AxesDatabaseHandler):  # type: ignore[misc]  # the library has no types
    """Adds a limit: the library has a single one, and five would lock out a whole office behind one address."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        return bool(super().is_locked(request, credentials)) or address_is_paused(request)

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any
    ) -> None:
        super().user_login_failed(sender, credentials, request, **kwargs)
        if request is not None and address_is_paused(request):
            request.axes_locked_out = True  # type: ignore[attr-defined]  # makes its middleware answer with the pause
            request.axes_credentials = credentials  # type: ignore[attr-defined]  # likewise


def address_is_paused(request: HttpRequest) -> bool:
    """Whether too many wrong passwords, for any accounts, came from the request's address in the length of a pause."""
    attempts = AccessAttempt.objects.filter(
        ip_address=request.axes_ip_address,  # type: ignore[attr-defined]  # set by the library
        attempt_time__gte=get_cool_off_threshold(request),
    )
    return int(attempts.aggregate(n=Sum("failures_since_start"))["n"] or 0) >= settings.LOGIN_FAILURES_ADDRESS
