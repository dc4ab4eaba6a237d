"""The form that has people grade an experiment's answers."""

from typing import Any
from uuid import UUID

from django import forms

from judging.campaigns.services.campaigns import MAX_NAME
from judging.experiments.trust.read import MOST_ANSWERS
from legalqa.common.forms import Form, not_too_large, uploaded_text


class GradedAnswersForm(Form):
    name = forms.CharField(label="Name of the campaign", max_length=MAX_NAME)
    cell = forms.CharField(label="Experiment and configuration")
    n = forms.IntegerField(label="Answers", min_value=1, max_value=MOST_ANSWERS, initial=50)

    def clean_cell(self) -> tuple[UUID, str]:
        experiment, _, cell = self.cleaned_data["cell"].partition(" ")
        try:
            return UUID(experiment), cell
        except ValueError:
            raise forms.ValidationError("Choose one of the configurations listed.") from None

    def wanted(self) -> dict[str, Any]:
        """What `campaign_of_experiment` takes."""
        experiment_id, cell = self.cleaned_data["cell"]
        return self.cleaned_data | {"experiment_id": experiment_id, "cell": cell}


class RatingsForm(Form):
    """Ratings given elsewhere; they are measured and not kept."""

    ratings = forms.FileField(
        label="File of ratings",
        validators=[not_too_large("Measure it with the command `agreement`.")],
        help_text="CSV or JSONL with item, rater and score, or with human and judge.",
    )
    judge = forms.CharField(
        label="The rater compared with the others", max_length=100, required=False, initial="judge", strip=True
    )

    def clean_ratings(self) -> str:
        return uploaded_text(self.cleaned_data["ratings"])
