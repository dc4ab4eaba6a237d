"""Signing in and out: one answer to every stranger, a pause after many tries, links that work once."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from legalqa.accounts.middleware import SignInRequiredMiddleware
from legalqa.accounts.models import AuditEvent, Membership, Role, SignInLink, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import sign_in_link_create
from tests.outbox import mail_wait
from tests.people import PASSWORD, Firm

NEW_PASSWORD = "kumquat-zephyr-4711-boxing"
ClientOf = Callable[[User], Client]


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("organization_choose")).status_code == 200


def test_a_person_signs_in_with_address_and_password_in_any_spelling(firm: Firm) -> None:
    client = Client()
    response = client.post(reverse("login"), {"username": "LAWYER@Harding.example ", "password": PASSWORD})

    assert response.status_code == 302
    assert is_signed_in(client)


def test_unknown_address_wrong_password_and_closed_account_read_the_same(firm: Firm) -> None:
    User.objects.filter(pk=firm.annotator.pk).update(is_active=False)
    attempts = [
        ("nobody@harding.example", PASSWORD),
        (firm.lawyer.email, "not the password"),
        (firm.annotator.email, PASSWORD),
    ]

    pages = []
    for email, password in attempts:
        response = Client().post(reverse("login"), {"username": email, "password": password})
        assert response.status_code == 200
        pages.append(re.sub(r'value="[^"]*"', "", response.content.decode()))
    assert pages[0] == pages[1] == pages[2]


@pytest.mark.parametrize("email", ["lawyer@harding.example", "nobody@harding.example"])
def test_after_five_failures_the_address_is_paused_for_any_account(firm: Firm, email: str) -> None:
    client = Client()
    spellings = [email, email.upper(), email.capitalize(), f" {email}", email]
    statuses = [
        client.post(reverse("login"), {"username": spelling, "password": "wrong"}).status_code for spelling in spellings
    ]
    response = client.post(reverse("login"), {"username": email, "password": PASSWORD})

    assert statuses[:4] == [200] * 4
    assert response.status_code == 429
    assert "15 minutes" in response.content.decode()
    assert not is_signed_in(client)


def test_the_operators_door_is_the_same_door(firm: Firm) -> None:
    response = Client().get("/operators/login/?next=/operators/jobs/job/")

    assert response["Location"] == f"{reverse('login')}?next=%2Foperators%2Fjobs%2Fjob%2F"


def test_an_address_is_paused_as_a_whole_after_more_failures(firm: Firm, settings: Settings) -> None:
    """Who tries one password on many people is paused too, and with them everybody behind that address."""
    settings.LOGIN_FAILURES_ADDRESS = 6
    client, elsewhere = Client(REMOTE_ADDR="198.51.100.7"), Client(REMOTE_ADDR="198.51.100.8")
    statuses = [
        client.post(reverse("login"), {"username": f"person{n}@harding.example", "password": "wrong"}).status_code
        for n in range(6)
    ]
    good = {"username": firm.owner.email, "password": PASSWORD}

    assert statuses == [200] * 5 + [429]
    assert client.post(reverse("login"), good).status_code == 429
    assert elsewhere.post(reverse("login"), good).status_code == 302


def test_signing_out_takes_a_post_and_ends_the_session(firm: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.lawyer)

    opened = client.get(reverse("logout"))
    assert (opened.status_code, opened["Allow"]) == (405, "POST, OPTIONS")
    assert "use the button there" in opened.content.decode()
    assert is_signed_in(client)
    response = client.post(reverse("logout"))
    assert response.status_code == 302
    assert response["Clear-Site-Data"] == '"cache"'
    assert not is_signed_in(client)


def test_home_leads_to_the_only_organisation_or_asks_which(firm: Firm, rivals: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.lawyer)
    assert client.get("/")["Location"] == reverse("question_ask", args=["harding"])

    with organization_scope(rivals.organization, user=rivals.owner):
        Membership.objects.create(organization=rivals.organization, user=firm.lawyer, role=Role.LAWYER)
    page = client.get("/").content.decode()
    assert "Harding &amp; Stone" in page
    assert "Rival Chambers" in page


@pytest.mark.django_db
def test_home_of_a_person_without_organisation_says_so(client_of: ClientOf) -> None:
    outsider = User.objects.create_user("outsider@example.org", PASSWORD, name="Ada Outsider")

    assert "do not belong to an organisation yet" in client_of(outsider).get("/").content.decode()


def test_pages_are_closed_to_the_anonymous(firm: Firm) -> None:
    for url in ("/", reverse("organization_choose"), reverse("member_list", args=["harding"])):
        response = Client().get(url)
        assert response.status_code == 302
        assert response["Location"].startswith(reverse("login"))


def test_a_forgotten_password_is_replaced_by_mail(firm: Firm, client_of: ClientOf) -> None:
    elsewhere = client_of(firm.lawyer)
    client = Client()
    response = client.post(reverse("password_reset"), {"email": firm.lawyer.email})
    mail_wait()

    assert response.status_code == 302
    [message] = mail.outbox
    link = re.search(r"http://localhost:8000(/\S+)", str(message.body))
    assert link is not None
    page = client.get(link[1], follow=True)
    form_url = page.redirect_chain[-1][0]
    response = client.post(form_url, {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD})
    assert response["Location"] == reverse("password_reset_complete")
    assert not is_signed_in(elsewhere)
    assert Client().get(link[1], follow=True).context["validlink"] is False
    with organization_scope(firm.organization, user=firm.owner):
        assert AuditEvent.objects.filter(action="password.changed", subject_id=firm.lawyer.pk).count() == 1


def test_the_reset_page_does_not_tell_who_is_known(firm: Firm) -> None:
    known = Client().post(reverse("password_reset"), {"email": firm.lawyer.email})
    unknown = Client().post(reverse("password_reset"), {"email": "nobody@harding.example"})
    mail_wait()

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [m.to for m in mail.outbox] == [[firm.lawyer.email]]


@pytest.mark.django_db
def test_without_a_mail_server_the_reset_page_names_the_other_way(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

    page = Client().get(reverse("password_reset")).content.decode()
    assert "Ask an owner of your organisation for a sign-in link" in page
    assert 'name="email"' not in page


def test_a_sign_in_link_is_not_spent_by_looking_at_it_and_works_once(firm: Firm) -> None:
    _, path = sign_in_link_create(user=firm.lawyer)
    scanner, client = Client(), Client()

    assert scanner.get(path).status_code == 200
    assert scanner.head(path).status_code == 200
    assert client.post(path)["Location"] == reverse("home")
    assert is_signed_in(client)
    again = scanner.post(path)
    assert again.status_code == 410
    assert "has already been used" in again.content.decode()
    assert not is_signed_in(scanner)


def test_sign_in_links_that_are_old_replaced_or_made_up_open_nothing(firm: Firm) -> None:
    _, replaced = sign_in_link_create(user=firm.lawyer)
    _, expired = sign_in_link_create(user=firm.lawyer)
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    _, closed = sign_in_link_create(user=firm.annotator)
    User.objects.filter(pk=firm.annotator.pk).update(is_active=False)

    made_up = reverse("sign_in_link", args=["x" * 43])
    for path, status in ((replaced, 404), (expired, 410), (closed, 404), (made_up, 404)):
        client = Client()
        assert client.get(path).status_code == status
        assert client.post(path).status_code == status
        assert not is_signed_in(client)


def test_the_secret_of_a_sign_in_link_is_not_stored(firm: Firm) -> None:
    link, path = sign_in_link_create(user=firm.lawyer)

    secret = path.rstrip("/").rsplit("/", 1)[-1]
    assert len(secret) == 43
    assert secret not in str(SignInLink.objects.filter(pk=link.pk).values().get())


def test_who_came_by_a_link_sets_a_password_without_the_old_one(firm: Firm) -> None:
    _, path = sign_in_link_create(user=firm.lawyer)
    client = Client()
    client.post(path)
    account = reverse("account", args=["harding"])

    assert "old_password" not in client.get(account).content.decode()
    client.post(account, {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD})
    assert "old_password" in client.get(account).content.decode()
    firm.lawyer.refresh_from_db()
    assert firm.lawyer.check_password(NEW_PASSWORD)


def test_changing_the_password_ends_the_other_sessions_and_links(firm: Firm, client_of: ClientOf) -> None:
    here, elsewhere = client_of(firm.lawyer), client_of(firm.lawyer)
    _, path = sign_in_link_create(user=firm.lawyer)
    account = reverse("account", args=["harding"])
    passwords = {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}

    assert here.post(account, {"old_password": "wrong", **passwords}).status_code == 422
    assert here.post(account, {"old_password": PASSWORD, **passwords}).status_code == 302
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)
    assert Client().get(path).status_code == 404


@pytest.mark.django_db
def test_createsuperuser_makes_an_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)  # Django's only way without a terminal
    call_command("createsuperuser", interactive=False, email="Ops@Example.org", name="Olga Ops", verbosity=0)

    user = User.objects.get(email="ops@example.org")
    assert (user.is_staff, user.is_superuser, user.name) == (True, True, "Olga Ops")
    assert user.check_password(PASSWORD)


@pytest.mark.django_db
def test_when_the_session_is_over_htmx_leaves_for_the_sign_in_page(rf: RequestFactory) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/o/harding/"}
    request = rf.get("/o/harding/part/", headers=headers)
    request.user = AnonymousUser()
    middleware = SignInRequiredMiddleware(lambda _: HttpResponse())

    response = middleware.process_view(request, lambda _: HttpResponse(), (), {})
    assert response is not None
    assert (response.status_code, response["HX-Redirect"]) == (204, "/sign-in/?next=%2Fo%2Fharding%2F")
