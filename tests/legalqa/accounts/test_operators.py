"""The operators' admin: staff only, one organisation at a time, with a reason, and only to look."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from corpora.models import Corpus
from legalqa.accounts.models import ApiToken, AuditEvent, Invitation, Organization, User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import membership_list_of_user
from legalqa.accounts.services import token_create
from legalqa.admin_site import ENTERED
from legalqa.jobs.models import Job
from tests.people import PASSWORD, Firm

ClientOf = Callable[[User], Client]
REASON = "Ticket 4711: an upload that hangs"
ORGANIZATION_PAGES = [
    "admin:corpora_corpus_changelist",
    "admin:corpora_corpusmember_changelist",
    "admin:corpora_document_changelist",
    "admin:corpora_documentversion_changelist",
    "admin:answering_question_changelist",
    "admin:answering_answer_changelist",
    "admin:accounts_membership_changelist",
    "admin:accounts_auditevent_changelist",
]
GLOBAL_PAGES = [
    "admin:index",
    "admin:accounts_user_changelist",
    "admin:accounts_organization_changelist",
    "admin:accounts_invitation_changelist",
    "admin:accounts_signinlink_changelist",
    "admin:accounts_apitoken_changelist",
    "admin:jobs_job_changelist",
]


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_user("ops@example.org", PASSWORD, name="Olga Ops", is_staff=True)


def corpus_in(firm: Firm, name: str) -> Corpus:
    with organization_scope(firm.organization, user=None):
        return Corpus.objects.create(organization=firm.organization, name=name, slug=name.lower(), is_walled=True)


def enter(client: Client, firm: Firm, reason: str = REASON) -> int:
    data = {"organization": str(firm.organization.pk), "reason": reason}
    return client.post(reverse("admin:enter"), data).status_code


def audit_of(firm: Firm) -> list[tuple[str, object]]:
    with organization_scope(firm.organization, user=None):
        rows = AuditEvent.objects.filter(action__startswith="operator.").order_by("at")
        return [(row.action, row.actor_id) for row in rows]


@pytest.mark.parametrize("page", ORGANIZATION_PAGES + GLOBAL_PAGES)
def test_members_and_the_anonymous_stay_outside(firm: Firm, client_of: ClientOf, page: str) -> None:
    for client in (Client(), client_of(firm.owner)):
        response = client.get(reverse(page))
        assert response.status_code == 302
        assert response["Location"].split("?")[0] in ("/operators/login/", reverse("login"))


@pytest.mark.parametrize("page", ORGANIZATION_PAGES)
def test_an_operator_sees_nothing_of_an_organisation_before_entering_it(
    firm: Firm, operator: User, client_of: ClientOf, page: str
) -> None:
    corpus_in(firm, "Heron")
    response = client_of(operator).get(reverse(page))

    assert response.status_code == 302
    assert response["Location"] == reverse("admin:enter")


@pytest.mark.parametrize("page", ORGANIZATION_PAGES)
def test_an_operator_inside_reads_that_organisation_only(
    firm: Firm, rivals: Firm, operator: User, client_of: ClientOf, page: str
) -> None:
    corpus_in(firm, "Heron")
    foreign = corpus_in(rivals, "Kestrel")
    client = client_of(operator)
    enter(client, firm)

    response = client.get(reverse(page))
    assert response.status_code == 200
    assert "Kestrel" not in response.content.decode()
    assert rivals.lawyer.name not in response.content.decode()
    if page == "admin:corpora_corpus_changelist":
        assert "Heron" in response.content.decode()
    missing = client.get(reverse("admin:corpora_corpus_change", args=[foreign.pk]))
    assert missing["Location"] == reverse("admin:index")


@pytest.mark.parametrize("page", GLOBAL_PAGES)
def test_tables_outside_all_organisations_are_always_there(
    firm: Firm, operator: User, client_of: ClientOf, page: str
) -> None:
    Job.objects.create(organization_id=firm.organization.pk, task="t", subject_id=firm.organization.pk)

    assert client_of(operator).get(reverse(page)).status_code == 200


def test_entering_takes_a_reason_and_leaves_a_row_as_does_leaving(
    firm: Firm, operator: User, client_of: ClientOf
) -> None:
    client = client_of(operator)
    assert enter(client, firm, reason="hm") == 200
    assert audit_of(firm) == []

    assert enter(client, firm) == 302
    with organization_scope(firm.organization, user=None):
        assert AuditEvent.objects.get(action="operator.entered").details == {"reason": REASON}
    client.post(reverse("admin:leave"))
    assert audit_of(firm) == [("operator.entered", operator.pk), ("operator.left", operator.pk)]
    assert client.get(reverse(ORGANIZATION_PAGES[0])).status_code == 302


def test_entering_the_next_organisation_leaves_the_first(
    firm: Firm, rivals: Firm, operator: User, client_of: ClientOf
) -> None:
    client = client_of(operator)
    enter(client, firm)
    enter(client, rivals)

    assert [action for action, _ in audit_of(firm)] == ["operator.entered", "operator.left"]
    assert [action for action, _ in audit_of(rivals)] == ["operator.entered"]


def test_after_an_hour_the_operator_is_outside_again(firm: Firm, operator: User, client_of: ClientOf) -> None:
    client = client_of(operator)
    enter(client, firm)
    session = client.session
    organization_id, until = session[ENTERED]
    assert until > (timezone.now() + timedelta(minutes=59)).isoformat()
    session[ENTERED] = [organization_id, timezone.now().isoformat()]
    session.save()

    assert client.get(reverse(ORGANIZATION_PAGES[0]))["Location"] == reverse("admin:enter")
    assert [action for action, _ in audit_of(firm)] == ["operator.entered", "operator.left"]


def test_data_of_an_organisation_is_read_only(firm: Firm, operator: User, client_of: ClientOf) -> None:
    corpus = corpus_in(firm, "Heron")
    client = client_of(operator)
    enter(client, firm)
    change = reverse("admin:corpora_corpus_change", args=[corpus.pk])

    assert "Heron" in client.get(change).content.decode()
    assert client.post(change, {"name": "Renamed"}).status_code == 403
    assert client.get(reverse("admin:corpora_corpus_add")).status_code == 403
    assert client.post(reverse("admin:corpora_corpus_delete", args=[corpus.pk]), {"post": "yes"}).status_code == 403
    for model, page in admin.site._registry.items():
        assert not page.has_delete_permission(client.get(change).wsgi_request), model


def test_queues_pickles_groups_and_sign_in_attempts_are_not_shown(operator: User, client_of: ClientOf) -> None:
    assert Group not in admin.site._registry
    assert {model._meta.app_label for model in admin.site._registry} == {
        "accounts",
        "answering",
        "corpora",
        "jobs",
        "llm",
        "webhooks",
    }
    assert client_of(operator).get("/operators/django_q/ormq/").status_code == 404


def test_no_digest_is_shown(firm: Firm, operator: User, client_of: ClientOf) -> None:
    with organization_scope(firm.organization, user=firm.lawyer):
        token, _ = token_create(**firm.by_lawyer, name="script", valid_days=1, scopes=ALL_SCOPES)
    page = client_of(operator).get(reverse("admin:accounts_apitoken_change", args=[token.pk])).content.decode()

    assert token.prefix in page
    assert ApiToken.objects.get().digest not in page


def test_an_operator_makes_an_organisation_and_gets_its_first_owners_link_once(
    operator: User, client_of: ClientOf
) -> None:
    client = client_of(operator)
    data = {"name": "New Chambers", "slug": "new-chambers", "owner_email": "First@Example.org"}
    page = client.post(reverse("admin:accounts_organization_add"), data).content.decode()

    link = re.search(r"http://testserver(/invitation/[\w-]{43}/)", page)
    assert link is not None
    Client().post(link[1], {"name": "Fay First", "password1": PASSWORD, "password2": PASSWORD})
    [membership] = membership_list_of_user(user=User.objects.get(email="first@example.org"))
    assert (membership.organization.slug, membership.role) == ("new-chambers", "owner")
    with organization_scope(Organization.objects.get(), user=None):
        rows = AuditEvent.objects.order_by("at").values_list("action", "actor_id")
        assert list(rows)[:2] == [("organization.created", operator.pk), ("member.invited", operator.pk)]


def test_an_operator_invites_an_owner_to_an_organisation_without_one(
    firm: Firm, operator: User, client_of: ClientOf
) -> None:
    client, change = (client_of(operator), reverse("admin:accounts_organization_change", args=[firm.organization.pk]))

    page = client.post(change, {"name": "Harding", "owner_email": "heir@example.org"}).content.decode()
    assert "Enter this organisation first, with a reason" in page
    assert not Invitation.objects.exists()
    enter(client, firm)
    page = client.post(change, {"name": "Harding", "owner_email": firm.lawyer.email}).content.decode()
    assert "is already a member" in page
    page = client.post(change, {"name": "Harding", "owner_email": "heir@example.org"}).content.decode()
    assert "/invitation/" in page
    assert Organization.objects.get(pk=firm.organization.pk).name == "Harding"


def test_an_operator_helps_a_person_in_and_the_organisation_can_read_it(
    firm: Firm, operator: User, client_of: ClientOf
) -> None:
    client = client_of(operator)
    data = {"action": "sign_in_link", "_selected_action": [str(firm.lawyer.pk)]}
    page = client.post(reverse("admin:accounts_user_changelist"), data).content.decode()

    link = re.search(r"http://testserver(/sign-in/[\w-]{43}/)", page)
    assert link is not None
    assert Client().post(link[1]).status_code == 302
    with organization_scope(firm.organization, user=None):
        assert AuditEvent.objects.get(action="sign_in_link.created").actor_id == operator.pk


def test_an_operator_cannot_become_or_enter_as_a_superuser(operator: User, client_of: ClientOf) -> None:
    chief = User.objects.create_superuser("chief@example.org", PASSWORD, name="Cleo Chief")
    client = client_of(operator)
    data = {"action": "sign_in_link", "_selected_action": [str(chief.pk)]}

    page = client.post(reverse("admin:accounts_user_changelist"), data, follow=True).content.decode()
    assert "You may not create a sign-in link" in page
    own = reverse("admin:accounts_user_change", args=[operator.pk])
    assert client.post(own, {"name": "x", "is_active": "on", "is_superuser": "on"}).status_code == 403
    assert not User.objects.get(pk=operator.pk).is_superuser


def test_closing_an_account_ends_its_sessions_and_is_written_down(
    firm: Firm, operator: User, client_of: ClientOf
) -> None:
    lawyer = client_of(firm.lawyer)
    change = reverse("admin:accounts_user_change", args=[firm.lawyer.pk])
    client_of(operator).post(change, {"name": "Closed", "is_staff": "on"})

    user = User.objects.get(pk=firm.lawyer.pk)
    assert (user.is_active, user.is_staff, user.name) == (False, False, "Closed")
    assert lawyer.get(reverse("organization_choose")).status_code == 302
    with organization_scope(firm.organization, user=None):
        assert AuditEvent.objects.get(action="account.closed").subject_id == firm.lawyer.pk


def test_people_and_organisations_are_not_deleted_here(firm: Firm, operator: User, client_of: ClientOf) -> None:
    client = client_of(operator)
    for page, row in (("user", firm.lawyer), ("organization", firm.organization)):
        url = reverse(f"admin:accounts_{page}_delete", args=[row.pk])
        assert client.post(url, {"post": "yes"}).status_code == 403
