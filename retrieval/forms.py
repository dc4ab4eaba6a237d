"""Validation of the search lab's forms."""

from typing import Any

from django import forms

from legalqa.accounts.models import Organization
from legalqa.common.errors import ApplicationError
from legalqa.common.forms import Form
from legalqa.common.queries import settings_read
from retrieval.graph.reviewing import ACTIONS
from retrieval.kinds import KIND_CHOICES
from retrieval.models.graph import EntityKind
from retrieval.pipelines.adaptive import PARAMETERS, Parameter, ParameterMapping, class_words
from retrieval.pipelines.presets import DEFAULT_PRESET, PRESETS
from retrieval.services.presets import saved_preset_list
from retrieval.services.search import MAX_QUERY_CHARS

PLAIN = "fixed-10"


def preset_choices(*, organization: Organization, corpus_id: Any = None) -> list[tuple[str, str]]:
    """The presets that come with the product, then those that corpora keep, of one corpus or of all."""
    saved = saved_preset_list(organization=organization)
    if corpus_id is not None:
        saved = saved.filter(corpus_id=corpus_id)
    saved_choices = [(p.name, p.name if corpus_id else f"{p.name} ({p.corpus.name})") for p in saved]
    return [*((p.name, p.title) for p in PRESETS.values()), *saved_choices]


class SettingsField(forms.CharField):
    """Settings as they are typed: `rrf.k=20 bm25.b=0.5`, apart by blanks or commas followed by one."""

    def clean(self, value: Any) -> dict[str, str]:
        text = super().clean(value)
        try:
            return settings_read(text.replace(", ", " ").split())
        except ApplicationError as error:
            raise forms.ValidationError(error.message) from None


class LabForm(Form):
    text = forms.CharField(
        label="Query",
        max_length=MAX_QUERY_CHARS,
        error_messages={
            "required": "The query is empty. Type what a lawyer would ask.",
            "max_length": f"The query is longer than {MAX_QUERY_CHARS:,} characters. Shorten it.",
        },
    )
    left = forms.ChoiceField(label="Setting A")
    left_settings = SettingsField(label="Changes to A", required=False, max_length=300)
    right = forms.ChoiceField(label="Setting B")
    right_settings = SettingsField(label="Changes to B", required=False, max_length=300)

    def __init__(self, *args: Any, organization: Organization, corpus_id: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = preset_choices(organization=organization, corpus_id=corpus_id)
        for name, initial in (("left", DEFAULT_PRESET), ("right", PLAIN)):
            self.offer(name, choices)
            self.fields[name].initial = initial
            self.fields[f"{name}_settings"].widget.attrs |= {"placeholder": "k=20 rrf.k=30", "spellcheck": "false"}

    @property
    def sides(self) -> list[dict[str, Any]]:
        return [
            {"letter": letter, "preset": self[side], "settings": self[f"{side}_settings"]}
            for letter, side in (("A", "left"), ("B", "right"))
        ]


OF_THE_GRAPH = ("keywords", "path_length")
SYMBOLS = {"k": "k", "rewrites": "Q", "keywords": "K", "path_length": "S"}
WORDS = {
    "k": "Passages read",
    "rewrites": "Rewrites of the question",
    "keywords": "Keywords followed in the graph",
    "path_length": "Steps of a path in the graph",
}


class MappingForm(Form):
    """A parameter mapping as a table: a mode for each parameter and a value for each class.

    Those of the graph are left as they are where the corpus has none.
    """

    def __init__(self, *args: Any, mapping: ParameterMapping, has_graph: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.mapping = mapping
        self.shown = {name: most for name, most in PARAMETERS.items() if has_graph or name not in OF_THE_GRAPH}
        for name, most in self.shown.items():
            parameter: Parameter = getattr(mapping, name)
            self.fields[f"{name}_mode"] = forms.ChoiceField(
                choices=[("off", "off"), ("fixed", "the same for all"), ("adaptive", "by class")],
                initial=parameter.mode,
            )
            for label in range(mapping.n_classes):
                self.fields[f"{name}_{label}"] = forms.IntegerField(
                    min_value=1, max_value=most, required=False, initial=parameter.of(label)
                )
        self.fields["reranker"] = forms.BooleanField(
            label="Put the passages into order with the trained ranker", required=False, initial=mapping.reranker
        )
        if mapping.bands is not None:
            self.fields["bands"] = forms.BooleanField(
                label="Keep how k follows the ranking", required=False, initial=True
            )

    @property
    def table(self) -> list[dict[str, Any]]:
        """For each parameter its mode and the fields of its classes."""
        n_classes = self.mapping.n_classes
        return [
            {
                "symbol": SYMBOLS[name],
                "words": WORDS[name],
                "mode": self[f"{name}_mode"],
                "cells": [
                    (class_words(label, n_classes).capitalize(), self[f"{name}_{label}"]) for label in range(n_classes)
                ],
            }
            for name in self.shown
        ]

    def as_mapping(self) -> dict[str, Any]:
        """What was typed, as `ParameterMapping` reads it; a fixed parameter takes the value of the first class."""
        data = self.cleaned_data
        document = self.mapping.model_dump(mode="json", exclude={"bands"}) | {"reranker": data["reranker"]}
        for name in self.shown:
            mode = data[f"{name}_mode"]
            values = [data[f"{name}_{label}"] for label in range(self.mapping.n_classes)]
            used = {"off": [], "fixed": values[:1], "adaptive": values}[mode]
            document[name] = {"mode": mode, "values": [value for value in used if value is not None]}
        if self.mapping.bands is not None and data.get("bands"):
            document["bands"] = self.mapping.bands.model_dump(mode="json")
        return document


class PresetForm(Form):
    name = forms.CharField(label="Name", max_length=60)
    base = forms.ChoiceField(choices=[(name, name) for name in PRESETS])
    overrides = SettingsField(required=False, max_length=300)


class PathForm(Form):
    """A path query as people type it (`retrieval.graph.queries.PathQuery`)."""

    start = forms.CharField(
        label="Start at",
        max_length=300,
        error_messages={"required": "Type the name of what the paths start at, such as “employer” or “Article 5”."},
    )
    predicates = forms.MultipleChoiceField(
        label="Over statements of these kinds",
        choices=KIND_CHOICES,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    hops = forms.TypedChoiceField(
        label="Steps at most", choices=[(n, str(n)) for n in (1, 2, 3)], coerce=int, initial=2
    )
    end_kind = forms.ChoiceField(label="End at", choices=[("", "Anything"), *EntityKind.choices], required=False)


class DecisionForm(Form):
    """A reviewer's decision about a graph, as the buttons of its pages send it and `graph_decide` takes it."""

    action = forms.ChoiceField(choices=[(name, name) for name in ACTIONS])
    entity_id = forms.UUIDField(required=False)
    into_id = forms.UUIDField(required=False)
    triplet_id = forms.UUIDField(required=False)
    decision_id = forms.UUIDField(required=False)
    alias = forms.CharField(required=False, max_length=300)
