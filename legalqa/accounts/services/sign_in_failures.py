"""Wrong passwords in the audit log, written after the response: its time must not reveal which accounts exist."""

from collections import Counter
from datetime import datetime

from axes.models import AccessFailureLog
from django.db import transaction

from legalqa.accounts.selectors import user_find
from legalqa.accounts.services.audit import audit_of_person
from legalqa.common.origin import Origin, origin

ROWS_AT_ONCE = 5_000


@transaction.atomic
def sign_in_failures_record() -> int:
    """Audit what the throttle has noted since the last time, one row per person and address; outside any scope.

    Returns:
        How many failures there were, including those for unknown addresses.
    """
    noted = list(AccessFailureLog.objects.select_for_update(skip_locked=True).order_by("pk")[:ROWS_AT_ONCE])
    tries: Counter[tuple[str, str]] = Counter()
    last: dict[tuple[str, str], datetime] = {}
    for row in noted:
        key = (row.username or "", row.ip_address or "")
        tries[key] += 1
        last[key] = row.attempt_time
    AccessFailureLog.objects.filter(pk__in=[row.pk for row in noted]).delete()
    for (email, address), n_tries in sorted(tries.items()):
        if person := user_find(email=email):
            with origin(Origin("page", address)):
                audit_of_person(
                    user=person,
                    actor=None,
                    action="sign_in.failed",
                    tries=n_tries,
                    last=last[email, address].isoformat(timespec="seconds"),
                )
    return len(noted)
