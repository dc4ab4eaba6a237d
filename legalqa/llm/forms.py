"""Forms of the pages on language models."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings

from legalqa.accounts.models import User
from legalqa.llm.models import OUTCOME_CHOICES, ROLE_CHOICES, GatewaySettings, Provider
from legalqa.llm.pricing import millionths, money
from legalqa.llm.selectors import BACKGROUND, GROUPS

PRICE_HELP = "For a million tokens, in your currency. It is what budgets and costs are reckoned with."
CAPS = ("cap_request", "cap_day", "cap_month", "cap_evaluation")


class ProviderForm(forms.Form):
    """A provider; an empty key keeps the one that is stored."""

    name = forms.CharField(label="Name", max_length=60, help_text="As your people know it. Answers name it.")
    base_url = forms.CharField(label="Address", max_length=300)
    key = forms.CharField(
        label="Key",
        max_length=500,
        required=False,
        strip=True,
        widget=forms.PasswordInput({"autocomplete": "off"}),
        help_text="Stored encrypted and never shown again, but for its last four characters.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.LLM_FREE_ENTRY:
            self.fields["base_url"] = forms.ChoiceField(
                label="Address",
                choices=[(address, address) for address in settings.LLM_ADDRESSES],
                help_text="The operator says which addresses may be called.",
            )


class ModelPricesForm(forms.Form):
    """What a model costs and holds."""

    price_in = forms.DecimalField(
        label="Price of what is sent", min_value=0, max_digits=9, decimal_places=4, initial=0, help_text=PRICE_HELP
    )
    price_out = forms.DecimalField(
        label="Price of what is written", min_value=0, max_digits=9, decimal_places=4, initial=0
    )
    context_tokens = forms.IntegerField(
        label="Context size",
        min_value=512,
        max_value=10_000_000,
        initial=8192,
        help_text="Tokens that question, evidence and answer may have together.",
    )


class RoleModelForm(ModelPricesForm):
    """A model in a role."""

    role = forms.ChoiceField(label="Used to", choices=ROLE_CHOICES)
    provider_id = forms.ChoiceField(label="Provider")
    model = forms.CharField(label="Model", max_length=100, help_text="As the provider calls it.")
    field_order = ("role", "provider_id", "model", "price_in", "price_out", "context_tokens")

    def __init__(self, *args: Any, providers: Iterable[Provider], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["provider_id"].choices = [  # type: ignore[attr-defined]  # a ChoiceField's
            (str(provider.pk), provider.name) for provider in providers
        ]


class AllowForm(forms.Form):
    """What the organisation allows."""

    allows_fallback = forms.BooleanField(
        label="Ask another provider where the first does not answer",
        required=False,
        help_text="Questions and passages then go to that provider as well. Off, they go to the first one only.",
    )
    uses_operator = forms.BooleanField(
        label="Use the operator's model where none is set up here",
        required=False,
        help_text="Only where the operator offers one to your organisation.",
    )


def _cap(label: str, help_text: str) -> forms.DecimalField:
    return forms.DecimalField(
        label=label, required=False, min_value=0, max_digits=12, decimal_places=2, help_text=help_text
    )


class BudgetForm(forms.Form):
    """Caps in the currency of the prices; empty for none."""

    cap_request = _cap("One request", "The most that one request may cost. Empty: no cap.")
    cap_day = _cap("A day", "All requests of a day, in UTC.")
    cap_month = _cap("A month", "All requests of a calendar month.")
    cap_evaluation = _cap("Evaluations a month", "Evaluations count towards the day and the month as well.")
    calls_per_minute = forms.IntegerField(
        label="Requests of one person a minute", required=False, min_value=1, max_value=100_000
    )

    @classmethod
    def initial_of(cls, allowed: GatewaySettings) -> dict[str, Any]:
        """The caps as the form shows them."""
        held = {name: getattr(allowed, name) for name in CAPS}
        shown: dict[str, Any] = {name: None if cap is None else money(cap) for name, cap in held.items()}
        return shown | {"calls_per_minute": allowed.calls_per_minute}

    def values(self) -> dict[str, int | None]:
        """The caps as they are stored."""
        caps: dict[str, Decimal | None] = {name: self.cleaned_data[name] for name in CAPS}
        stored = {name: millionths(cap) for name, cap in caps.items()}
        return stored | {"calls_per_minute": self.cleaned_data["calls_per_minute"]}


class CostFilterForm(forms.Form):
    """Which calls; days are days in UTC."""

    since = forms.DateField(label="From", required=False, widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(label="To", required=False, widget=forms.DateInput({"type": "date"}))
    role = forms.ChoiceField(label="Used to", required=False, choices=[("", "anything"), *ROLE_CHOICES])
    model = forms.CharField(label="Model", required=False, max_length=100)
    user = forms.ChoiceField(label="Who", required=False)
    outcome = forms.ChoiceField(label="Outcome", required=False, choices=[("", "any"), *OUTCOME_CHOICES])
    by = forms.ChoiceField(
        label="Sums by", required=False, choices=[(name, {"user": "person"}.get(name, name)) for name in GROUPS]
    )

    def __init__(self, *args: Any, people: Iterable[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["user"].choices = [  # type: ignore[attr-defined]  # a ChoiceField's
            ("", "everybody"),
            (BACKGROUND, "Background work"),
            *((str(person.pk), person.name) for person in people),
        ]
