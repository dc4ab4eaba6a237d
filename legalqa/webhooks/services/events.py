"""Recording events for every webhook that subscribes to them, in the transaction that causes them.

This is the outbox: if the transaction commits, the delivery is there and its job is enqueued; if it does not, nobody
hears of something that never happened.
"""

from collections.abc import Collection, Iterable, Mapping
from uuid import UUID, uuid4

from django.utils import timezone

from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.common.errors import Conflict
from legalqa.jobs.models import Lane
from legalqa.jobs.services import job_create
from legalqa.webhooks.models import Delivery, EventKind, Webhook
from legalqa.webhooks.selectors import webhook_get

SEND = "legalqa.webhooks.tasks.delivery_send"


def event_emit(
    *,
    organization_id: UUID,
    kind: EventKind,
    corpus_id: UUID,
    readers: Collection[UUID] | None,
    document_id: UUID | None = None,
    version: int | None = None,
    state: str = "",
    reason: str = "",
    experiment_id: UUID | None = None,
    is_regression: bool | None = None,
) -> int:
    """Record an event and return for how many webhooks; in the caller's transaction and scope.

    Args:
        readers: People who may see the corpus, if it is walled; None for an open one.
        version: Number of the document's version.
        state: Of the document or the experiment.
        reason: A code, if it was refused or failed.
        is_regression: Whether an experiment found something worse than the previous one; None if it is the first.
    """
    webhooks = Webhook.objects.filter(
        organization_id=organization_id, switched_off_at=None, events__contains=[kind.value]
    )
    if readers is not None:
        webhooks = webhooks.filter(created_by_id__in=readers)
    data = {
        "corpus_id": str(corpus_id),
        "document_id": str(document_id) if document_id else None,
        "version": version,
        "state": state or None,
        "reason": reason or None,
        "experiment_id": str(experiment_id) if experiment_id else None,
        "regression": is_regression,
    }
    details = {name: value for name, value in data.items() if value is not None}
    return len(_deliver(list(webhooks), kind, details))


def webhook_test(*, organization: Organization, user: User, webhook_id: UUID) -> Delivery:
    """Send a test event, to try a receiver before anything happens.

    Raises:
        NotFound: no such webhook.
        Conflict: it is switched off.
    """
    webhook = webhook_get(organization=organization, webhook_id=webhook_id)
    if not webhook.is_on:
        raise Conflict("The webhook is switched off. Switch it on first.", code="webhook_off")
    [delivery] = _deliver([webhook], EventKind.TEST, {})
    audit(organization=organization, actor=user, action="webhook.tested", subject_id=webhook.pk)
    return delivery


def _deliver(webhooks: Iterable[Webhook], kind: EventKind, data: Mapping[str, object]) -> list[Delivery]:
    """One event for each webhook."""
    event_id = uuid4()
    payload = {"type": kind.value, "timestamp": timezone.now().isoformat(), "data": data}
    deliveries = []
    for webhook in webhooks:
        delivery = Delivery.objects.create(
            organization_id=webhook.organization_id, webhook=webhook, event_id=event_id, kind=kind, payload=payload
        )
        job_create(organization=webhook.organization_id, task=SEND, subject_id=delivery.pk, user=None, lane=Lane.ALWAYS)
        deliveries.append(delivery)
    return deliveries
