"""The form for a new token: what it is for, how long it works, and from where."""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone

from legalqa.accounts.scopes import FIRST_SCOPES, TokenScope
from legalqa.accounts.services.tokens import token_addresses
from legalqa.common.errors import ApplicationError
from legalqa.common.forms import DayField, Form

DAYS = ((30, "30 days"), (90, "90 days"), (365, "a year"))
OWN_DATE = "date"


def days_choices() -> list[tuple[str, str]]:
    """Periods up to the longest that the installation allows, and a date of your own."""
    periods = [(str(days), label) for days, label in DAYS if days <= settings.TOKEN_MAX_DAYS]
    return [*periods, (OWN_DATE, "until a date")]


class TokenForm(Form):
    name = forms.CharField(label="Purpose", max_length=80, help_text="For example: nightly import.")
    scopes = forms.MultipleChoiceField(
        label="Permissions",
        choices=TokenScope.choices,
        initial=[scope.value for scope in FIRST_SCOPES],
        widget=forms.CheckboxSelectMultiple,
        help_text="It can never do more than you can. Tick only what the program needs.",
    )
    works_for = forms.ChoiceField(label="Valid for", choices=days_choices, initial="90")
    until = DayField(label="Until", help_text="Only for “until a date”.")
    addresses = forms.CharField(
        label="Allowed addresses",
        max_length=1000,
        required=False,
        help_text="Addresses or networks, separated by spaces, such as 192.0.2.7 or 192.0.2.0/24.",
    )

    def clean_addresses(self) -> list[str]:
        try:
            return token_addresses(raw=str(self.cleaned_data["addresses"]).replace(",", " ").split())
        except ApplicationError as error:
            raise forms.ValidationError(error.message) from None

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("works_for") == OWN_DATE and "until" not in self.errors:
            until, today = self.cleaned_data.get("until"), timezone.localdate()
            last = today + timedelta(days=settings.TOKEN_MAX_DAYS)
            if until is None or not today < until <= last:
                self.add_error("until", f"Choose a date from tomorrow to {last:%-d %B %Y}.")
        return self.cleaned_data

    @property
    def days(self) -> int:
        if self.cleaned_data["works_for"] != OWN_DATE:
            return int(self.cleaned_data["works_for"])
        return int((self.cleaned_data["until"] - timezone.localdate()).days)
