"""What people type about a training."""

from django.core.files.uploadedfile import SimpleUploadedFile

from judging.models import GoldSet
from legalqa.training.classifier.forms import ClassifierForm

CHOSEN = {"gold_set": "leases", "kind": "transformer", "n_classes": "3"}
GOLD_SETS = [GoldSet(id="leases", name="Leases")]


def test_a_share_of_nothing_is_a_choice_and_an_empty_field_is_none() -> None:
    shares = ({"validation_share": "0"}, {"validation_share": ""})
    asked = [ClassifierForm(CHOSEN | share, gold_sets=GOLD_SETS) for share in shares]

    assert all(form.is_valid() for form in asked)
    assert [form.settings_given().get("validation_share") for form in asked] == [0.0, None]


def test_more_than_half_of_the_questions_is_not_kept_for_validation() -> None:
    form = ClassifierForm(CHOSEN | {"validation_share": "0.9"}, gold_sets=GOLD_SETS)

    assert list(form.errors) == ["validation_share"]


def test_questions_come_from_a_file_or_from_a_gold_set_and_not_from_both() -> None:
    file = SimpleUploadedFile("questions.csv", b"question,label\n")
    both = ClassifierForm(CHOSEN, {"file": file}, gold_sets=GOLD_SETS)

    assert both.errors == {"file": ["Choose the CSV file that holds the questions, or a gold set: one of the two."]}
