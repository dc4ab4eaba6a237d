"""Delivering recorded events: at least once, with the same id at every try, and never into a private network."""

import json
import random
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.egress import EgressFailed, EgressRefused, post, target_of
from legalqa.common.errors import Conflict
from legalqa.common.faults import crash_point
from legalqa.common.transitions import sources
from legalqa.jobs.models import Lane
from legalqa.jobs.services import JobLater, Lease, job_create
from legalqa.jobs.sliced import job_task
from legalqa.webhooks.models import DELIVERY_TRANSITIONS, Delivery, DeliveryState, Webhook
from legalqa.webhooks.selectors import delivery_get, webhook_get
from legalqa.webhooks.services.events import SEND
from legalqa.webhooks.signing import signed_headers

DELAY_FACTOR = 4.0  # each wait is this many times the previous one
DELAY_MAX_S = 6 * 3600
GONE = 410  # the receiver wants no more events


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one try: a status, or a sentence that says why there is none."""

    status: int | None
    reason: str

    @property
    def is_delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


@job_task
def delivery_send(*, lease: Lease) -> bool:
    """Try to deliver one event; failed tries are repeated after growing waits, until the delivery is given up."""
    with organization_scope(lease.organization_id, user=None):
        waiting = Delivery.objects.select_related("webhook").select_for_update(of=("self",))
        delivery = waiting.filter(pk=lease.subject_id, state=DeliveryState.WAITING).first()
        if delivery is None:  # delivered, given up, or removed with its webhook
            return True
        if not delivery.webhook.is_on:
            _end(delivery, DeliveryState.DEAD, reason="The webhook was switched off.")
            return True
        delivery.attempts += 1  # before the try: a process that dies during it leaves no other trace
        delivery.tried_at, delivery.next_at = timezone.now(), None
        delivery.save(update_fields=["attempts", "tried_at", "next_at"])
        lease.begin(stage="sending")
    crash_point("webhook.counted")
    connection_give_back()
    outcome = _send(delivery)
    crash_point("webhook.sent")
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="sent")
        wait_s = _note(delivery, outcome)
    if wait_s is not None:
        raise JobLater(wait_s)
    return True


def _send(delivery: Delivery) -> Outcome:
    webhook, now = delivery.webhook, timezone.now()
    body = json.dumps(delivery.payload, separators=(",", ":"), sort_keys=True).encode()
    valid = [webhook.secret]
    if webhook.old_secret and webhook.old_secret_until is not None and webhook.old_secret_until > now:
        valid.append(webhook.old_secret)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "LegalQA-Webhooks/1",
        **signed_headers(secrets_=valid, event_id=str(delivery.event_id), timestamp=int(now.timestamp()), body=body),
    }
    try:
        target = target_of(webhook.url, allowed=settings.WEBHOOK_PRIVATE)
        reply = post(target, body=body, headers=headers, seconds=settings.WEBHOOK_SECONDS)
    except EgressRefused as refusal:
        return Outcome(None, refusal.message)
    except EgressFailed as failure:
        return Outcome(None, failure.reason)
    return Outcome(reply.status, "" if 200 <= reply.status < 300 else f"The receiver answered {reply.status}.")


def _note(delivery: Delivery, outcome: Outcome) -> float | None:
    """Record a try; returns the seconds until the next one, None if there is none."""
    # Lock the webhook's row to the end: if several deliveries end at once, each must count.
    webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
    if webhook is None:  # removed while we sent
        return None
    delivery.status = outcome.status
    if outcome.is_delivered:
        if _end(delivery, DeliveryState.DELIVERED, reason=outcome.reason):
            Webhook.objects.filter(pk=webhook.pk).update(failures=0)
        return None
    if outcome.status == GONE:
        _switch_off(webhook, "The receiver answered 410: it no longer accepts events.")
        _end(delivery, DeliveryState.DEAD, reason=outcome.reason)
        return None
    if delivery.attempts >= settings.WEBHOOK_ATTEMPTS:
        if not _end(delivery, DeliveryState.DEAD, reason=outcome.reason):
            return None
        webhook.failures += 1
        webhook.save(update_fields=["failures"])
        if webhook.failures >= settings.WEBHOOK_FAILURES and webhook.is_on:
            _switch_off(webhook, f"{webhook.failures} deliveries in a row failed.")
        return None
    wait_s = delay_s(attempts=delivery.attempts)
    waiting = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.WAITING)
    waiting.update(
        status=outcome.status, reason=outcome.reason[:200], next_at=timezone.now() + timedelta(seconds=wait_s)
    )
    return wait_s


def delay_s(*, attempts: int) -> float:
    """Seconds until the next try: growing, and spread by a quarter either way, so that receivers are not flooded."""
    full = min(DELAY_MAX_S, settings.WEBHOOK_FIRST_DELAY_S * DELAY_FACTOR ** (attempts - 1))
    return float(random.uniform(0.75 * full, 1.25 * full))  # noqa: S311 - spreads load, guards nothing


def _end(delivery: Delivery, state: DeliveryState, *, reason: str) -> bool:
    """Close a delivery that still waits; False if another process has already closed it: its result is kept."""
    waiting = Delivery.objects.filter(pk=delivery.pk, state__in=sources(DELIVERY_TRANSITIONS, state))
    return bool(waiting.update(state=state, status=delivery.status, reason=reason[:200], next_at=None))


def _switch_off(webhook: Webhook, because: str) -> None:
    webhook.switched_off_at, webhook.switched_off_because = timezone.now(), because
    webhook.save(update_fields=["switched_off_at", "switched_off_because"])
    audit(organization=webhook.organization, actor=None, action="webhook.failed", subject_id=webhook.pk)


def delivery_again(*, organization: Organization, user: User, webhook_id: UUID, delivery_id: UUID) -> Delivery:
    """Send an event again with its old id, so that a receiver can tell that it has seen it.

    Raises:
        NotFound: no such webhook or delivery.
        Conflict: it is still waiting, or the webhook is switched off.
    """
    webhook = webhook_get(organization=organization, webhook_id=webhook_id)
    delivery = delivery_get(webhook=webhook, delivery_id=delivery_id)
    if not webhook.is_on:
        raise Conflict("The webhook is switched off. Switch it on first.", code="webhook_off")
    waiting = DeliveryState.WAITING
    again = Delivery.objects.filter(pk=delivery.pk, state__in=sources(DELIVERY_TRANSITIONS, waiting))
    if not again.update(state=waiting, attempts=0, next_at=None):
        raise Conflict("This event is already being delivered.", code="delivery_waiting")
    job_create(organization=organization, task=SEND, subject_id=delivery.pk, user=user, lane=Lane.ALWAYS)
    audit(organization=organization, actor=user, action="webhook.redelivered", subject_id=webhook.pk)
    delivery.refresh_from_db()
    return delivery


def deliveries_clear() -> int:
    """Remove deliveries that ended a month ago; returns how many."""
    before, n_removed = timezone.now() - timedelta(seconds=settings.WEBHOOK_KEPT_S), 0
    for organization_id in Organization.objects.values_list("pk", flat=True):
        with organization_scope(organization_id, user=None):
            rows = Delivery.objects.filter(created_at__lt=before).exclude(state=DeliveryState.WAITING)
            n_removed += rows.delete()[0]
    return n_removed
