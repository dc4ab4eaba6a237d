"""Validation of what people choose for the training of a ranker."""

from typing import Any

from django import forms


class RankerForm(forms.Form):
    """Gold sets to learn from: a ranker has no settings that people would turn."""

    gold_sets = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="Learn from",
        error_messages={"required": "Choose at least one gold set to learn from."},
    )

    def __init__(self, *args: Any, gold_sets: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "ranker_%s"} | kwargs)  # two forms on one page
        field = self.fields["gold_sets"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = gold_sets
