"""Validation of the forms of an evaluation of a case base."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms

from judging.experiments.cases.pairs import N_PAIRS, PairQuestion, pair_questions_read
from judging.experiments.cases.services import MAX_QUESTIONS
from judging.gold.services.sets import GoldSetCounts
from legalqa.common.errors import ApplicationError
from legalqa.common.forms import Form, uploaded_text
from retrieval.cases.forms import case_file_fits


class CaseEvaluationForm(Form):
    file = forms.FileField(
        label="Test questions",
        required=False,
        validators=[case_file_fits],
        help_text="JSONL: question, answer, and cases, a list of ids.",
    )
    gold_set = forms.TypedChoiceField(
        label="Or those of a gold set",
        required=False,
        coerce=UUID,
        empty_value=None,
        help_text="Its questions whose passages belong to two cases or more. Without a file and a gold set, a language "
        "model writes them.",
    )
    number = forms.IntegerField(
        label="Pairs of cases",
        min_value=1,
        max_value=MAX_QUESTIONS,
        initial=N_PAIRS,
        required=False,
        help_text="That the model is asked about, at most; the cases of a pair name the same legal act.",
    )

    def __init__(self, *args: object, gold_sets: Sequence[GoldSetCounts], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # whatever a form takes
        self.offer("gold_set", [("", "None"), *((str(one.gold_set.pk), one.gold_set.name) for one in gold_sets)])

    def clean_file(self) -> list[PairQuestion]:
        file = self.cleaned_data["file"]
        try:
            return pair_questions_read(uploaded_text(file)) if file else []
        except ApplicationError as error:
            raise forms.ValidationError(error.message) from error

    def clean_number(self) -> int:
        return int(self.cleaned_data["number"] or N_PAIRS)

    def wanted(self) -> dict[str, Any]:
        """What `case_evaluation_start` takes."""
        fields = self.cleaned_data
        return {"questions": fields["file"], "gold_set_id": fields["gold_set"], "number": fields["number"]}


class CaseMeasureForm(Form):
    chosen = forms.TypedMultipleChoiceField(
        coerce=int, label="Test questions", error_messages={"required": "Choose at least one of the test questions."}
    )
    with_answers = forms.BooleanField(required=False, label="Compare a model's answers with the references, too")

    def __init__(self, *args: object, n_questions: int, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # whatever a form takes
        self.offer("chosen", [(number, str(number)) for number in range(n_questions)])
