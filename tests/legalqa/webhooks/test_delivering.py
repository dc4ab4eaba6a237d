"""A delivery ends once: what another process wrote while we sent is kept."""

from collections.abc import Iterator

import pytest
from django.db import connections
from pytest_django import Settings

from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job, JobState
from legalqa.webhooks.models import Delivery, DeliveryState, EventKind
from legalqa.webhooks.services import delivery_send, webhook_create, webhook_test
from legalqa.webhooks.services.events import SEND
from tests.legalqa.webhooks.receiver import Receiver
from tests.people import Firm, make_firm


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    open_one = Receiver()
    settings.WEBHOOK_PRIVATE = [open_one.origin]
    settings.WEBHOOK_ATTEMPTS = 2
    yield open_one
    open_one.close()


@pytest.fixture
def office(committed_db: None) -> Firm:
    """A firm that other connections see."""
    return make_firm("harding", "Harding & Stone")


def send(office: Firm, receiver: Receiver, *, meanwhile: DeliveryState) -> Delivery:
    """Send a test event, which another process closes while it is under way; returns what is written then."""
    webhook, _ = webhook_create(
        **office.by_manager, url=f"{receiver.origin}/in", events=[EventKind.DOCUMENT_READY.value]
    )

    def close() -> None:
        with organization_scope(office.organization, user=None):
            Delivery.objects.update(state=meanwhile, reason="Closed by another process.")
        connections.close_all()

    receiver.meanwhile = close
    with organization_scope(office.organization, user=office.manager):
        webhook_test(**office.by_manager, webhook_id=webhook.pk)
    delivery_send(job_id=Job.objects.get(task=SEND).pk)
    with organization_scope(office.organization, user=None):
        return Delivery.objects.select_related("webhook").get()


@pytest.mark.parametrize(
    ("status", "meanwhile"),
    [(200, DeliveryState.DEAD), (410, DeliveryState.DELIVERED), (500, DeliveryState.DELIVERED)],
    ids=["delivered", "gone", "to be repeated"],
)
def test_what_another_process_wrote_while_we_sent_is_kept(
    status: int, meanwhile: DeliveryState, office: Firm, receiver: Receiver
) -> None:
    receiver.statuses = [status]
    delivery = send(office, receiver, meanwhile=meanwhile)

    assert (delivery.state, delivery.reason) == (meanwhile, "Closed by another process.")


def test_a_last_try_that_fails_is_no_failure_where_the_delivery_has_ended(
    office: Firm, receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_ATTEMPTS = 1
    receiver.statuses = [500]
    delivery = send(office, receiver, meanwhile=DeliveryState.DELIVERED)

    assert (delivery.state, delivery.webhook.failures) == (DeliveryState.DELIVERED, 0)
    assert Job.objects.get(task=SEND).state == JobState.DONE
