"""Validation of the form that starts a generation."""

from typing import Any

from django import forms

from judging.gold.generation.services import MAX_NUMBER
from judging.gold.services.sets import MAX_NAME
from legalqa.common.forms import Form


class GenerationForm(Form):
    name = forms.CharField(label="Name of the gold set", max_length=MAX_NAME)
    types = forms.MultipleChoiceField(
        label="Question types", required=False, widget=forms.CheckboxSelectMultiple, help_text="None ticked: all types."
    )
    number = forms.IntegerField(label="Questions", min_value=1, max_value=MAX_NUMBER, initial=50)

    def __init__(self, *args: Any, types: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("types", types)
