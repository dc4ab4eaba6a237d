"""Validation of the forms of the case base."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from legalqa.common.errors import ApplicationError
from legalqa.common.forms import Form, not_too_large
from legalqa.common.storable import text_read
from retrieval.cases.indexing import MAX_CUE
from retrieval.cases.services import MAX_NOTE

case_file_fits = not_too_large("Split it, or use the command.")


class CaseImportForm(Form):
    file = forms.FileField(label="File", validators=[case_file_fits], help_text="JSONL or CSV, one case a line.")

    def clean_file(self) -> str:
        return text_of(self.cleaned_data["file"])


def text_of(file: UploadedFile[bytes]) -> str:
    """The text of an uploaded file; ValidationError where it is none."""
    try:
        return text_read(file.read())
    except ApplicationError as error:
        raise forms.ValidationError(error.message) from None


class CaseReviewForm(Form):
    note = forms.CharField(label="Note", max_length=MAX_NOTE, required=False, widget=forms.Textarea(attrs={"rows": 2}))


class CaseIndexForm(Form):
    encoder = forms.ChoiceField(label="Encoder")
    cue = forms.CharField(
        label="Cue",
        max_length=MAX_CUE,
        required=False,
        strip=False,
        empty_value=None,
        help_text="Goes before a question that seeks supports; empty leaves it as it is.",
    )

    def __init__(self, *args: Any, encoders: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("encoder", encoders)
