"""Validation of what the pages of campaigns send."""

from typing import Any

from django import forms

from judging.campaigns.grading import Action, Change, fields_of
from judging.models import Assignment

MAX_FILE_BYTES = 2_500_000  # below what a form may send


class GradingForm(forms.Form):
    """What a grader sends: a grade a field, and what goes with the item. A field left out stays as it is."""

    action = forms.ChoiceField(choices=[(action.value, action.value) for action in Action])
    note = forms.CharField(required=False, strip=False)
    reference_note = forms.CharField(required=False, strip=False)
    is_flagged = forms.BooleanField(required=False)
    seconds = forms.FloatField(required=False, min_value=0)

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = [one.name for one in fields_of(assignment)]
        for name in self.names:
            self.fields[f"grade_{name}"] = forms.CharField(required=False, max_length=20)

    def change(self) -> Change:
        """What was sent, as the service takes it."""
        data = self.cleaned_data
        given = {name: data[f"grade_{name}"] for name in self.names if data[f"grade_{name}"]}
        return Change(
            grades={name: int(word) if word.isdecimal() else word for name, word in given.items()},
            note=data["note"],
            is_flagged=data["is_flagged"],
            reference_note=data["reference_note"] if "reference_note" in self.data else None,
            seconds=data["seconds"] or 0.0,
        )
