"""Validation of what people choose for the training of a reader."""

from typing import Any

from django import forms

from legalqa.training.choices import Choices
from legalqa.training.versions.face import TrainingForm


class ReaderForm(TrainingForm):
    """Gold sets and graded answers to learn from."""

    gold_sets = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, required=False, label="Learn from")
    grades = forms.BooleanField(
        required=False,
        label="Graded answers of this corpus",
        help_text="Passages of answers graded right, passages said not to support an answer, and right silences.",
    )

    def __init__(self, *args: Any, gold_sets: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "reader_%s"} | kwargs)  # several forms on one page
        self.offer("gold_sets", gold_sets)
        if not gold_sets:
            del self.fields["gold_sets"]
