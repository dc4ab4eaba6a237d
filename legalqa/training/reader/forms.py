"""Validation of what people choose for the training of a reader."""

from django import forms

from legalqa.training.gold_sets import GoldSetForm


class ReaderForm(GoldSetForm):
    """Gold sets and graded answers to learn from."""

    gold_sets = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, required=False, label="Learn from")
    grades = forms.BooleanField(
        required=False,
        label="Graded answers of this corpus",
        help_text="Passages of answers graded right, passages said not to support an answer, and right silences.",
    )
