"""Forms of the pages on language models."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings

from legalqa.accounts.models import User
from legalqa.common.forms import DayField, Form
from legalqa.llm.models import (
    LIMIT_BOUNDS,
    OUTCOME_CHOICES,
    ROLE_CHOICES,
    ROLE_CHOICES_IN_USE,
    Provider,
)
from legalqa.llm.pricing import millionths, money
from legalqa.llm.selectors import BACKGROUND, GROUPS
from legalqa.llm.services.providers import KEY_SHOWN_FROM
from legalqa.llm.types import LOCAL_LIMITS, Role

PRICE_HELP = "Per million tokens, in your currency. Budgets and costs are calculated with it."
LOCAL, LOCAL_READING = LOCAL_LIMITS[Role.ANSWER], LOCAL_LIMITS[Role.EXTRACT]


class ProviderForm(Form):
    """A provider; an empty key keeps the one that is stored."""

    name = forms.CharField(
        label="Name", max_length=60, help_text="The name your colleagues know it by. Answers show it."
    )
    base_url = forms.CharField(label="Address", max_length=300)
    is_local = forms.BooleanField(
        label="A local model: Ollama, llama.cpp or vLLM",
        required=False,
        help_text=(
            "It runs on your own machine and usually needs no key. It gets longer timeouts and fewer passages: "
            f"{LOCAL.first_token_s:.0f} seconds to the first token, {LOCAL.deadline_s:.0f} in all, "
            f"{LOCAL_READING.deadline_s:.0f} to read entities or to judge, and {LOCAL.evidence_tokens:,} tokens of "
            "passages. You can change that for each model. Usual addresses: "
            "Ollama http://localhost:11434/v1, llama.cpp http://localhost:8080/v1, vLLM http://localhost:8000/v1."
        ),
    )
    key = forms.CharField(
        label="Key",
        max_length=500,
        required=False,
        strip=True,
        widget=forms.PasswordInput({"autocomplete": "off"}),
        help_text=(
            f"Stored encrypted and never shown again. The last four characters are shown if the key has at least "
            f"{KEY_SHOWN_FROM}; otherwise none."
        ),
    )
    model = forms.CharField(label="Model", max_length=100, required=False)

    def __init__(self, *args: Any, is_new: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        addresses = ", ".join(settings.LLM_ADDRESSES) or "none"
        others = "others must be public and begin with https://" if settings.LLM_FREE_ENTRY else "no others"
        self.fields["base_url"].help_text = (
            f"The operator allows these addresses: {addresses}; {others}. "
            "For a local model the operator adds its address to LEGALQA_LLM_ADDRESSES."
        )
        self.fields["model"].help_text = "The provider's name for it. Test sends it one word" + (
            "; once the provider is added, the model writes answers. Leave empty to add models later."
            if is_new
            else "."
        )


def _limit(name: str, label: str, help_text: str) -> forms.IntegerField:
    low, high = LIMIT_BOUNDS[name]
    usual = "Empty: the default."
    return forms.IntegerField(
        label=label, required=False, min_value=low, max_value=high, help_text=f"{help_text} {low} to {high}. {usual}"
    )


class ModelPricesForm(Form):
    """A model's prices, context size and time limits."""

    price_in = forms.DecimalField(
        label="Input price", min_value=0, max_digits=9, decimal_places=4, initial=0, help_text=PRICE_HELP
    )
    price_out = forms.DecimalField(label="Output price", min_value=0, max_digits=9, decimal_places=4, initial=0)
    context_tokens = forms.IntegerField(
        label="Context size",
        min_value=512,
        max_value=10_000_000,
        initial=8192,
        help_text="Maximum tokens of question, evidence and answer together.",
    )
    deadline_s = _limit("deadline_s", "Seconds for a whole reply", "Including waits, retries and repairs.")
    first_token_s = _limit("first_token_s", "Seconds until the first token", "Until then, it reads the whole prompt.")
    between_s = _limit("between_s", "Seconds between two parts", "While it writes.")
    evidence_tokens = _limit(
        "evidence_tokens", "Tokens of passages", "The best passages go first; the best one is always sent."
    )


class RoleModelForm(ModelPricesForm):
    """A model in a role."""

    role = forms.ChoiceField(label="Used to", choices=ROLE_CHOICES_IN_USE)
    provider_id = forms.ChoiceField(label="Provider")
    model = forms.CharField(label="Model", max_length=100, help_text="The provider's name for it.")
    field_order = ("role", "provider_id", "model")

    def __init__(self, *args: Any, providers: Iterable[Provider], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("provider_id", [(str(provider.pk), provider.name) for provider in providers])


class AllowForm(Form):
    """What the organisation allows."""

    allows_fallback = forms.BooleanField(
        label="Fall back to another provider if the first does not answer",
        required=False,
        help_text="Questions and passages are then sent to that provider too. If off, they go only to the first one.",
    )
    uses_operator = forms.BooleanField(
        label="Use the operator's model if none is set up here",
        required=False,
        help_text="Only if the operator offers one to your organisation.",
    )


class CapField(forms.DecimalField):
    """An amount of the currency for people, stored in millionths; empty for no cap."""

    def __init__(self, label: str, help_text: str) -> None:
        bounds: dict[str, Any] = {"min_value": 0, "max_digits": 12, "decimal_places": 2}
        super().__init__(label=label, required=False, help_text=help_text, **bounds)

    def prepare_value(self, value: Any) -> Any:
        return money(value) if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        return millionths(super().clean(value))


class BudgetForm(Form):
    """Caps in the currency of the prices; empty for none."""

    cap_request = CapField("Per request", "The most that one request may cost. Empty: no limit.")
    cap_day = CapField("Per day", "All requests of a day, in UTC.")
    cap_month = CapField("Per month", "All requests of a calendar month.")
    cap_evaluation = CapField("Evaluations per month", "Evaluations count towards the day and the month as well.")
    calls_per_minute = forms.IntegerField(
        label="Requests per person per minute", required=False, min_value=1, max_value=100_000
    )


class CostFilterForm(Form):
    """Which calls to show; days are in UTC."""

    since = DayField(label="From")
    until = DayField(label="To")
    role = forms.ChoiceField(label="Used to", required=False, choices=[("", "anything"), *ROLE_CHOICES])
    model = forms.CharField(label="Model", required=False, max_length=100)
    user = forms.ChoiceField(label="Who", required=False)
    outcome = forms.ChoiceField(label="Outcome", required=False, choices=[("", "any"), *OUTCOME_CHOICES])
    by = forms.ChoiceField(
        label="Totals by", required=False, choices=[(name, {"user": "person"}.get(name, name)) for name in GROUPS]
    )

    def __init__(self, *args: Any, people: Iterable[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        persons = [(str(person.pk), person.name) for person in people]
        self.offer("user", [("", "everybody"), (BACKGROUND, "Background work"), *persons])

    def clean(self) -> None:
        self.check_order("since", "until")


class TestForm(Form):
    """A model to test before it is saved, at a stored provider or an address; other fields of the page are ignored.

    The page of a stored provider sends its id as well as the address, which may have been changed.
    """

    role = forms.ChoiceField(required=False, choices=ROLE_CHOICES_IN_USE)
    provider_id = forms.UUIDField(required=False)
    base_url = forms.CharField(required=False, max_length=300)
    key = forms.CharField(required=False, max_length=500)
    is_local = forms.BooleanField(required=False)
    model = forms.CharField(max_length=100, error_messages={"required": "Enter a model to test."})

    def values(self) -> dict[str, Any]:
        """As `connection_test` takes them."""
        fields = self.cleaned_data
        if not fields["base_url"]:  # the form of a model does not say whether its provider is local
            fields["is_local"] = None
        return fields | {"role": Role(fields["role"] or Role.ANSWER)}
