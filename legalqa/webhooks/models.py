"""Addresses that receive events, and what was delivered to each."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from legalqa.accounts.scoping import SameOrganizationKey, UuidModel
from legalqa.common.encryption import EncryptedTextField
from legalqa.common.transitions import Transitions


class EventKind(models.TextChoices):
    """The labels are shown on the page where webhooks are added."""

    DOCUMENT_READY = "document.ready", "A document can be searched"
    DOCUMENT_FAILED = "document.failed", "A document was refused or could not be read"
    DOCUMENT_REMOVED = "document.removed", "A document was removed"
    CORPUS_INDEXED = "corpus.indexed", "The index of a corpus was rebuilt"
    EXPERIMENT_ENDED = "experiment.ended", "An experiment has ended"
    TEST = "webhook.test", "A test"


SUBSCRIBABLE = tuple(kind for kind in EventKind if kind != EventKind.TEST)


class Webhook(UuidModel):
    """An address of the organisation. It receives events for the corpora that its creator may see.

    old_secret: Signs as well as the new one until `old_secret_until`, so that the receiver can be updated.
    failures: Deliveries in a row that were given up; at WEBHOOK_FAILURES the webhook is switched off.
    """

    url = models.CharField(max_length=500)
    events = ArrayField(models.CharField(max_length=40))
    secret = EncryptedTextField()
    old_secret = EncryptedTextField(default="")
    old_secret_until = models.DateTimeField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    switched_off_at = models.DateTimeField(null=True)
    switched_off_because = models.CharField(max_length=200, default="")
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "url"], name="webhook_once")]

    def __str__(self) -> str:
        return self.url

    @property
    def is_on(self) -> bool:
        return self.switched_off_at is None


class DeliveryState(models.TextChoices):
    WAITING = "waiting", "Waiting"
    DELIVERED = "delivered", "Delivered"
    DEAD = "dead", "Given up"


DELIVERY_TRANSITIONS: Transitions[DeliveryState] = {
    DeliveryState.WAITING: frozenset({DeliveryState.DELIVERED, DeliveryState.DEAD}),
    DeliveryState.DELIVERED: frozenset({DeliveryState.WAITING}),  # somebody sends it again
    DeliveryState.DEAD: frozenset({DeliveryState.WAITING}),
}


class Delivery(UuidModel):
    """One event for one webhook: written in the transaction that causes it, delivered by a job.

    payload: Ids and states, no content. The bytes made from it are the same at every try.
    """

    webhook = SameOrganizationKey(Webhook)
    event_id = models.UUIDField()
    kind = models.CharField(max_length=40, choices=EventKind)
    payload = models.JSONField()
    state = models.CharField(max_length=12, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=200, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    tried_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "webhook", "event_id"], name="delivery_once"),
            models.CheckConstraint(condition=models.Q(kind__in=EventKind.values), name="delivery_kind_known"),
            models.CheckConstraint(condition=models.Q(state__in=DeliveryState.values), name="delivery_state_known"),
        ]
        indexes = [models.Index(fields=["organization", "webhook", "-created_at"], name="delivery_by_time")]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"
