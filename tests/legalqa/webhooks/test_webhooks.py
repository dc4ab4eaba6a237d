"""Webhooks: written down with what happened, delivered signed, repeated when it fails, given up in the end."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from corpora.services import corpus_reindex, document_remove, reindex_work
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.egress import EgressRefused
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.turns import job_sweep
from legalqa.webhooks.models import Delivery, DeliveryState, EventKind, Webhook
from legalqa.webhooks.services import (
    deliveries_clear,
    delivery_again,
    delivery_send,
    webhook_create,
    webhook_delete,
    webhook_rotate,
    webhook_switch,
    webhook_test,
)
from legalqa.webhooks.services.delivering import delay_s
from legalqa.webhooks.services.events import SEND
from tests.ingestion import ingest, make_corpus, run_job, upload
from tests.legalqa.webhooks.receiver import Receiver
from tests.people import Firm

ClientOf = Callable[[User], Client]
LEASE = "The tenant pays a rent of 900 euros each month.\n\nThe landlord repairs the roof.\n"
ALL = [kind.value for kind in EventKind if kind != EventKind.TEST]


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    open_one = Receiver()
    settings.WEBHOOK_PRIVATE = [open_one.origin]
    yield open_one
    open_one.close()


def hook(firm: Firm, receiver: Receiver, *, user: User | None = None, events: list[str] = ALL) -> tuple[Webhook, str]:
    return webhook_create(
        organization=firm.organization, user=user or firm.manager, url=f"{receiver.origin}/in", events=events
    )


def deliver_all(firm: Firm) -> None:
    """Every delivery that waits tries once, as the worker would have it try when its time has come."""
    waiting = Job.objects.filter(organization_id=firm.organization.pk, task=SEND, state=JobState.QUEUED)
    waiting.update(lease_until=None)
    for job in waiting.order_by("created_at"):
        delivery_send(job_id=job.pk)


def deliveries(firm: Firm) -> list[Delivery]:
    with organization_scope(firm.organization, user=None):
        return list(Delivery.objects.select_related("webhook").order_by("created_at"))


def webhook_of(firm: Firm) -> Webhook:
    with organization_scope(firm.organization, user=None):
        return Webhook.objects.get()


def send_test(firm: Firm, webhook: Webhook) -> Delivery:
    with organization_scope(firm.organization, user=firm.manager):
        return webhook_test(**firm.by_manager, webhook_id=webhook.pk)


# -- What is told -----------------------------------------------------------------------------------------------------


def test_a_document_that_is_ready_is_told_of_in_ids_and_states_only(firm: Firm, receiver: Receiver) -> None:
    _, secret = hook(firm, receiver)
    corpus = make_corpus(firm)
    document = ingest(firm, corpus, "lease.md", LEASE).document
    deliver_all(firm)

    [received] = receiver.received
    assert received.payload["type"] == "document.ready"
    assert received.payload["data"] == {
        "corpus_id": str(corpus.pk),
        "document_id": str(document.pk),
        "version": 1,
        "state": "ready",
    }
    assert received.is_signed_with(secret)
    assert not received.is_signed_with("whsec_" + "A" * 43 + "=")
    assert b"rent" not in received.body
    assert b"lease" not in received.body
    assert received.headers["webhook-id"] == str(deliveries(firm)[0].event_id)
    assert abs(int(received.headers["webhook-timestamp"]) - timezone.now().timestamp()) < 300


def test_a_document_that_is_refused_is_told_of_with_its_reason(firm: Firm, receiver: Receiver) -> None:
    hook(firm, receiver)
    ingest(firm, make_corpus(firm), "empty.md", " \n\n ")
    deliver_all(firm)

    [payload] = [received.payload for received in receiver.received]
    assert payload["type"] == "document.failed"
    assert payload["data"]["state"] == "refused"
    assert payload["data"]["reason"]


def test_a_document_whose_job_used_up_its_tries_is_told_of(firm: Firm, receiver: Receiver, settings: Settings) -> None:
    hook(firm, receiver)
    taken = upload(firm, make_corpus(firm), "lease.md", LEASE)
    Job.objects.filter(pk=taken.job.pk).update(attempts=settings.JOB_ATTEMPTS)
    run_job(taken.job)
    deliver_all(firm)

    [payload] = [received.payload for received in receiver.received]
    assert (payload["type"], payload["data"]["state"]) == ("document.failed", "failed")
    assert payload["data"]["reason"] == "crashed"


def test_a_removal_and_a_new_index_are_told_of(firm: Firm, receiver: Receiver) -> None:
    corpus = make_corpus(firm)
    document = ingest(firm, corpus, "lease.md", LEASE).document
    hook(firm, receiver)
    with organization_scope(firm.organization, user=firm.manager):
        job = corpus_reindex(**firm.by_manager, corpus_id=corpus.pk)
    while Job.objects.get(pk=job.pk).is_open:
        reindex_work(job_id=job.pk)
    with organization_scope(firm.organization, user=firm.manager):
        document_remove(**firm.by_manager, document_id=document.pk)
    deliver_all(firm)

    assert [received.payload["type"] for received in receiver.received] == ["corpus.indexed", "document.removed"]
    assert receiver.received[0].payload["data"] == {"corpus_id": str(corpus.pk), "state": "indexed"}


def test_a_webhook_hears_of_what_it_asked_for_only(firm: Firm, receiver: Receiver) -> None:
    hook(firm, receiver, events=["document.removed"])
    ingest(firm, make_corpus(firm), "lease.md", LEASE)

    assert deliveries(firm) == []


def test_a_webhook_hears_of_walled_corpora_that_its_maker_may_see_only(firm: Firm, receiver: Receiver) -> None:
    hook(firm, receiver, user=firm.manager)
    walled = make_corpus(firm, "Larch", is_walled=True, user=firm.owner)
    ingest(firm, walled, "lease.md", LEASE, user=firm.owner)
    assert deliveries(firm) == []

    make_corpus(firm, "Birch", is_walled=True, user=firm.manager, files={"lease.md": LEASE})
    assert [delivery.kind for delivery in deliveries(firm)] == ["document.ready"]


def test_nobody_is_told_of_what_did_not_happen(firm: Firm, receiver: Receiver) -> None:
    """The event is written in the transaction of the act: where that is rolled back, there is neither row nor job."""
    hook(firm, receiver)
    document = ingest(firm, make_corpus(firm), "lease.md", LEASE).document
    deliver_all(firm)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        with organization_scope(firm.organization, user=firm.manager):
            document_remove(**firm.by_manager, document_id=document.pk)
        1 / 0  # noqa: B018 - it raises

    assert [delivery.kind for delivery in deliveries(firm)] == ["document.ready"]
    assert Job.objects.filter(task=SEND).count() == 1


def test_another_organisation_hears_nothing(firm: Firm, rivals: Firm, receiver: Receiver) -> None:
    hook(rivals, receiver)
    ingest(firm, make_corpus(firm), "lease.md", LEASE)

    assert deliveries(firm) == deliveries(rivals) == []
    assert not Job.objects.filter(task=SEND).exists()


# -- When it fails ----------------------------------------------------------------------------------------------------


def test_a_delivery_that_fails_is_repeated_later_with_the_same_id_and_body(firm: Firm, receiver: Receiver) -> None:
    webhook, _ = hook(firm, receiver)
    receiver.statuses = [500, 302]
    send_test(firm, webhook)
    deliver_all(firm)
    [delivery], [job] = deliveries(firm), Job.objects.filter(task=SEND)

    assert (delivery.state, delivery.attempts, delivery.status) == ("waiting", 1, 500)
    assert delivery.reason == "The receiver answered 500."
    assert delivery.next_at is not None
    assert delivery.next_at > timezone.now()
    assert job.state == JobState.QUEUED
    assert job.attempts == 0, "what the receiver does wrong is not a fault of the job's"
    delivery_send(job_id=job.pk)
    job_sweep()
    assert len(receiver.received) == 1, "not before its time"

    deliver_all(firm)
    deliver_all(firm)
    assert [d.state for d in deliveries(firm)] == ["delivered"]
    assert len({received.event_id for received in receiver.received}) == 1
    assert len({received.body for received in receiver.received}) == 1
    assert len(receiver.received) == 3
    assert Job.objects.get(task=SEND).state == JobState.DONE


def test_the_waits_grow_and_are_spread(settings: Settings) -> None:
    settings.WEBHOOK_FIRST_DELAY_S = 10
    waits = [[delay_s(attempts=attempt) for _ in range(50)] for attempt in range(1, 9)]

    assert all(7.5 <= wait <= 12.5 for wait in waits[0])
    assert all(max(earlier) < min(later) for earlier, later in pairwise(waits[:6]))
    assert max(waits[-1]) <= 1.25 * 6 * 3600
    assert all(len(set(some)) > 1 for some in waits)


def test_after_its_last_try_a_delivery_is_given_up_and_in_the_end_the_webhook_is_switched_off(
    firm: Firm, receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_ATTEMPTS, settings.WEBHOOK_FAILURES = 2, 2
    webhook, _ = hook(firm, receiver)
    receiver.statuses = [500] * 20
    for _ in range(2):
        send_test(firm, webhook)
        deliver_all(firm)
        deliver_all(firm)

    assert [(d.state, d.attempts) for d in deliveries(firm)] == [("dead", 2), ("dead", 2)]
    webhook = webhook_of(firm)
    assert not webhook.is_on
    assert webhook.switched_off_because == "2 deliveries in a row failed."
    with organization_scope(firm.organization, user=firm.owner):
        assert AuditEvent.objects.filter(action="webhook.failed", subject_id=webhook.pk).count() == 1
    ingest(firm, make_corpus(firm), "lease.md", LEASE)
    assert len(deliveries(firm)) == 2, "nothing is kept for it"


def test_a_delivery_that_works_forgets_the_failures_before_it(
    firm: Firm, receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_ATTEMPTS = 1
    webhook, _ = hook(firm, receiver)
    receiver.statuses = [500]
    send_test(firm, webhook)
    deliver_all(firm)
    assert webhook_of(firm).failures == 1
    send_test(firm, webhook)
    deliver_all(firm)

    assert webhook_of(firm).failures == 0


def test_a_receiver_that_is_gone_ends_the_webhook_at_once(firm: Firm, receiver: Receiver) -> None:
    webhook, _ = hook(firm, receiver)
    receiver.statuses = [410]
    send_test(firm, webhook)
    deliver_all(firm)

    assert [d.state for d in deliveries(firm)] == ["dead"]
    assert "410" in webhook_of(firm).switched_off_because


def test_a_webhook_whose_name_leads_inside_later_is_not_called(
    firm: Firm, receiver: Receiver, settings: Settings
) -> None:
    webhook, _ = hook(firm, receiver)
    settings.WEBHOOK_PRIVATE = []
    send_test(firm, webhook)
    deliver_all(firm)

    assert receiver.received == []
    assert deliveries(firm)[0].reason.startswith("The address must begin with https://")


def test_a_receiver_that_is_away_is_a_sentence_in_the_log(firm: Firm, settings: Settings) -> None:
    closed = Receiver()
    settings.WEBHOOK_PRIVATE = [closed.origin]
    webhook, _ = hook(firm, closed)
    closed.close()
    send_test(firm, webhook)
    deliver_all(firm)

    assert deliveries(firm)[0].reason == "The server refused the connection."


def test_what_waits_is_not_delivered_once_the_webhook_is_off_or_gone(firm: Firm, receiver: Receiver) -> None:
    webhook, _ = hook(firm, receiver)
    send_test(firm, webhook)
    with organization_scope(firm.organization, user=firm.manager):
        webhook_switch(**firm.by_manager, webhook_id=webhook.pk, is_on=False)
    deliver_all(firm)
    assert [d.state for d in deliveries(firm)] == ["dead"]

    with organization_scope(firm.organization, user=firm.manager):
        webhook_switch(**firm.by_manager, webhook_id=webhook.pk, is_on=True)
        webhook_test(**firm.by_manager, webhook_id=webhook.pk)
        webhook_delete(**firm.by_manager, webhook_id=webhook.pk)
    deliver_all(firm)
    assert receiver.received == []
    assert set(Job.objects.filter(task=SEND).values_list("state", flat=True)) == {JobState.DONE}


# -- Managing ---------------------------------------------------------------------------------------------------------


def test_an_event_can_be_sent_again_with_its_old_id(firm: Firm, receiver: Receiver) -> None:
    webhook, _ = hook(firm, receiver)
    delivery = send_test(firm, webhook)
    arguments: dict[str, Any] = {
        "organization": firm.organization,
        "user": firm.manager,
        "webhook_id": webhook.pk,
        "delivery_id": delivery.pk,
    }
    with (
        organization_scope(firm.organization, user=firm.manager),
        pytest.raises(Conflict, match="already being delivered"),
    ):
        delivery_again(**arguments)
    deliver_all(firm)
    with organization_scope(firm.organization, user=firm.manager):
        assert delivery_again(**arguments).state == DeliveryState.WAITING
    deliver_all(firm)

    assert [received.event_id for received in receiver.received] == [str(delivery.event_id)] * 2


def test_while_a_secret_is_exchanged_both_sign(firm: Firm, receiver: Receiver) -> None:
    webhook, old = hook(firm, receiver)
    with organization_scope(firm.organization, user=firm.manager):
        _, new = webhook_rotate(**firm.by_manager, webhook_id=webhook.pk)
    send_test(firm, webhook)
    deliver_all(firm)
    assert receiver.received[0].is_signed_with(old)
    assert receiver.received[0].is_signed_with(new)

    with organization_scope(firm.organization, user=firm.manager):
        Webhook.objects.update(old_secret_until=timezone.now() - timedelta(seconds=1))
    send_test(firm, webhook)
    deliver_all(firm)
    assert not receiver.received[1].is_signed_with(old)
    assert receiver.received[1].is_signed_with(new)


def test_secrets_are_encrypted_in_the_database(firm: Firm, receiver: Receiver) -> None:
    from django.db import connection

    _, secret = hook(firm, receiver)
    with organization_scope(firm.organization, user=firm.manager), connection.cursor() as cursor:
        cursor.execute("SELECT w::text FROM webhooks_webhook w")
        [(row,)] = cursor.fetchall()

    assert secret not in row
    assert secret.removeprefix("whsec_") not in row


@pytest.mark.parametrize(
    ("url", "events", "error"),
    [
        ("http://93.184.216.34/", ALL, EgressRefused),
        ("https://127.0.0.1/", ALL, EgressRefused),
        ("https://169.254.169.254/latest/", ALL, EgressRefused),
        ("https://93.184.216.34/", [], ApplicationError),
        ("https://93.184.216.34/", ["document.eaten"], ApplicationError),
        ("https://93.184.216.34/", ["webhook.test"], ApplicationError),
    ],
)
def test_a_webhook_that_cannot_be_is_refused(
    url: str, events: list[str], error: type[ApplicationError], firm: Firm
) -> None:
    with pytest.raises(error) as refusal:
        webhook_create(**firm.by_manager, url=url, events=events)

    assert refusal.value.message.endswith(".")


def test_an_organisation_has_an_address_once_and_a_limited_number_in_all(firm: Firm, settings: Settings) -> None:
    settings.WEBHOOKS_MAX = 1

    def make(path: str) -> None:
        webhook_create(**firm.by_manager, url=f"https://93.184.216.34/{path}", events=ALL)

    make("a")
    with pytest.raises(Conflict, match="at most 1"):
        make("b")
    settings.WEBHOOKS_MAX = 5
    with pytest.raises(Conflict, match="already"):
        make("a")


def test_old_deliveries_go_and_those_that_wait_stay(firm: Firm, receiver: Receiver) -> None:
    webhook, _ = hook(firm, receiver)
    for _ in range(3):
        send_test(firm, webhook)
    first, second, third = deliveries(firm)
    month = timezone.now() - timedelta(days=31)
    with organization_scope(firm.organization, user=None):
        Delivery.objects.filter(pk__in=[first.pk, second.pk]).update(created_at=month)
        Delivery.objects.filter(pk=first.pk).update(state=DeliveryState.DELIVERED)

    assert deliveries_clear() == 1
    assert {d.pk for d in deliveries(firm)} == {second.pk, third.pk}


def test_a_webhook_or_job_that_is_not_there_does_nothing(firm: Firm) -> None:
    with pytest.raises(NotFound):
        with organization_scope(firm.organization, user=firm.manager):
            webhook_test(**firm.by_manager, webhook_id=firm.organization.pk)
    delivery_send(job_id=firm.organization.pk)
    assert not Job.objects.exists()


# -- The page ---------------------------------------------------------------------------------------------------------


def test_a_manager_makes_a_webhook_sees_its_secret_once_and_its_log(
    firm: Firm, receiver: Receiver, client_of: ClientOf
) -> None:
    client = client_of(firm.manager)
    made = client.post(
        reverse("webhook_create", args=["harding"]), {"url": f"{receiver.origin}/in", "events": ["document.ready"]}
    )
    secret, webhook = made.context["new_secret"], webhook_of(firm)
    assert secret.startswith("whsec_")
    assert secret in made.content.decode()
    page = reverse("webhook_detail", args=["harding", webhook.pk])
    assert secret not in client.get(page).content.decode()

    client.post(reverse("webhook_test", args=["harding", webhook.pk]))
    deliver_all(firm)
    log = client.get(page).content.decode()
    assert str(receiver.received[0].event_id) in log
    assert "Delivered" in log
    again = client.post(reverse("webhook_redeliver", args=["harding", webhook.pk, deliveries(firm)[0].pk]), follow=True)
    assert "being sent again" in again.content.decode()


def test_the_page_says_why_an_address_is_not_taken(firm: Firm, client_of: ClientOf) -> None:
    response = client_of(firm.manager).post(
        reverse("webhook_create", args=["harding"]), {"url": "https://10.0.0.7/", "events": ["document.ready"]}
    )

    assert response.status_code == 422
    assert "is in a private network" in response.content.decode()


def test_the_page_says_that_a_webhook_is_off_and_lets_it_be_switched_on(
    firm: Firm, receiver: Receiver, client_of: ClientOf
) -> None:
    webhook, _ = hook(firm, receiver)
    client, page = client_of(firm.owner), reverse("webhook_detail", args=["harding", webhook.pk])
    client.post(reverse("webhook_switch", args=["harding", webhook.pk]), {"is_on": "no"})
    assert 'id="webhook-off"' in client.get(page).content.decode()
    refused = client.post(reverse("webhook_test", args=["harding", webhook.pk]), follow=True)
    assert "switched off" in refused.content.decode()
    client.post(reverse("webhook_switch", args=["harding", webhook.pk]), {"is_on": "yes"})
    assert 'id="webhook-off"' not in client.get(page).content.decode()
