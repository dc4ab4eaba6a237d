"""Sessions that are over are removed by background work."""

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from django.utils.module_loading import import_string

from legalqa.accounts.models import User
from tests.people import Firm

TASK = "legalqa.accounts.tasks.sessions_clear"


def test_expired_sessions_are_cleared_daily_and_others_stay(firm: Firm, client_of: Callable[[User], Client]) -> None:
    over, current = client_of(firm.lawyer).session.session_key, client_of(firm.owner).session.session_key
    Session.objects.filter(pk=over).update(expire_date=timezone.now() - timedelta(seconds=1))
    import_string(TASK)()

    assert list(Session.objects.values_list("pk", flat=True)) == [current]
    assert settings.PERIODIC_TASKS[TASK] == 86_400
