"""Validation of the form that starts a tuning."""

from typing import Any

from django import forms

from legalqa.common.forms import Form


class TuningForm(Form):
    gold_set = forms.ChoiceField(label="Gold set")
    n_classes = forms.TypedChoiceField(
        label="Classes", coerce=int, choices=[(3, "3 classes"), (2, "2 classes")], initial=3
    )
    is_reranked = forms.TypedChoiceField(
        label="Search",
        coerce=lambda value: value == "yes",
        choices=[("yes", "fused and put in order by the learned ranker"), ("no", "fused, not ranked")],
    )
    rewrites = forms.TypedChoiceField(
        label="Rewriting",
        coerce=int,
        choices=[(0, "none"), (3, "none, or 3 rewrites by rules"), (5, "none, or 5 rewrites by rules")],
        initial=0,
    )
    price = forms.FloatField(
        label="What 1,000 tokens are worth, in recall",
        min_value=0.001,
        max_value=10,
        initial=0.05,
        help_text="0.05: one passage in twenty questions found more is worth 1,000 tokens read in each.",
    )

    def __init__(self, *args: Any, gold_sets: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("gold_set", gold_sets)
