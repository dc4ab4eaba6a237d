"""The members page: owners only, their own organisation only, and never without an owner."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import AuditEvent, Membership, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import membership_list_of_user
from legalqa.accounts.services import member_role_change
from legalqa.common.errors import Conflict
from tests.people import Firm, make_firm

ClientOf = Callable[[User], Client]

OWNERS_ONLY = [
    ("get", "member_list", False),
    ("post", "member_invite", False),
    ("post", "member_update", True),
    ("post", "member_remove", True),
    ("post", "member_sign_in_link", True),
    ("post", "invitation_revoke", True),
]
EVERYONE = [("get", "account", False), ("post", "token_create", False)]


def membership_of(firm: Firm, user: User) -> Membership:
    with organization_scope(firm.organization, user=firm.owner):
        return Membership.objects.get(user=user)


def audit_rows(firm: Firm, action: str) -> list[AuditEvent]:
    with organization_scope(firm.organization, user=firm.owner):
        return list(AuditEvent.objects.filter(action=action))


def said(client: Client) -> str:
    return client.get(reverse("member_list", args=["harding"])).content.decode()


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize(("method", "name", "takes_id"), OWNERS_ONLY)
def test_only_owners_manage_members(
    firm: Firm, client_of: ClientOf, role: Role, method: str, name: str, takes_id: bool
) -> None:
    url = reverse(name, args=["harding", uuid4()] if takes_id else ["harding"])
    response = getattr(client_of(firm.member(role)), method)(url)

    if role != Role.OWNER:
        assert response.status_code == 403
    else:
        assert response.status_code != 403
    assert len(audit_rows(firm, "member.removed")) == 0


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize(("method", "name", "takes_id"), EVERYONE)
def test_every_member_has_an_account_page(
    firm: Firm, client_of: ClientOf, role: Role, method: str, name: str, takes_id: bool
) -> None:
    response = getattr(client_of(firm.member(role)), method)(
        reverse(name, args=["harding"]), {"name": "script", "works_for": "30", "scopes": ["search"]}
    )

    assert response.status_code == 200


@pytest.mark.parametrize(("method", "name", "takes_id"), OWNERS_ONLY + EVERYONE)
def test_to_strangers_the_organisation_does_not_exist(
    firm: Firm, rivals: Firm, client_of: ClientOf, method: str, name: str, takes_id: bool
) -> None:
    args = [uuid4()] if takes_id else []
    client = client_of(rivals.owner)

    assert getattr(client, method)(reverse(name, args=["harding", *args])).status_code == 404
    assert getattr(client, method)(reverse(name, args=["no-such-firm", *args])).status_code == 404


@pytest.mark.parametrize(("method", "name"), [(m, n) for m, n, takes_id in OWNERS_ONLY if takes_id])
def test_members_of_another_organisation_do_not_exist(
    firm: Firm, rivals: Firm, client_of: ClientOf, method: str, name: str
) -> None:
    foreign = membership_of(rivals, rivals.lawyer)
    response = getattr(client_of(firm.owner), method)(reverse(name, args=["harding", foreign.pk]), {"role": "owner"})

    assert response.status_code == 404
    assert membership_of(rivals, rivals.lawyer).role == Role.LAWYER


def test_state_is_never_changed_by_get(firm: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.owner)
    for method, name, takes_id in OWNERS_ONLY:
        if method == "post":
            url = reverse(name, args=["harding", uuid4()] if takes_id else ["harding"])
            assert client.get(url).status_code == 405


def test_a_new_role_holds_from_the_next_request_on(firm: Firm, client_of: ClientOf) -> None:
    lawyer = client_of(firm.lawyer)
    assert lawyer.get(reverse("member_list", args=["harding"])).status_code == 403

    membership = membership_of(firm, firm.lawyer)
    client_of(firm.owner).post(reverse("member_update", args=["harding", membership.pk]), {"role": "owner"})
    assert lawyer.get(reverse("member_list", args=["harding"])).status_code == 200
    [row] = audit_rows(firm, "member.role_changed")
    assert (row.actor_id, row.subject_id) == (firm.owner.pk, firm.lawyer.pk)
    assert row.details == {"before": "lawyer", "after": "owner"}


def test_a_role_that_does_not_exist_is_refused(firm: Firm, client_of: ClientOf) -> None:
    client, membership = client_of(firm.owner), membership_of(firm, firm.lawyer)
    client.post(reverse("member_update", args=["harding", membership.pk]), {"role": "emperor"})

    assert "Choose one of the roles" in said(client)
    assert membership_of(firm, firm.lawyer).role == Role.LAWYER


def test_a_removed_member_keeps_the_account_but_not_the_organisation(firm: Firm, client_of: ClientOf) -> None:
    lawyer, membership = client_of(firm.lawyer), membership_of(firm, firm.lawyer)
    client_of(firm.owner).post(reverse("member_remove", args=["harding", membership.pk]))

    assert lawyer.get(reverse("account", args=["harding"])).status_code == 404
    assert lawyer.get(reverse("organization_choose")).status_code == 200
    assert membership_list_of_user(user=firm.lawyer) == []
    [row] = audit_rows(firm, "member.removed")
    assert (row.actor_id, row.subject_id) == (firm.owner.pk, firm.lawyer.pk)


@pytest.mark.parametrize(("name", "data"), [("member_remove", {}), ("member_update", {"role": "lawyer"})])
def test_the_last_owner_stays(firm: Firm, client_of: ClientOf, name: str, data: dict[str, str]) -> None:
    client, membership = client_of(firm.owner), membership_of(firm, firm.owner)
    client.post(reverse(name, args=["harding", membership.pk]), data)

    assert "is the last owner" in said(client)
    assert membership_of(firm, firm.owner).role == Role.OWNER


def test_of_two_owners_who_demote_each_other_at_once_one_remains(committed_db: None) -> None:
    firm = make_firm("harding", "Harding & Stone")
    with organization_scope(firm.organization, user=firm.owner):
        Membership.objects.filter(user=firm.manager).update(role=Role.OWNER)
    start = Barrier(2)

    def demote(actor: User, membership_id: UUID) -> str:
        try:
            start.wait()
            with organization_scope(firm.organization, user=actor):
                member_role_change(
                    organization=firm.organization, actor=actor, membership_id=membership_id, role=Role.LAWYER
                )
            return "done"
        except Conflict as error:
            return error.code
        finally:
            connection.close()

    pairs = [(firm.owner, membership_of(firm, firm.manager).pk), (firm.manager, membership_of(firm, firm.owner).pk)]
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(lambda pair: demote(*pair), pairs))

    assert sorted(ends) == ["done", "last_owner"]
    with organization_scope(firm.organization, user=firm.owner):
        assert Membership.objects.filter(role=Role.OWNER).count() == 1


def test_an_owner_makes_a_sign_in_link_for_a_member(firm: Firm, client_of: ClientOf) -> None:
    membership = membership_of(firm, firm.lawyer)
    response = client_of(firm.owner).post(reverse("member_sign_in_link", args=["harding", membership.pk]))

    path = response.context["new_link"].removeprefix("http://testserver")
    client = Client()
    client.post(path)
    assert client.get(reverse("account", args=["harding"])).status_code == 200
    [made] = audit_rows(firm, "sign_in_link.created")
    [used] = audit_rows(firm, "sign_in_link.used")
    assert (made.actor_id, used.actor_id) == (firm.owner.pk, firm.lawyer.pk)
    assert made.details == used.details


def test_an_owner_cannot_walk_into_another_organisation_through_a_members_account(
    firm: Firm, rivals: Firm, client_of: ClientOf
) -> None:
    with organization_scope(rivals.organization, user=rivals.owner):
        Membership.objects.create(organization=rivals.organization, user=firm.lawyer, role=Role.OWNER)
    User.objects.filter(pk=firm.annotator.pk).update(is_staff=True)
    client = client_of(firm.owner)

    for person in (firm.lawyer, firm.annotator):
        url = reverse("member_sign_in_link", args=["harding", membership_of(firm, person).pk])
        assert client.post(url).status_code == 302
        assert "an operator can create the link" in said(client)
    assert audit_rows(firm, "sign_in_link.created") == []


@pytest.mark.parametrize("statement", ["UPDATE {} SET action = 'nothing'", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_audit_log_cannot_be_changed(firm: Firm, client_of: ClientOf, statement: str) -> None:
    membership = membership_of(firm, firm.lawyer)
    client_of(firm.owner).post(reverse("member_remove", args=["harding", membership.pk]))

    with organization_scope(firm.organization, user=None):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement.format("accounts_auditevent"))
        assert AuditEvent.objects.count() == 1
