"""A field that was left out is named in a sentence of ours."""

import re
from collections.abc import Callable

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import User
from legalqa.common.forms import Form
from tests.people import Firm


class Booking(Form):
    title = forms.CharField()
    room_kind = forms.ChoiceField(label="Kind of room", choices=[("a", "A")])
    plan = forms.FileField(label="Plan")
    agreed = forms.BooleanField(label="I agree")
    note = forms.CharField(error_messages={"required": "Say why."})


def test_a_field_that_is_missing_is_named_with_what_to_do() -> None:
    errors = {name: list(found) for name, found in Booking({}).errors.items()}

    assert errors == {
        "title": ["“Title” is empty. Fill it in."],
        "room_kind": ["“Kind of room” is not chosen. Choose one."],
        "plan": ["“Plan” has no file. Choose one."],
        "agreed": ["“I agree” is not ticked. Tick it."],
        "note": ["Say why."],
    }


@pytest.mark.django_db
def test_a_page_says_which_field_is_empty(firm: Firm, client_of: Callable[[User], Client]) -> None:
    page = client_of(firm.owner).post(reverse("corpus_create", args=(firm.organization.slug,)), {}).content.decode()

    assert "“Name” is empty. Fill it in." in page
    assert "This field is required" not in page


@pytest.mark.django_db
def test_the_sign_in_page_says_which_field_is_empty(client: Client) -> None:
    page = client.post(reverse("login"), {}).content.decode()

    assert re.search("“[^”]+” is empty. Fill it in.", page)
    assert "This field is required" not in page
