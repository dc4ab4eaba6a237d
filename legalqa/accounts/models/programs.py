"""What is stored about programs between their requests: replies by key, and counts of requests."""

from django.conf import settings
from django.db import models

from legalqa.accounts.scoping import UuidModel


class KeptReply(UuidModel):
    """A request that was sent with an idempotency key, and its reply once there is one.

    `subject_id` is set in the transaction of the act itself: a request that finds it after a kill answers from that
    object and does not act again. `lease` keeps a slow request from writing once another has taken over.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    endpoint = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    digest = models.CharField(max_length=64)
    lease = models.UUIDField()
    lease_until = models.DateTimeField()
    subject_id = models.UUIDField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(default="")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "user", "endpoint", "key"], name="kept_reply_once")
        ]
        indexes = [models.Index(fields=["organization", "created_at"], name="kept_reply_by_age")]

    def __str__(self) -> str:
        return f"{self.endpoint} {self.status or 'in progress'}"


class RequestCount(UuidModel):
    """Requests of one token, or of the organisation as a whole, in the current period and the previous one."""

    subject_id = models.UUIDField()  # the id of a token or an organisation
    kind = models.CharField(max_length=20)
    period = models.BigIntegerField()  # number of the period since 1970
    day = models.IntegerField()  # of the last request, in days since 1970: unused rows are removed
    n = models.PositiveIntegerField()
    n_before = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "subject_id", "kind"], name="request_count_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.n}"
