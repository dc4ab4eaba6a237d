"""Orders of the driver about experiments: begun for the workers, and what is stored of them."""

import json
from collections import Counter
from typing import Any
from uuid import UUID

QUESTIONS = ("What does the tenant pay?", "Who waters the garden?", "Who was the first mayor?")
PRESETS = ("naive", "fixed-3")


def experiment_begin(organization: str, corpus: str) -> str:
    from judging.experiments.services import experiment_start
    from judging.experiments.settings import experiment_settings
    from judging.gold.services.sets import gold_set_import
    from judging.models import GoldSet
    from legalqa.accounts.models import Organization
    from legalqa.accounts.scoping import organization_scope
    from tests.judging.gold.reading import gold_rows_read

    owner = Organization.objects.get(pk=organization)
    with organization_scope(owner, user=None):
        rows = gold_rows_read("\n".join(json.dumps({"question": text, "answerable": False}) for text in QUESTIONS))
        number = GoldSet.objects.filter(corpus=UUID(corpus)).count()
        gold_set = gold_set_import(
            organization=owner, user=None, corpus_id=UUID(corpus), name=f"Gold {number}", rows=rows
        )
        settings = experiment_settings(presets=PRESETS)
        experiment = experiment_start(organization=owner, user=None, gold_set_id=gold_set.pk, settings=settings)
    return str(experiment.pk)


def experiment_stored(organization: str, experiment: str) -> dict[str, Any]:
    """The table without what differs from run to run, and how many answers are behind it."""
    from judging.models import Experiment, ExperimentAnswer
    from legalqa.accounts.scoping import organization_scope
    from legalqa.answering.models import Answer, Purpose

    with organization_scope(UUID(organization), user=None):
        found = Experiment.objects.get(pk=experiment)
        rows = ExperimentAnswer.objects.filter(experiment=found)
        return {
            "rows": [row for row in found.report["rows"] if row["metric"] != "seconds"],
            "times": sorted(Counter(rows.values_list("question__text", "cell")).values()),
            "failed": rows.filter(answer=None).count(),
            "linked": len(set(rows.values_list("answer", flat=True))),
            "answers": Answer.objects.filter(purpose=Purpose.EXPERIMENT).count(),
        }
