"""Validation of a question."""

from typing import Any

from django import forms

from corpora.selectors import corpus_list
from legalqa.accounts.models import Organization
from retrieval.forms import preset_choices
from retrieval.presets import DEFAULT_PRESET
from retrieval.services import MAX_QUERY_CHARS


class QuestionForm(forms.Form):
    text = forms.CharField(
        max_length=MAX_QUERY_CHARS,
        label="Question",
        error_messages={
            "required": "The question is empty. Type a question and ask again.",
            "max_length": f"The question is longer than {MAX_QUERY_CHARS:,} characters. Shorten it and ask again.",
        },
    )
    corpus = forms.TypedChoiceField(label="Corpus")
    preset = forms.ChoiceField(label="Method", required=False)
    k = forms.IntegerField(label="Passages read", required=False, min_value=1, max_value=50)

    def __init__(self, *args: Any, organization: Organization, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        corpora = [c for c in corpus_list(organization=organization) if c.n_ready]  # type: ignore[attr-defined]
        field = self.fields["corpus"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(str(c.pk), c.name) for c in corpora]
        methods = self.fields["preset"]
        assert isinstance(methods, forms.ChoiceField)
        methods.choices, methods.initial = preset_choices(organization=organization), DEFAULT_PRESET
