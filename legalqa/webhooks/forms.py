"""A new webhook: its address and its events."""

from django import forms

from legalqa.common.forms import Form
from legalqa.webhooks.models import SUBSCRIBABLE, EventKind


class WebhookForm(Form):
    url = forms.CharField(
        label="Address",
        max_length=500,
        strip=True,
        widget=forms.URLInput({"placeholder": "https://example.com/hooks/legalqa", "inputmode": "url"}),
        help_text="A public address that begins with https://.",
    )
    events = forms.MultipleChoiceField(
        label="Events",
        choices=[(kind.value, kind.label) for kind in SUBSCRIBABLE],
        initial=[EventKind.DOCUMENT_READY.value, EventKind.DOCUMENT_FAILED.value],
        widget=forms.CheckboxSelectMultiple,
    )
