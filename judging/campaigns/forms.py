"""Validation of what the pages of campaigns send."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms

from judging.campaigns.lead import Wish
from judging.campaigns.rubrics import FORMS
from judging.campaigns.services.campaigns import MAX_INSTRUCTIONS, MAX_NAME, PLAN, Plan
from judging.campaigns.services.grading import Action, Change, fields_of
from judging.models import Assignment
from legalqa.accounts.models import Membership
from legalqa.common.forms import Form, not_too_large, uploaded_text


class GradingForm(Form):
    """What a grader sends: a grade a field, and what goes with the item. A field left out stays as it is."""

    action = forms.ChoiceField(choices=[(action.value, action.value) for action in Action])
    note = forms.CharField(required=False, strip=False)
    reference_note = forms.CharField(required=False, strip=False)
    is_flagged = forms.BooleanField(required=False)
    seconds = forms.FloatField(required=False, min_value=0)

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = [one.name for one in fields_of(assignment=assignment)]
        for name in self.names:
            self.fields[f"grade_{name}"] = forms.CharField(required=False, max_length=20)

    def change(self) -> Change:
        """What was sent, as the service takes it."""
        data = self.cleaned_data
        grades = {name: data[f"grade_{name}"] for name in self.names if data[f"grade_{name}"]}
        return Change(
            grades={name: int(word) if word.isdecimal() else word for name, word in grades.items()},
            note=data["note"],
            is_flagged=data["is_flagged"],
            reference_note=data["reference_note"] if "reference_note" in self.data else None,
            seconds=data["seconds"] or 0.0,
        )


class CampaignForm(Form):
    """A new campaign. The service checks what its source contains."""

    name = forms.CharField(label="Name", max_length=MAX_NAME)
    form = forms.ChoiceField(choices=[(form.key, form.name) for form in FORMS.values()])
    source = forms.CharField(max_length=60)
    is_with_drafts = forms.BooleanField(required=False)
    file = forms.FileField(required=False, validators=[not_too_large("Split it into several campaigns.")])
    graders = forms.TypedMultipleChoiceField(coerce=UUID, required=False)
    overlap = forms.IntegerField(label="Graders per item", min_value=1, max_value=20, initial=1)
    overlap_percent = forms.IntegerField(
        label="Percentage of items with that many graders; the others have one", min_value=0, max_value=100, initial=100
    )
    repeat_percent = forms.IntegerField(
        label="Percentage of items that a grader gets twice, without being told", min_value=0, max_value=100, initial=0
    )
    lease_minutes = forms.IntegerField(
        label="Minutes for which an opened item is reserved", min_value=1, max_value=1440, initial=30
    )
    instructions = forms.CharField(required=False, max_length=MAX_INSTRUCTIONS)

    def __init__(self, *args: Any, members: Iterable[Membership], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("graders", [(str(m.user_id), m.user.name) for m in members])

    @property
    def plan_fields(self) -> list[forms.BoundField]:
        """The numbers that say how items are given out."""
        return [self[name] for name in PLAN]

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        return "" if file is None else uploaded_text(file)

    def clean_source(self) -> str:
        source = str(self.cleaned_data["source"])
        if source in ("file", "asked") or (source.startswith("gold:") and _is_id(source[5:])):
            return source
        raise forms.ValidationError("Choose a gold set, a file, or graded answers.")

    def wish(self) -> Wish:
        """What was asked for, as the service takes it."""
        data = dict(self.cleaned_data)
        source, file = data.pop("source"), data.pop("file")
        return Wish(
            gold_set_id=UUID(source[5:]) if source.startswith("gold:") else None,
            file=file if source == "file" else "",
            is_of_asked=source == "asked",
            plan=Plan(**{name: data.pop(name) for name in PLAN}),
            **data,
        )


class OutcomeForm(Form):
    """What was decided where grades differ."""

    item = forms.IntegerField(min_value=1)
    criterion = forms.CharField(max_length=40)
    answer = forms.IntegerField(min_value=0)
    value = forms.IntegerField()
    reason = forms.CharField()


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
