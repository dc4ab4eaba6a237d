"""Reserving money before a call and settling afterwards, so that simultaneous calls cannot exceed a cap.

Every change of a window is one UPDATE with the cap in its condition: of simultaneous calls, the database lets through
only those that fit. All processes take windows in the same order, so that they cannot deadlock.
"""

from datetime import date, datetime
from decimal import Decimal

from django.db.models import F
from django.utils import timezone

from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.llm.models import BudgetKind, BudgetWindow, GatewaySettings
from legalqa.llm.pricing import money

ALERT_AT = Decimal("0.8")
_SENTENCES = {
    BudgetKind.DAY: "The organisation's budget for today is used up.",
    BudgetKind.MONTH: "The organisation's budget for this month is used up.",
    BudgetKind.EVALUATION: "The organisation's budget for evaluations this month is used up.",
}


class BudgetSpent(Exception):
    """A cap does not allow the call; the message says which."""


def windows_of(*, started: datetime, is_evaluation: bool) -> list[tuple[BudgetKind, date]]:
    """The windows in which a call counts, in the order in which they are taken."""
    day = started.date()
    month = day.replace(day=1)
    windows = [(BudgetKind.DAY, day), (BudgetKind.MONTH, month)]
    return [*windows, (BudgetKind.EVALUATION, month)] if is_evaluation else windows


def cap_of(*, settings: GatewaySettings, kind: str) -> int | None:
    cap: int | None = getattr(settings, f"cap_{kind}")
    return cap


def budget_reserve(
    *, organization: Organization, settings: GatewaySettings, amount: int, started: datetime, is_evaluation: bool
) -> None:
    """Reserve `amount` millionths in every window; in the caller's transaction.

    Raises:
        BudgetSpent: a cap of the organisation does not allow it; the caller must roll back.
    """
    if settings.cap_request is not None and amount > settings.cap_request:
        raise BudgetSpent("This request could cost more than the limit per request. An owner can raise it.")
    for kind, starts in windows_of(started=started, is_evaluation=is_evaluation):
        window = BudgetWindow.objects.filter(organization=organization, kind=kind, starts=starts)
        BudgetWindow.objects.bulk_create(
            [BudgetWindow(organization=organization, kind=kind, starts=starts)], ignore_conflicts=True
        )
        if (cap := cap_of(settings=settings, kind=kind)) is not None:
            window = window.annotate(taken=F("spent") + F("reserved")).filter(taken__lte=cap - amount)
        if not window.update(reserved=F("reserved") + amount):
            raise BudgetSpent(_SENTENCES[kind])


def budget_settle(
    *,
    organization: Organization,
    settings: GatewaySettings,
    reserved: int,
    cost: int,
    started: datetime,
    is_evaluation: bool,
) -> None:
    """Replace what was reserved by what was spent; the first time that a cap is four fifths spent is audited.

    Args:
        organization: Whose call it was.
        settings: The caps of the organisation.
        reserved: For the call, in millionths of the price list's currency.
        cost: Of the call, in the same millionths.
        started: When the call began: it counts in the windows of that day and month.
        is_evaluation: Whether it also counts towards the cap of evaluations.
    """
    alerts: list[tuple[str, int]] = []
    for kind, starts in windows_of(started=started, is_evaluation=is_evaluation):
        window = BudgetWindow.objects.filter(organization=organization, kind=kind, starts=starts)
        window.update(reserved=F("reserved") - reserved, spent=F("spent") + cost)
        cap = cap_of(settings=settings, kind=kind)
        if cap and window.filter(spent__gte=int(cap * ALERT_AT), alerted_at=None).update(alerted_at=timezone.now()):
            alerts.append((str(kind), cap))
    for name, cap in alerts:
        audit(organization=organization, actor=None, action="budget.alerted", budget=name, cap=str(money(cap)))


def settings_save(*, organization: Organization, user: User, **values: bool | int | None) -> GatewaySettings:
    """Save what the organisation allows and its caps, in millionths; in the caller's scope."""
    row, _ = GatewaySettings.objects.get_or_create(organization=organization)
    fields = sorted(name for name, value in values.items() if getattr(row, name) != value)
    for name in fields:
        setattr(row, name, values[name])
    if fields:
        row.save(update_fields=fields)
        # A raised cap may be reached a second time, which is worth another alert.
        BudgetWindow.objects.filter(organization=organization).update(alerted_at=None)
        audit(
            organization=organization,
            actor=user,
            action="llm.settings_saved",
            subject_id=row.pk,
            fields=", ".join(fields).replace("_", " "),
        )
    return row
