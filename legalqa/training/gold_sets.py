"""Kinds of trained versions that learn from gold sets of the corpus: their form, and when there is nothing to learn."""

from typing import Any

from django import forms
from django.http import QueryDict
from rest_framework import serializers

from corpora.models import Corpus
from legalqa.accounts.models import Organization
from legalqa.training.choices import Choices, gold_set_choices, gold_sets_lacking
from legalqa.training.versions.face import Face, Sent, TrainingForm
from legalqa.training.versions.trainer import C, V


class GoldSetForm(TrainingForm):
    """Gold sets to learn from; a kind may have more fields, `elsewhere` for gold sets of other corpora among them."""

    gold_sets = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="Learn from",
        error_messages={"required": "Choose at least one gold set to learn from."},
    )

    def __init__(self, data: QueryDict | None, *, kind: str, gold_sets: Choices, elsewhere: Choices) -> None:
        super().__init__(data, auto_id=f"{kind}_%s")  # several forms on one page
        for name, choices in {"gold_sets": gold_sets, "elsewhere": elsewhere}.items():
            if name in self.fields:
                self.offer(name, choices)
                if not choices and not self.fields[name].required:
                    del self.fields[name]


class GoldSetFace(Face[V, C]):
    """What people and programs see of a kind that learns from gold sets."""

    form_class: type[GoldSetForm] = GoldSetForm

    def form(
        self, *, organization: Organization, corpus: Corpus, data: QueryDict | None = None, files: Any = None
    ) -> GoldSetForm:
        own, others = gold_set_choices(organization=organization, corpus_id=corpus.pk)
        return self.form_class(data, kind=self.trainer.name, gold_sets=own, elsewhere=others)

    def lacking(self, *, organization: Organization, corpus: Corpus) -> dict[str, Any] | None:
        return gold_sets_lacking(organization=organization, corpus_id=corpus.pk)


def to_use_serializer(kind: str) -> Sent:
    """What a program sends to activate a version of a kind; null is the packaged one."""
    fields = {f"{kind}_id": serializers.UUIDField(allow_null=True)}
    return type(f"{kind.title()}ToUseSerializer", (serializers.Serializer,), fields)
