"""Forms of the pages for owners."""

from typing import Any

from django import forms

from legalqa.accounts.models import Organization
from legalqa.accounts.selectors import audit_people
from legalqa.common.forms import DayField, Form
from legalqa.dashboard.audit_sentences import GROUPS
from legalqa.dashboard.selectors.overview import PERIODS, USUAL_PERIOD


class DashboardForm(Form):
    """What the dashboard covers; unknown values are ignored."""

    corpus = forms.UUIDField(required=False)
    weeks = forms.TypedChoiceField(required=False, coerce=int, choices=[(n, n) for n in PERIODS])

    def choices(self) -> dict[str, Any]:
        """The values as `overview_get` takes them."""
        self.full_clean()
        return {"corpus_id": self.cleaned_data.get("corpus"), "n_weeks": self.cleaned_data.get("weeks") or USUAL_PERIOD}


class AuditFilterForm(Form):
    """Which rows of the log to show; days are in UTC, like the times on the page."""

    person = forms.ChoiceField(label="Who", required=False)
    group = forms.ChoiceField(
        label="What", required=False, choices=[("", "everything"), *((name, name) for name in GROUPS)]
    )
    since = DayField(label="From")
    until = DayField(label="To")

    def __init__(self, *args: Any, organization: Organization, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [(str(person.pk), str(person)) for person in audit_people(organization=organization)]
        self.offer("person", [("", "everybody"), *people])

    def clean(self) -> None:
        self.check_order("since", "until")
