"""Validation of the forms of the question index."""

from django import forms

from legalqa.common.forms import Form, not_too_large
from retrieval.models import QuestionSource
from retrieval.questions.files import MAX_CHARS
from retrieval.questions.services import STATES


class FilterForm(Form):
    words = forms.CharField(label="Words", required=False, max_length=200)
    source = forms.ChoiceField(label="Source", required=False, choices=[("", "All sources"), *QuestionSource.choices])
    state = forms.ChoiceField(label="State", required=False, choices=[("", "All states"), *STATES.items()])


class ImportForm(Form):
    file = forms.FileField(
        label="File",
        validators=[not_too_large("Import it with the command: manage.py questions import.")],
        help_text="CSV or JSONL with question, and answer or paragraph_id. Without an id, the passage is the law that "
        "the answer names by number.",
    )

    def clean_file(self) -> tuple[str, bytes]:
        file = self.cleaned_data["file"]
        return str(file.name)[:200], bytes(file.read())


class EditForm(Form):
    text = forms.CharField(label="Question", max_length=MAX_CHARS)
