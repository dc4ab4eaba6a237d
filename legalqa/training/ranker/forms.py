"""Validation of what people choose for the training of a ranker."""

from typing import Any

from django import forms

from legalqa.training.choices import Choices
from legalqa.training.versions.face import TrainingForm


class RankerForm(TrainingForm):
    """Gold sets to learn from: a ranker has no settings that people would change."""

    gold_sets = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="Learn from",
        error_messages={"required": "Choose at least one gold set to learn from."},
    )

    def __init__(self, *args: Any, gold_sets: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "ranker_%s"} | kwargs)  # two forms on one page
        self.offer("gold_sets", gold_sets)
