"""Invitations: shown or mailed once, good for seven days, used once, for one address."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from legalqa.accounts.models import AuditEvent, Invitation, Membership, Organization, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import membership_list_of_user
from legalqa.accounts.services import member_invite, sign_in_link_create
from legalqa.common.errors import Conflict
from tests.people import PASSWORD, Firm

ClientOf = Callable[[User], Client]
NEW = {"name": "Nora New", "password1": PASSWORD, "password2": PASSWORD}


def invite(firm: Firm, email: str, role: Role = Role.LAWYER) -> str:
    with organization_scope(firm.organization, user=firm.owner):
        return member_invite(organization=firm.organization, actor=firm.owner, email=email, role=role)[1]


def actions(firm: Firm) -> list[str]:
    with organization_scope(firm.organization, user=firm.owner):
        return list(AuditEvent.objects.order_by("at").values_list("action", flat=True))


def test_without_a_mail_server_the_owner_sees_the_link_once(
    firm: Firm, client_of: ClientOf, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    client = client_of(firm.owner)

    page = client.post(
        reverse("member_invite", args=["harding"]), {"email": "new@example.org", "role": "lawyer"}
    ).content.decode()
    link = re.search(r"http://testserver(/invitation/[\w-]{43}/)", page)
    assert link is not None
    assert Client().get(link[1]).status_code == 200
    later = client.get(reverse("member_list", args=["harding"])).content.decode()
    assert "new@example.org" in later
    assert "/invitation/" not in later.replace("/members/invitations/", "")
    assert actions(firm) == ["member.invited"]


def test_with_a_mail_server_the_link_goes_to_the_invited_address_only(firm: Firm, client_of: ClientOf) -> None:
    response = client_of(firm.owner).post(
        reverse("member_invite", args=["harding"]), {"email": "New@Example.org", "role": "lawyer"}
    )

    assert response.status_code == 302
    [message] = mail.outbox
    assert message.to == ["new@example.org"]
    assert message.subject == "Invitation to Harding & Stone"
    assert re.search(r"http://localhost:8000/invitation/[\w-]{43}/", str(message.body))


@pytest.mark.parametrize(
    ("inviter", "shown"),
    [
        ("Ada O’Hara-Müller, Q.C.", "“Ada O’Hara-Müller, Q. C.” invites"),
        ("Smith & Co. (London)", "“Smith & Co. (London)” invites"),
        (
            "Your account is locked: https://evil.example/unlock",
            "“Your account is locked https evil. example unlock” invites",
        ),
        ("evil.example\nSubject: x", "“evil. example Subject x” invites"),
        ("Urgent! " * 15, "“Urgent Urgent Urgent Urgent Urgent Urgent Urgent Urgent Urg…” invites"),
    ],
)
def test_names_in_mails_are_names_and_nothing_else(firm: Firm, client_of: ClientOf, inviter: str, shown: str) -> None:
    User.objects.filter(pk=firm.owner.pk).update(name=inviter)
    Organization.objects.filter(pk=firm.organization.pk).update(name=inviter)
    client_of(firm.owner).post(
        reverse("member_invite", args=["harding"]), {"email": "new@example.org", "role": "lawyer"}
    )

    [message] = mail.outbox
    body = str(message.body)
    assert shown in body
    assert shown.removesuffix(" invites").strip("“”") in message.subject
    assert re.findall(r"\S+://\S+|\w\.\w\S*", body) == re.findall(r"http://localhost:8000/\S+", body)


@pytest.mark.parametrize("name", ["https://evil.example", "www.evil.example", "see evil.example now", "a@evil.example"])
def test_no_name_holds_a_web_address(firm: Firm, name: str) -> None:
    response = Client().post(invite(firm, "new@example.org"), NEW | {"name": name})

    assert response.status_code == 422
    assert "A name cannot contain a web or e-mail address" in response.content.decode()


def test_a_new_person_chooses_a_name_and_password_and_is_in(firm: Firm) -> None:
    path = invite(firm, "new@example.org", Role.ANNOTATOR)
    client = Client()

    response = client.post(path, NEW)
    assert response["Location"] == reverse("question_ask", args=["harding"])
    user = User.objects.get(email="new@example.org")
    [membership] = membership_list_of_user(user=user)
    assert (user.name, membership.organization, membership.role) == ("Nora New", firm.organization, Role.ANNOTATOR)
    assert client.get(reverse("account", args=["harding"])).status_code == 200
    assert actions(firm) == ["member.invited", "invitation.accepted", "member.joined", "session.started"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"password1": "short", "password2": "short"}, "at least 12 characters"),
        ({"password2": "a different password"}, "The two passwords differ"),
        ({"password1": "new@example.org", "password2": "new@example.org"}, "too similar"),
        ({"name": ""}, "required"),
    ],
)
def test_a_weak_or_incomplete_form_makes_no_account(firm: Firm, changed: dict[str, str], said: str) -> None:
    response = Client().post(invite(firm, "new@example.org"), NEW | changed)

    assert response.status_code == 422
    assert said in response.content.decode()
    assert not User.objects.filter(email="new@example.org").exists()


def test_a_person_with_an_account_must_be_signed_in_as_the_invited_address(
    firm: Firm, rivals: Firm, client_of: ClientOf
) -> None:
    path = invite(firm, rivals.lawyer.email)

    for client in (Client(), client_of(rivals.owner)):
        assert "This address already has an account" in client.get(path).content.decode()
        assert client.post(path, NEW).status_code == 200
        assert len(membership_list_of_user(user=rivals.lawyer)) == 1
    assert client_of(rivals.lawyer).post(path).status_code == 302
    assert [m.organization.slug for m in membership_list_of_user(user=rivals.lawyer)] == ["harding", "rivals"]


def test_joining_another_organisation_closes_every_other_door_into_the_account(
    firm: Firm, rivals: Firm, client_of: ClientOf
) -> None:
    """The owner of the former organisation may hold a sign-in link, or a session that came from one."""
    here, elsewhere, bystander = client_of(rivals.lawyer), client_of(rivals.lawyer), client_of(rivals.owner)
    _, link = sign_in_link_create(user=rivals.lawyer, actor=rivals.owner)

    here.post(invite(firm, rivals.lawyer.email))
    assert Client().post(link).status_code == 404
    assert elsewhere.get(reverse("organization_choose")).status_code == 302
    assert here.get(reverse("account", args=["harding"])).status_code == 200
    assert bystander.get(reverse("organization_choose")).status_code == 200


def test_a_used_link_says_so_and_admits_nobody_else(firm: Firm) -> None:
    path = invite(firm, "new@example.org")
    Client().post(path, NEW)

    for response in (Client().get(path), Client().post(path, NEW)):
        assert response.status_code == 410
        assert "has already been used" in response.content.decode()


def test_an_old_link_says_so(firm: Firm) -> None:
    path = invite(firm, "new@example.org")
    assert Invitation.objects.get().expires_at - timezone.now() > timedelta(days=6, hours=23)
    Invitation.objects.update(expires_at=timezone.now())

    response = Client().post(path, NEW)
    assert response.status_code == 410
    assert "has expired" in response.content.decode()
    assert not User.objects.filter(email="new@example.org").exists()


def test_a_withdrawn_or_made_up_link_does_not_exist(firm: Firm, client_of: ClientOf) -> None:
    path = invite(firm, "new@example.org")
    revoke = reverse("invitation_revoke", args=["harding", Invitation.objects.get().pk])
    assert client_of(firm.owner).post(revoke).status_code == 302

    for gone in (path, reverse("invitation_accept", args=["x" * 43])):
        response = Client().get(gone)
        assert response.status_code == 404
        assert "does not exist, or it was withdrawn" in response.content.decode()
    assert client_of(firm.owner).post(revoke).status_code == 404
    assert actions(firm) == ["member.invited", "invitation.revoked"]


def test_inviting_an_address_again_ends_its_first_link(firm: Firm) -> None:
    first, second = invite(firm, "new@example.org"), invite(firm, "NEW@example.org ")

    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200


def test_a_member_is_not_invited_again(firm: Firm, client_of: ClientOf) -> None:
    with pytest.raises(Conflict, match="is already a member"):
        invite(firm, firm.lawyer.email)
    response = client_of(firm.owner).post(
        reverse("member_invite", args=["harding"]), {"email": firm.lawyer.email, "role": "owner"}
    )
    assert response.status_code == 422
    assert "is already a member" in response.content.decode()


def test_an_owner_who_leaves_takes_their_open_invitations_along(firm: Firm, client_of: ClientOf) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        Membership.objects.filter(user=firm.manager).update(role=Role.OWNER)
        leaving = Membership.objects.get(user=firm.owner)
    path = invite(firm, "back-door@example.org", Role.OWNER)

    client_of(firm.manager).post(reverse("member_remove", args=["harding", leaving.pk]))
    assert Client().post(path, NEW).status_code == 404


def test_the_secret_of_an_invitation_is_not_stored(firm: Firm) -> None:
    secret = invite(firm, "new@example.org").rstrip("/").rsplit("/", 1)[-1]

    assert secret not in str(Invitation.objects.values().get())
