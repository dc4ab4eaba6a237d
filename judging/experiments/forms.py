"""Validation of the form that starts an experiment."""

from typing import Any

from django import forms

from judging.experiments.rules import RULES
from judging.experiments.services import MAX_NAME
from judging.experiments.settings import GENERATORS, MAX_REPEATS, OF_MODEL, preset_names
from judging.models import Rerun
from legalqa.common.forms import Form

Choices = list[tuple[str, str]]


class ExperimentForm(Form):
    gold_set = forms.ChoiceField(label="Gold set")
    presets = forms.MultipleChoiceField(label="Presets", widget=forms.CheckboxSelectMultiple)
    changes = forms.CharField(
        label="Further configurations",
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One preset with its changes per line: policy-copilot reranker=off",
    )
    generators = forms.MultipleChoiceField(
        label="Answers",
        initial=["quoted"],
        widget=forms.CheckboxSelectMultiple,
    )
    measures = forms.MultipleChoiceField(
        label="Measures",
        choices=[(name, rule.label) for name, rule in RULES.items()],
        initial=list(RULES),
        widget=forms.CheckboxSelectMultiple,
    )
    judges = forms.MultipleChoiceField(
        label="Judges",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Beside the measures above, which are rules and cost nothing.",
    )
    judges_with_law = forms.CharField(
        label="Judges with law",
        required=False,
        max_length=400,
        help_text="Names separated by commas: custom2+law is shown the law, custom2+unrelated other law as a control.",
    )
    repeats = forms.IntegerField(
        label="Times asked",
        min_value=1,
        max_value=MAX_REPEATS,
        initial=1,
        help_text="How often a model is asked each question. Quoted answers are the same each time.",
    )
    budget = forms.DecimalField(
        label="Budget",
        required=False,
        min_value=0,
        max_digits=12,
        decimal_places=4,
        help_text="The most that models may cost.",
    )
    rerun = forms.ChoiceField(label="Run again", choices=Rerun.choices, required=False)
    name = forms.CharField(label="Name", required=False, max_length=MAX_NAME)

    def __init__(
        self, *args: Any, gold_sets: Choices, saved: list[str], models: list[str], judges: Choices, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.offer("gold_set", gold_sets)
        self.offer("presets", [*preset_names().items(), *((name, name) for name in saved)])
        written = [(f"{OF_MODEL}{name}", f"Written by {name}") for name in models]
        self.offer("generators", [*GENERATORS.items(), *written])
        self.offer("judges", judges)

    @property
    def chosen_judges(self) -> list[str]:
        """The judges as they were ticked and typed."""
        typed = [name.strip() for name in self.cleaned_data["judges_with_law"].split(",")]
        return [*self.cleaned_data["judges"], *filter(None, typed)]

    @property
    def configurations(self) -> list[str]:
        """The presets as they were ticked and typed."""
        typed = [line.strip() for line in self.cleaned_data["changes"].splitlines()]
        return [*self.cleaned_data["presets"], *filter(None, typed)]
