"""Which answers of an earlier experiment a rerun takes over: none where searches read something else since."""

import json
from datetime import timedelta
from typing import Any

from django.utils import timezone

from judging.models import Experiment, ExperimentAnswer
from legalqa.training.ranker.services import RANKER
from retrieval.graph.reviewing import graph_decide
from retrieval.models import GraphEntity, QuestionState
from retrieval.questions.services import question_state_set
from tests.ingestion import ingest
from tests.judging.experiments.conftest import Garden
from tests.legalqa.answering.test_as_of import dated
from tests.retrieval.graph.world import LAW
from tests.retrieval.graph.world import build as graph_build
from tests.retrieval.questions.library import RULES, Library, build, questions
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


def test_no_answer_by_another_question_index(garden: Garden) -> None:
    ingest(garden.firm, garden.corpus, "records.md", RULES)
    library = Library(garden.firm, garden.corpus)
    build(library)
    garden.ended("question-index")
    assert reused(garden, garden.ended("question-index")) == {True}
    question = questions(library)[0]
    with garden.scope():
        question_state_set(
            organization=garden.firm.organization,
            user=garden.firm.manager,
            question_id=question.pk,
            state=QuestionState.REJECTED.value,
        )
    assert reused(garden, garden.ended("question-index")) == {False}


def test_no_answer_by_another_graph(garden: Garden) -> None:
    ingest(garden.firm, garden.corpus, "act.md", LAW)
    graph_build(garden.firm, garden.corpus)
    garden.ended("hypa-2")
    assert reused(garden, garden.ended("hypa-2")) == {True}
    with garden.scope():
        graph_decide(
            organization=garden.firm.organization,
            user=garden.firm.manager,
            corpus_id=garden.corpus.pk,
            action="reject",
            entity_id=GraphEntity.objects.filter(corpus=garden.corpus).values_list("pk", flat=True)[0],
        )
    assert reused(garden, garden.ended("hypa-2")) == {False}
    graph_build(garden.firm, garden.corpus)
    assert reused(garden, garden.ended("hypa-2")) == {False}
