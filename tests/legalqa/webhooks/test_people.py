"""A webhook belongs to the person who set it up, and ends with their place in the organisation."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import AuditEvent, Membership, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import member_remove, member_role_change
from legalqa.webhooks.models import Delivery, Webhook
from legalqa.webhooks.services import webhook_create, webhook_switch
from tests.ingestion import ingest, make_corpus
from tests.people import PASSWORD, Firm

ClientOf = Callable[[User], Client]
URL = "https://hooks.example.com/in"


@pytest.fixture
def webhook(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> Webhook:
    # No names are looked up in tests.
    monkeypatch.setattr("legalqa.webhooks.services.endpoints.target_of", lambda url, **_: url)
    return webhook_create(**firm.by_manager, url=URL, events=["document.ready"])[0]


def leave(firm: Firm, role: Role | None) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        membership = Membership.objects.get(user=firm.manager)
        if role is None:
            member_remove(organization=firm.organization, actor=firm.owner, membership_id=membership.pk)
        else:
            member_role_change(organization=firm.organization, actor=firm.owner, membership_id=membership.pk, role=role)


def now(firm: Firm, webhook: Webhook) -> Webhook:
    with organization_scope(firm.organization, user=firm.owner):
        return Webhook.objects.select_related("created_by").get(pk=webhook.pk)


@pytest.mark.parametrize("how", ["removed", "made a lawyer", "account closed"])
def test_a_webhook_ends_with_the_place_of_who_set_it_up_and_owners_read_why(
    firm: Firm, webhook: Webhook, client_of: ClientOf, how: str
) -> None:
    if how == "account closed":
        operator = User.objects.create_user("ops@example.org", PASSWORD, name="Olga Ops", is_staff=True)
        change = reverse("admin:accounts_user_change", args=[firm.manager.pk])
        client_of(operator).post(change, {"name": firm.manager.name})
    else:
        leave(firm, None if how == "removed" else Role.LAWYER)
    owner = client_of(firm.owner)
    because = "Corpus manager of Harding &amp; Stone, who set it up, may no longer have webhooks here."

    assert not now(firm, webhook).is_on
    assert because in owner.get(reverse("webhook_list", args=["harding"])).content.decode()
    log = owner.get(reverse("audit_log", args=["harding"])).content.decode()
    assert "A webhook was switched off: the person who set it up may no longer have webhooks" in log
    ingest(firm, make_corpus(firm), "lease.txt", "The rent is 900 euros each month.", user=firm.owner)
    with organization_scope(firm.organization, user=firm.owner):
        assert Delivery.objects.count() == 0
        assert AuditEvent.objects.get(action="webhook.ended").subject_id == webhook.pk


def test_another_role_that_may_have_webhooks_keeps_them(firm: Firm, webhook: Webhook) -> None:
    leave(firm, Role.OWNER)

    assert now(firm, webhook).is_on


def test_who_switches_it_on_again_takes_it_over_and_only_then(firm: Firm, webhook: Webhook) -> None:
    def switch(*, is_on: bool) -> Webhook:
        with organization_scope(firm.organization, user=firm.owner):
            webhook_switch(**firm.by_owner, webhook_id=webhook.pk, is_on=is_on)
        return now(firm, webhook)

    switch(is_on=False)
    assert switch(is_on=True).created_by == firm.manager
    leave(firm, None)
    taken = switch(is_on=True)
    assert (taken.is_on, taken.created_by) == (True, firm.owner)
