"""Validation of the form that takes a gold set in."""

from django import forms

from judging.gold.services import MAX_NAME

MAX_FILE_BYTES = 2_500_000  # below what a form may send


class GoldSetForm(forms.Form):
    name = forms.CharField(label="Name", max_length=MAX_NAME)
    file = forms.FileField(label="JSONL file, one question per line")

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        if file.size > MAX_FILE_BYTES:
            raise forms.ValidationError(
                "The file is larger than 2.5 MB. Import it with the command: manage.py goldset import."
            )
        return str(file.read().decode("utf-8", "replace"))
