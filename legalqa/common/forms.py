"""The form that all forms of pages are made of: a field that was left out is named in a sentence of ours."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import capfirst

from legalqa.common.dates import day_sentence
from legalqa.common.errors import ApplicationError
from legalqa.common.text_files import text_read

MAX_FILE_BYTES = 2_500_000  # below what a form may send
_FRAMEWORKS = forms.Field.default_error_messages["required"]


def not_too_large(instead: str) -> Callable[[UploadedFile[bytes]], None]:
    """A check of a field's file; of one that is too large it says what to do instead."""

    def check(file: UploadedFile[bytes]) -> None:
        if file.size is None or file.size > MAX_FILE_BYTES:
            raise forms.ValidationError(f"The file is larger than 2.5 MB. {instead}")

    return check


def uploaded_text(file: UploadedFile[bytes]) -> str:
    """The text of an uploaded file; ValidationError where it is not UTF-8."""
    try:
        return text_read(file.read())
    except ApplicationError as error:
        raise forms.ValidationError(str(error)) from None


class DayField(forms.DateField):
    """A day that may be left out."""

    def __init__(self, *, label: str | None = None, help_text: str = "") -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(label=label, required=False, widget=widget, help_text=help_text)

    def to_python(self, value: Any) -> date | None:
        try:
            return super().to_python(value)
        except forms.ValidationError:
            raise forms.ValidationError(day_sentence(str(value))) from None


class NamesWhatIsMissing(forms.BaseForm):
    """For forms of the framework: “This field is required.” does not say which one.

    A field with a sentence of its own keeps it.
    """

    def full_clean(self) -> None:
        for name, field in self.fields.items():
            if field.error_messages.get("required") == _FRAMEWORKS:
                field.error_messages["required"] = _missing(field, capfirst(str(self[name].label)))
        super().full_clean()


class Form(NamesWhatIsMissing, forms.Form):
    """A form of a page."""

    def offer(self, name: str, choices: Sequence[tuple[Any, str]]) -> None:
        """Say what can be chosen in a field, where that is known only now."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def check_order(self, first: str, last: str) -> None:
        """Add an error to the field `last` where its day is before that of the field `first`."""
        begins, ends = self.cleaned_data.get(first), self.cleaned_data.get(last)
        if begins and ends and ends < begins:
            before = self.fields[first].label
            self.add_error(last, f"This day is before “{before}”. Exchange the two, or leave one empty.")


def _missing(field: forms.Field, label: str) -> str:
    if isinstance(field, forms.FileField):
        return f"“{label}” has no file. Choose one."
    if isinstance(field, forms.BooleanField):
        return f"“{label}” is not ticked. Tick it."
    if isinstance(field, forms.ChoiceField):
        return f"“{label}” is not chosen. Choose one."
    return f"“{label}” is empty. Fill it in."
