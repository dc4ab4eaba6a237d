"""What people type about a training."""

from legalqa.training.classifier.forms import ClassifierForm

MARKS = {"source": "marks", "kind": "transformer", "n_classes": "3"}


def test_a_share_of_nothing_is_a_choice_and_an_empty_field_is_none() -> None:
    shares = ({"validation_share": "0"}, {"validation_share": ""})
    asked = [ClassifierForm(MARKS | share, gold_sets=[]) for share in shares]

    assert all(form.is_valid() for form in asked)
    assert [form.settings_given().get("validation_share") for form in asked] == [0.0, None]


def test_more_than_half_of_the_questions_is_not_kept_for_validation() -> None:
    form = ClassifierForm(MARKS | {"validation_share": "0.9"}, gold_sets=[])

    assert list(form.errors) == ["validation_share"]
