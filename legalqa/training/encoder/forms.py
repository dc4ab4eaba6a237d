"""Validation of what people choose for the training of an encoder."""

from typing import Any

from django import forms

from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.gold_sets import GoldSetForm

NUMBERS: dict[str, tuple[str, str, float, float]] = {  # setting: label, help, smallest, largest
    "epochs": ("Epochs", "A second one already overfits.", 1, 20),
    "learning_rate": ("Learning rate", "", 1e-7, 0.1),
    "batch": ("Batch size", "Questions in each step.", 2, 256),
    "negatives": (
        "Hard negatives for each question",
        "Passages that your search finds and that do not answer it.",
        0,
        8,
    ),
    "max_tokens": ("Tokens of a passage", "Text beyond this is not read.", 8, 256),
    "held_out": ("Held-out share", "Of the questions, by whole documents, for the report.", 0.1, 0.9),
    "mixing": ("Mixing weight", "1 uses the trained weights alone; less keeps more of the packaged encoder.", 0.05, 1),
    "seed": ("Random seed", "", 0, 1_000_000),
    "unlabelled": (
        "Passages without labels",
        "Above 0, it learns from this many passages of the corpus alone; the questions only measure the result.",
        0,
        20_000,
    ),
    "angle": ("Weight of the angle loss", "0 uses the softmax alone.", 0, 10),
}


class EncoderForm(GoldSetForm):
    """Gold sets to learn from, gold sets of other corpora to measure on, and the settings, folded away."""

    settings = tuple(NUMBERS)
    elsewhere = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="Check on other corpora too",
        help_text="Out-of-domain check: training must not make other searches worse. Nothing is learned from these.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (label, words, low, high) in NUMBERS.items():
            default = EncoderTraining.model_fields[name].default
            shared: dict[str, Any] = {"label": label, "help_text": words, "required": False, "initial": default}
            if isinstance(default, int):
                self.fields[name] = forms.IntegerField(min_value=int(low), max_value=int(high), **shared)
            else:
                self.fields[name] = forms.FloatField(min_value=low, max_value=high, **shared)

    def settings_given(self) -> dict[str, Any]:
        """The settings of the training; those that were left empty stay at their defaults."""
        return {name: self.cleaned_data[name] for name in NUMBERS if self.cleaned_data.get(name) is not None}
