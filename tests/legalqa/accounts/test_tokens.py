"""API tokens: act as one person in one organisation, are shown once, and die with the membership."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from rest_framework.response import Response

from legalqa.accounts.access import OWNERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.models import ApiToken, AuditEvent, Membership, Role, User
from legalqa.accounts.scopes import ALL_SCOPES, ANY_TOKEN, TokenScope
from legalqa.accounts.scoping import active_scope, organization_scope
from legalqa.accounts.services import member_remove, token_create
from legalqa.common.errors import ScopeError
from tests.people import Firm

ClientOf = Callable[[User], Client]
ME = "/api/v1/me/"


def token_of(
    firm: Firm, user: User, scopes: tuple[TokenScope, ...] = ALL_SCOPES, addresses: tuple[str, ...] = ()
) -> str:
    with organization_scope(firm.organization, user=user):
        _, secret = token_create(
            organization=firm.organization, user=user, name="script", valid_days=30, scopes=scopes, addresses=addresses
        )
        return secret


def ask(secret: str) -> Any:
    return Client().get(ME, headers={"Authorization": f"Bearer {secret}"})


def test_a_token_says_who_it_acts_as(firm: Firm) -> None:
    response = ask(token_of(firm, firm.lawyer))

    assert response.status_code == 200
    assert response.json() == {
        "id": str(firm.lawyer.pk),
        "email": firm.lawyer.email,
        "name": firm.lawyer.name,
        "organization": "harding",
        "organization_name": "Harding & Stone",
        "role": "lawyer",
    }


def test_a_token_is_shown_once_and_only_its_digest_is_stored(firm: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.lawyer)
    response = client.post(
        reverse("token_create", args=["harding"]), {"name": "nightly", "works_for": "30", "scopes": ["search"]}
    )
    secret = response.context["new_token"]

    assert secret.startswith("lqa_")
    assert secret in response.content.decode()
    assert ask(secret).status_code == 200
    later = client.get(reverse("token_list", args=["harding"])).content.decode()
    assert secret not in later
    assert secret[:12] in later
    assert secret not in str(ApiToken.objects.values().get())


def test_without_a_token_the_answer_is_401_in_the_one_shape(firm: Firm, client_of: ClientOf) -> None:
    for response in (Client().get(ME), client_of(firm.lawyer).get(ME)):
        assert response.status_code == 401
        assert response["WWW-Authenticate"] == "Bearer"
        assert set(response.json()) == {"message", "code", "extra"}


def test_every_token_that_does_not_work_gets_the_same_answer(firm: Firm) -> None:
    good = token_of(firm, firm.lawyer)
    revoked, expired = token_of(firm, firm.lawyer), token_of(firm, firm.lawyer)
    second, third = ApiToken.objects.order_by("created_at")[1:]
    ApiToken.objects.filter(pk=second.pk).update(revoked_at=timezone.now())
    ApiToken.objects.filter(pk=third.pk).update(expires_at=timezone.now() - timedelta(seconds=1))

    answers = [ask(bad) for bad in (revoked, expired, good[:-1], good + "x", "lqa_", "", "a b")]
    assert {a.status_code for a in answers} == {401}
    assert len({a.content for a in answers}) == 1
    assert ask(good).status_code == 200


def test_a_token_dies_with_the_membership_and_stays_dead(firm: Firm) -> None:
    secret = token_of(firm, firm.lawyer)
    with organization_scope(firm.organization, user=firm.owner):
        membership = Membership.objects.get(user=firm.lawyer)
        member_remove(organization=firm.organization, actor=firm.owner, membership_id=membership.pk)
    assert ask(secret).status_code == 401

    with organization_scope(firm.organization, user=firm.owner):
        Membership.objects.create(organization=firm.organization, user=firm.lawyer, role=Role.LAWYER)
    assert ask(secret).status_code == 401


def test_a_token_without_membership_or_of_a_closed_account_opens_nothing(firm: Firm) -> None:
    lawyer, annotator = token_of(firm, firm.lawyer), token_of(firm, firm.annotator)
    with organization_scope(firm.organization, user=firm.owner):
        Membership.objects.filter(user=firm.lawyer).delete()
    User.objects.filter(pk=firm.annotator.pk).update(is_active=False)

    assert ask(lawyer).status_code == 401
    assert ask(annotator).status_code == 401


def test_a_token_is_revoked_by_its_person_only(firm: Firm, rivals: Firm, client_of: ClientOf) -> None:
    secret = token_of(firm, firm.lawyer)
    token = ApiToken.objects.get()

    assert client_of(firm.owner).post(reverse("token_revoke", args=["harding", token.pk])).status_code == 404
    assert client_of(rivals.owner).post(reverse("token_revoke", args=["rivals", token.pk])).status_code == 404
    assert ask(secret).status_code == 200
    assert client_of(firm.lawyer).post(reverse("token_revoke", args=["harding", token.pk])).status_code == 302
    assert ask(secret).status_code == 401
    with organization_scope(firm.organization, user=firm.owner):
        actions = AuditEvent.objects.order_by("at").values_list("action", flat=True)
        assert list(actions) == ["token.created", "token.revoked"]


def test_the_last_use_is_noted_at_most_once_a_minute(firm: Firm) -> None:
    secret = token_of(firm, firm.lawyer)
    ask(secret)
    first = ApiToken.objects.get().last_used_at
    ask(secret)
    assert ApiToken.objects.get().last_used_at == first

    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(seconds=61))
    ask(secret)
    last = ApiToken.objects.get().last_used_at
    assert first is not None
    assert last is not None
    assert last > first


class Probe(MemberApi):
    """An endpoint that reports the scope its handlers run in."""

    scopes = {"get": ANY_TOKEN, "post": ANY_TOKEN}
    roles = {"post": OWNERS}

    def get(self, request: MemberRequest) -> Response:  # noqa: ARG002 - the framework's signature
        scope = active_scope()
        return Response({"organization": str(scope.organization_id), "user": scope.user})

    def post(self, request: MemberRequest) -> Response:  # noqa: ARG002 - the framework's
        Membership.objects.filter(role=Role.ANNOTATOR).delete()
        raise ScopeError("after the write")


class OutsideProbe(MemberApi):
    scopes = {"get": ANY_TOKEN}
    in_scope = False

    def get(self, request: MemberRequest) -> Response:
        with pytest.raises(ScopeError):
            active_scope()
        return Response({"role": request.membership.role})


def call(view: type[MemberApi], secret: str, method: str = "get") -> Any:
    headers = {"Authorization": f"Bearer {secret}"}
    request = RequestFactory().generic(method.upper(), "/", content_type="application/json", headers=headers)
    return view.as_view()(request)


def test_a_handler_runs_in_the_organisation_of_the_token_as_its_person(firm: Firm, rivals: Firm) -> None:
    for owner in (firm, rivals):
        response = call(Probe, token_of(owner, owner.lawyer))
        assert response.data == {"organization": str(owner.organization.pk), "user": str(owner.lawyer.pk)}
    with pytest.raises(ScopeError):
        active_scope()


def test_a_handler_that_wants_no_transaction_gets_none(firm: Firm) -> None:
    assert call(OutsideProbe, token_of(firm, firm.lawyer)).data == {"role": "lawyer"}


@pytest.mark.parametrize("role", [r for r in Role if r != Role.OWNER])
def test_a_role_that_may_not_is_told_so(firm: Firm, role: Role) -> None:
    response = call(Probe, token_of(firm, firm.member(role)), "post")

    assert response.status_code == 403
    assert response.data["code"] == "forbidden"


def test_a_method_that_does_not_exist_is_405(firm: Firm) -> None:
    assert call(Probe, token_of(firm, firm.owner), "put").status_code == 405


def test_a_handler_that_fails_leaves_nothing_half_written(firm: Firm) -> None:
    with pytest.raises(ScopeError, match="after the write"):
        call(Probe, token_of(firm, firm.owner), "post")

    with organization_scope(firm.organization, user=firm.owner):
        assert Membership.objects.filter(role=Role.ANNOTATOR).exists()
