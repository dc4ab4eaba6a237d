"""Validation of what people type about the training of classifiers."""

from typing import Any

from django import forms

from judging.models import GoldSet
from legalqa.common.errors import ApplicationError
from legalqa.common.storable import text_read
from legalqa.training.classifier.augmentation import Shares
from legalqa.training.classifier.data import MAX_BYTES
from legalqa.training.classifier.fitting import KINDS
from legalqa.training.versions.face import TrainingForm

CLASSES = (("3", "3: one, two, more"), ("2", "2: one, more"))


class ClassifierForm(TrainingForm):
    file = forms.FileField(
        required=False,
        label="Questions from a CSV file",
        help_text="Columns <code>question</code> and <code>label</code>: 0, 1 or 2.",
    )
    gold_set = forms.ChoiceField(required=False, label="Or from a gold set of this corpus")
    kind = forms.ChoiceField(choices=list(KINDS.items()), initial="svm", label="Classifier")
    n_classes = forms.TypedChoiceField(choices=CLASSES, coerce=int, label="Classes")
    augment = forms.BooleanField(
        required=False,
        label="Add changed questions",
        help_text="Vague, misspelt, longer and shorter forms, so that it does not go by length and style.",
    )
    learning_rate = forms.FloatField(
        required=False, min_value=1e-7, max_value=0.1, label="Learning rate", help_text="Fine-tuning only."
    )
    epochs = forms.IntegerField(required=False, min_value=1, max_value=50, label="Epochs at most")
    validation_share = forms.FloatField(
        required=False,
        min_value=0,
        max_value=0.5,
        label="Share kept for validation",
        help_text="Chooses the best epoch. With few questions of a class give 0: every epoch is done.",
    )

    def __init__(self, *args: Any, gold_sets: list[GoldSet], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("gold_set", [("", "–"), *((str(gold_set.pk), gold_set.name) for gold_set in gold_sets)])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not {"file", "gold_set"} & self.errors.keys() and bool(data.get("file")) == bool(data.get("gold_set")):
            self.add_error("file", "Choose the CSV file that holds the questions, or a gold set: one of the two.")
        return data

    def text(self) -> str:
        """The uploaded CSV.

        Raises:
            ApplicationError: it is too large or no text.
        """
        file = self.cleaned_data.get("file")
        if file is None:
            return ""
        if file.size > MAX_BYTES:
            raise ApplicationError(f"The CSV is larger than {MAX_BYTES // 1_000_000} MB. Give fewer questions.")
        return text_read(file.read())

    def settings_given(self) -> dict[str, Any]:
        """The settings of the training, those that were left empty at their defaults."""
        data = self.cleaned_data
        values: dict[str, Any] = {"kind": data["kind"], "n_classes": data["n_classes"]}
        names = ("learning_rate", "epochs", "validation_share")
        values |= {name: data[name] for name in names if data.get(name) is not None}
        if data.get("augment"):
            values["shares"] = Shares().model_dump()
        return values
