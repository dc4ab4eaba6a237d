"""Validation of the forms of gold sets and their questions."""

from typing import Any

from django import forms

from judging.gold.formats import READERS
from judging.gold.services.reviewing import MAX_NOTE
from judging.gold.services.sets import MAX_NAME
from judging.gold.taxonomy import CRITERIA, Target
from judging.models import GoldQuestion, GoldReference, Review, Split
from legalqa.common.forms import Form, not_too_large
from legalqa.common.numbers import whole_number

SHAPES = {
    "jsonl": "JSONL of gold sets, one question per line",
    "csv": "CSV of gold sets",
    "pairs": "Questions and answers (CSV or JSONL)",
    "cuad": "CUAD or SQuAD (JSON)",
    "ragas": "RAGAS (JSONL)",
    "datasets": "Hugging Face datasets, SQuAD columns (JSONL)",
    "beir": "BEIR (zip)",
    "trec": "TREC topics and qrels (zip)",
    "irled": "IRLeD queries and qrels (zip)",
}


class GoldSetForm(Form):
    name = forms.CharField(label="Name", max_length=MAX_NAME)
    shape = forms.ChoiceField(
        label="Format", choices=[(shape, SHAPES[shape]) for shape in READERS], initial="jsonl", required=False
    )
    file = forms.FileField(
        label="File", validators=[not_too_large("Import it with the command: manage.py goldset import.")]
    )

    def clean_shape(self) -> str:
        return str(self.cleaned_data["shape"] or "jsonl")

    def clean_file(self) -> bytes:
        return bytes(self.cleaned_data["file"].read())


class GoldQuestionForm(Form):
    """A question as its page edits it; references are ids of paragraphs, those of spans with their places."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    question = forms.CharField(label="Question", widget=forms.Textarea(attrs={"rows": 3}))
    reference_answer = forms.CharField(label="Answer", required=False, widget=forms.Textarea(attrs={"rows": 4}))
    references = forms.CharField(
        label="Passages",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Ids of paragraphs as the reader shows them, one a line; a part of one as id, start and end.",
    )
    answerable = forms.BooleanField(label="The documents answer it", required=False)
    question_type = forms.CharField(label="Type", required=False, max_length=60)
    split = forms.ChoiceField(label="Split", required=False, choices=Split.choices)
    topic = forms.CharField(label="Topic", required=False, max_length=80)

    def clean_references(self) -> list[list[str]]:
        rows = [line.split() for line in self.cleaned_data["references"].splitlines() if line.strip()]
        if any(len(row) not in (1, 3) or not all(whole_number(cell) is not None for cell in row[1:]) for row in rows):
            raise forms.ValidationError("Write one passage a line: its id, or its id with a start and an end.")
        return rows

    def changes(self) -> dict[str, Any]:
        """The edit as `gold_question_edit` takes it."""
        data = dict(self.cleaned_data)
        rows = data.pop("references")
        ids = [row[0] for row in rows if len(row) == 1]
        spans = [{"paragraph_id": row[0], "start": int(row[1]), "end": int(row[2])} for row in rows if len(row) == 3]
        return data | {"reference_paragraph_ids": ids, "spans": spans}


def question_initial(question: GoldQuestion, references: list[GoldReference]) -> dict[str, Any]:
    """What the form of a question shows first."""
    lines = []
    for reference in references:
        name = reference.paragraph.shown_id
        lines.append(name if reference.start is None else f"{name} {reference.start} {reference.end}")
    return {
        "version": question.version,
        "question": question.text,
        "reference_answer": question.reference_answer,
        "references": "\n".join(lines),
        "answerable": question.is_answerable,
        "question_type": question.question_type,
        "split": question.split,
        "topic": question.topic,
    }


class ReviewForm(Form):
    version = forms.IntegerField(required=False)
    state = forms.ChoiceField(choices=Review.choices)
    note = forms.CharField(required=False, max_length=MAX_NOTE)

    def grades(self) -> dict[str, int]:
        """The criteria that were graded; what is not a grade is passed on for the service to refuse."""
        grades = {criterion.name: self.data.get(criterion.name, "") for criterion in CRITERIA}
        return {name: whole_number(grade) or 0 for name, grade in grades.items() if grade}


class QuestionTypeForm(Form):
    name = forms.CharField(label="Name", max_length=60)
    targets = forms.MultipleChoiceField(
        label="Target components",
        choices=[(target.value, target.value) for target in Target],
        widget=forms.CheckboxSelectMultiple,
    )
    tests = forms.CharField(label="What it tests, in a sentence", max_length=200)
