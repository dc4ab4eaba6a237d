"""What is kept of people who have not signed in: nothing."""

import pytest
from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import Session, User
from tests.people import PASSWORD, Firm


@pytest.mark.parametrize("name", ["login", "password_reset"])
def test_looking_at_a_page_in_front_of_the_sign_in_writes_no_session(name: str, db: None) -> None:
    client = Client()
    for _ in range(3):
        assert client.get(reverse(name)).status_code == 200

    assert not Session.objects.exists()
    assert "session" not in client.cookies


def test_a_form_needs_the_token_of_its_own_browser_before_and_after_the_sign_in(firm: Firm) -> None:
    here, there = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    tokens = [
        client.get(reverse("login")).content.decode().split('csrfmiddlewaretoken" value="', 1)[1].split('"', 1)[0]
        for client in (here, there)
    ]
    form = {"username": firm.lawyer.email, "password": PASSWORD}

    assert here.post(reverse("login"), form).status_code == 403
    assert here.post(reverse("login"), form | {"csrfmiddlewaretoken": tokens[1]}).status_code == 403
    assert here.post(reverse("login"), form | {"csrfmiddlewaretoken": tokens[0]}).status_code == 302
    assert here.post(reverse("logout"), {"csrfmiddlewaretoken": tokens[0]}).status_code == 403  # one from before it
    assert User.objects.get(pk=firm.lawyer.pk).last_login is not None
