"""The webhooks that an organisation's owners and corpus managers set up."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from legalqa.accounts.access import MANAGERS
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import member_list
from legalqa.accounts.services import audit
from legalqa.common.egress import target_of
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.webhooks.models import SUBSCRIBABLE, Webhook
from legalqa.webhooks.selectors import webhook_get
from legalqa.webhooks.signing import secret_make

OLD_SECRET_HOURS = 24


def webhook_create(*, organization: Organization, user: User, url: str, events: Collection[str]) -> tuple[Webhook, str]:
    """Create a webhook and return it with its secret, which is not shown again.

    Opens its own transaction, after the name in the address was looked up.

    Raises:
        EgressRefused: the address is malformed, or does not lead to a public machine.
        ApplicationError: no event, or an unknown one.
        Conflict: the organisation already has a webhook for this address, or too many webhooks.
    """
    names = [kind.value for kind in SUBSCRIBABLE if kind in events]
    if not names or set(events) - set(names):
        choices = ", ".join(SUBSCRIBABLE)
        raise ApplicationError(f"Choose at least one of these events: {choices}.", code="events")
    target_of(url, allowed=settings.WEBHOOK_PRIVATE)
    secret = secret_make()
    with organization_scope(organization, user=user):
        if Webhook.objects.filter(organization=organization).count() >= settings.WEBHOOKS_MAX:
            raise Conflict(
                f"An organisation has at most {settings.WEBHOOKS_MAX} webhooks. Remove one first.", code="too_many"
            )
        try:
            with transaction.atomic():
                webhook = Webhook.objects.create(
                    organization=organization, url=url, events=names, secret=secret, created_by=user
                )
        except IntegrityError:
            raise Conflict("A webhook already exists for this address. Change that one.", code="url_taken") from None
        audit(organization=organization, actor=user, action="webhook.created", subject_id=webhook.pk)
    return webhook, secret


def webhook_delete(*, organization: Organization, user: User, webhook_id: UUID) -> None:
    """Remove a webhook with its deliveries; pending ones are dropped.

    Raises:
        NotFound: no such webhook.
    """
    webhook_get(organization=organization, webhook_id=webhook_id).delete()
    audit(organization=organization, actor=user, action="webhook.deleted", subject_id=webhook_id)


def webhook_switch(*, organization: Organization, user: User, webhook_id: UUID, is_on: bool) -> Webhook:
    """Switch a webhook off or on again; events while it is off are not delivered later.

    If its creator has left or may no longer have webhooks, it passes to the person who switches it on.

    Raises:
        NotFound: no such webhook.
    """
    webhook_get(organization=organization, webhook_id=webhook_id)
    # Locked: a person who leaves at this moment must not leave a webhook switched on (`webhooks_end`).
    webhook = Webhook.objects.select_for_update().get(organization=organization, pk=webhook_id)
    if is_on and not _is_managed(webhook):  # the person who switches it on takes it over
        webhook.created_by = user
    webhook.switched_off_at = None if is_on else timezone.now()
    webhook.switched_off_because = "" if is_on else "Switched off by a person."
    webhook.failures = 0
    webhook.save(update_fields=["created_by", "switched_off_at", "switched_off_because", "failures"])
    action = "webhook.switched_on" if is_on else "webhook.switched_off"
    audit(organization=organization, actor=user, action=action, subject_id=webhook.pk)
    return webhook


def _is_managed(webhook: Webhook) -> bool:
    members = member_list(organization=webhook.organization)
    return members.filter(user_id=webhook.created_by_id, user__is_active=True, role__in=MANAGERS).exists()


def webhooks_end(*, organization: Organization, user: User, role: str | None, actor: User) -> None:
    """Switch off the webhooks of a person whose new role may have none; the role is None if they left.

    Follows `membership_changed` (settings.FOLLOWERS).
    """
    if role in MANAGERS:
        return
    because = f"{user}, who set it up, may no longer have webhooks here."[:200]
    theirs = Webhook.objects.filter(organization=organization, created_by=user, switched_off_at=None)
    webhooks = list(theirs.select_for_update().order_by("pk"))
    Webhook.objects.filter(pk__in=[webhook.pk for webhook in webhooks]).update(
        switched_off_at=timezone.now(), switched_off_because=because
    )
    for webhook in webhooks:
        audit(organization=organization, actor=actor, action="webhook.ended", subject_id=webhook.pk)


def webhook_rotate(*, organization: Organization, user: User, webhook_id: UUID) -> tuple[Webhook, str]:
    """Give a webhook a new secret; for a day, deliveries are signed with the old one as well.

    Raises:
        NotFound: no such webhook.
    """
    webhook = webhook_get(organization=organization, webhook_id=webhook_id)
    webhook.old_secret, webhook.secret = webhook.secret, secret_make()
    webhook.old_secret_until = timezone.now() + timedelta(hours=OLD_SECRET_HOURS)
    webhook.save(update_fields=["secret", "old_secret", "old_secret_until"])
    audit(organization=organization, actor=user, action="webhook.secret_renewed", subject_id=webhook.pk)
    return webhook, webhook.secret
