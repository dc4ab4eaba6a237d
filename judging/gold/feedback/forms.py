"""Validation of the form that chooses a threshold."""

from django import forms

from judging.gold.feedback.threshold import RISKS
from legalqa.common.forms import Form


class ThresholdForm(Form):
    """Which promise the threshold keeps; empty for the usual threshold."""

    risk = forms.TypedChoiceField(
        required=False, coerce=float, empty_value=None, choices=[(f"{risk:g}", f"{risk:.0%}") for risk in RISKS]
    )
