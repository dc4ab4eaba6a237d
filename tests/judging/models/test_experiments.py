"""What the database itself refuses to keep of an experiment."""

import pytest
from django.db import IntegrityError, transaction

from judging.judges.types import Status
from judging.models import ExperimentScore
from tests.ingestion import make_corpus
from tests.judging.experiments.figures.made import experiment_made, gold_set_made
from tests.people import Firm


@pytest.mark.parametrize("status", [status.value for status in Status if status != Status.JUDGED])
def test_a_score_that_was_not_judged_has_no_value(status: str, inside: Firm) -> None:
    gold_set, questions = gold_set_made(inside, make_corpus(inside), n=1)
    experiment_made(inside, gold_set, questions, cells=["default"])
    valued = ExperimentScore.objects.filter(value__isnull=False)
    assert {score.status for score in valued} == {"judged"}

    with pytest.raises(IntegrityError, match="experiment_score_valued"), transaction.atomic():
        valued.update(status=status)
