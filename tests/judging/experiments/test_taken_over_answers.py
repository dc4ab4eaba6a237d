"""Which answers of an earlier experiment a rerun takes over: none where searches read something else since."""

import json
from datetime import timedelta
from typing import Any

from django.utils import timezone

from corpora.models import Paragraph
from judging.models import Experiment, ExperimentAnswer
from legalqa.training.ranker.services import RANKER
from retrieval.models import Graph, IndexedQuestion
from tests.ingestion import ingest
from tests.judging.experiments.conftest import Garden
from tests.legalqa.answering.test_as_of import dated
from tests.trained import report_of, trained_ranker

TEXT = "The tenant of the garden pays {} euros on the first day of each month."


def reused(garden: Garden, experiment: Experiment) -> set[bool]:
    with garden.scope():
        return set(ExperimentAnswer.objects.filter(experiment=experiment).values_list("is_reused", flat=True))


def test_no_answer_of_the_day_before_a_version_takes_effect(garden: Garden, monkeypatch: Any) -> None:
    firm, today = garden.firm, timezone.localdate()
    for euros, day in ((900, today - timedelta(days=50)), (999, today + timedelta(days=1))):
        row = {"id": "rent", "text": TEXT.format(euros)}
        dated(firm, ingest(firm, garden.corpus, "rules.jsonl", json.dumps(row)), day)
    garden.ended("fixed-5")
    assert any(reused(garden, garden.ended("fixed-5")))
    # The next day, without waiting for midnight.
    monkeypatch.setattr(timezone, "localdate", lambda *_: today + timedelta(days=1))
    assert reused(garden, garden.ended("fixed-5")) == {False}


def test_no_answer_by_another_ranker(garden: Garden) -> None:
    garden.ended("cited-or-silent")
    version = trained_ranker(garden.firm, garden.corpus, source="gold", report=report_of())
    with garden.scope():
        RANKER.use(
            organization=garden.firm.organization,
            user=garden.firm.manager,
            corpus_id=garden.corpus.pk,
            version_id=version.pk,
        )
    assert reused(garden, garden.ended("cited-or-silent")) == {False}


def test_no_answer_by_another_question_index_or_graph(garden: Garden) -> None:
    garden.ended("fixed-5")
    with garden.scope():
        of: Any = {"organization": garden.firm.organization, "corpus": garden.corpus}
        paragraph = Paragraph.objects.filter(document__corpus=garden.corpus).earliest("pk")
        words = {"text": "Who pays?", "made_text": "Who pays?", "key": "k", "author": "asked.csv"}
        IndexedQuestion.objects.create(**of, **words, source="pair", paragraph=paragraph, start=0, end=1)
    assert reused(garden, garden.ended("fixed-5")) == {False}
    assert reused(garden, garden.ended("fixed-5")) == {True}
    with garden.scope():
        Graph.objects.create(**of, built_version=1, built_at=timezone.now())
    assert reused(garden, garden.ended("fixed-5")) == {False}
