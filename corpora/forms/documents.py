"""Validation of what people type about corpora."""

from typing import Any, Self

from django import forms
from django.http import QueryDict
from django.utils.html import format_html

from corpora.describing import DOCUMENT_KINDS
from corpora.models import Document
from corpora.services import folders_available
from legalqa.accounts.models import Organization
from legalqa.accounts.selectors import member_list
from legalqa.common.forms import DayField, Form

CHUNKERS = (
    ("sentence.v1", "Whole sentences, up to 512 tokens"),
    ("recursive.v1", "Short chunks, up to 500 characters"),
)


class CorpusSettingsForm(Form):
    name = forms.CharField(max_length=120, label="Name")
    description = forms.CharField(max_length=300, required=False, label="Description")
    is_walled = forms.BooleanField(
        required=False, label="Restricted to named members", help_text="Nobody else will know it exists."
    )


class CorpusForm(CorpusSettingsForm):
    chunker = forms.ChoiceField(
        choices=CHUNKERS,
        required=False,
        label="How documents are split for searching",
        help_text="Citations point to paragraphs and do not depend on this.",
    )

    def clean_chunker(self) -> dict[str, str]:
        kind: str = self.cleaned_data["chunker"]
        return {"kind": kind} if kind else {}


class TitleForm(Form):
    title = forms.CharField(required=False, label="Title")  # the service says which titles it takes


class DocumentFieldsForm(Form):
    kind = forms.ChoiceField(label="Kind", required=False, choices=[("", "Not known"), *DOCUMENT_KINDS.items()])
    jurisdiction = forms.CharField(label="Jurisdiction", required=False, max_length=120)
    authority = forms.CharField(
        label="Authority", required=False, max_length=300, help_text="Who issued it, or the parties to it."
    )

    @classmethod
    def of(cls, document: Document, data: QueryDict | None = None) -> Self:
        """The form as the document is now; the help of a guessed field says why it was guessed."""
        form = cls(data, initial={name: getattr(document, name) for name in cls.base_fields})
        for name, reason in document.field_reasons.items():
            form.fields[name].help_text = format_html("Guessed: {}", reason)  # the words of a file
        return form

    @property
    def changes(self) -> dict[str, str]:
        """What was changed: a guess that was only sent along stays a guess."""
        return {name: self.cleaned_data[name] for name in self.changed_data}


class CorpusMemberForm(Form):
    member = forms.ChoiceField(label="Add a person")

    def __init__(self, *args: Any, organization: Organization, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("member", [(m.user_id, m.user.name) for m in member_list(organization=organization)])


class EffectiveDateForm(Form):
    number = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    effective_date = DayField()


class WatchedFolderForm(Form):
    path = forms.ChoiceField(label="Folder on the server")
    removes_missing = forms.BooleanField(
        required=False,
        label="Remove documents whose file was deleted",
        help_text="Otherwise they are kept, and the folder lists the missing files.",
    )

    def __init__(self, *args: Any, organization: Organization, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = folders_available(organization=organization)
        self.offer("path", [(name, "The whole folder" if name == "." else name) for name in self.names])


class PasswordForm(Form):
    password = forms.CharField(max_length=200, strip=False)
