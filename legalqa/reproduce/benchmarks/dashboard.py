"""Load times of the pages of experiments, with a year's worth of made-up scores in the database.

The rows are written directly, because answering 24,000 questions would take days. The report and the pages are made by
the product from these scores.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Any
from uuid import uuid4

import numpy as np
from django.test import Client
from django.urls import reverse
from numpy.typing import NDArray

from corpora.models import Corpus
from judging.experiments.results import results_document, results_read
from judging.experiments.rules import RULES
from judging.experiments.settings import ExperimentSettings, experiment_settings
from judging.gold.taxonomy import SHIPPED
from judging.judges.types import Status
from judging.models import Experiment, ExperimentAnswer, ExperimentScore, GoldQuestion, GoldSet
from legalqa.accounts.models import Membership, Organization, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, AnswerState, Claim, Purpose, Question, Verdict
from legalqa.reproduce.intake import Note, corpus_own

Values = NDArray[np.float64]

SLUG, TITLE, NAME = "measure-dashboard", "Measure dashboard", "Dashboard"
PRESETS = ("naive", "hybrid", "hybrid top_k=3", "hybrid top_k=20", "bm25", "dense", "policy-copilot", "cited-or-silent")
TYPES = tuple(kind.name for kind in SHIPPED[:11])
EXPERIMENTS, QUESTIONS = 10, 300  # the numbers that are made
LOADS = 20  # times that the page is loaded
BATCH = 2000  # rows written at once
STATUS = {False: Status.JUDGED.value, True: Status.NOT_APPLICABLE.value}  # by whether the judgment is undefined
DECLINED_FROM = 0.85  # the draw of 0 to 1 from which an answer declines, and has no value


def dashboard_times(*, seed: int, note: Note) -> dict[str, list[float]]:
    """Milliseconds of every load of each page, by the name of its address, the first load left out."""
    organization, corpus = corpus_own(slug=SLUG, title=TITLE, name=NAME, is_fresh=True)
    owner, _ = User.objects.get_or_create(email=f"owner@{SLUG}.example", defaults={"name": TITLE})
    with organization_scope(organization, user=owner):
        Membership.objects.get_or_create(organization=organization, user=owner, defaults={"role": Role.OWNER})
        questions = _questions(corpus)
    experiments = _experiments(corpus, questions, seed=seed, note=note)
    client = Client(headers={"host": "localhost"})
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    return {name: _loaded(client, address) for name, address in _addresses(organization, corpus, experiments).items()}


def _addresses(organization: Organization, corpus: Corpus, experiments: Sequence[Experiment]) -> dict[str, str]:
    last, slug = experiments[-1], organization.slug
    of_corpus = {name: reverse(name, args=[slug, corpus.pk]) for name in ("judging_home", "experiment_list")}
    pages = ("experiment_detail", "experiment_results", "experiment_items", "experiment_compare")
    of_one = {name: reverse(name, args=[slug, last.pk]) for name in pages}
    of_one["experiment_compare"] += f"?with={experiments[0].pk}"
    return of_corpus | of_one | {"use_page": reverse("use_page", args=[slug])}


def _loaded(client: Client, address: str) -> list[float]:
    milliseconds = []
    for _ in range(LOADS + 1):
        started = perf_counter()
        response = client.get(address)
        milliseconds.append((perf_counter() - started) * 1000)
        assert response.status_code == 200, address
    return milliseconds[1:]


def _experiments(corpus: Corpus, questions: Sequence[GoldQuestion], *, seed: int, note: Note) -> list[Experiment]:
    settings = experiment_settings(presets=PRESETS)
    values = _values(settings, questions, seed)
    report: dict[str, Any] = {}
    experiments = []
    for at in range(EXPERIMENTS):
        note(f"experiment {at + 1} of {EXPERIMENTS}")
        experiment = Experiment(
            organization_id=corpus.organization_id,
            corpus=corpus,
            gold_set_id=questions[0].gold_set_id,
            name=f"Week {at + 1}",
            settings=settings.model_dump(mode="json"),
            provenance={"corpus_version": corpus.version, "questions": len(questions)},
        )
        with organization_scope(corpus.organization_id, user=None):
            experiment.save(force_insert=True)
            _stored(experiment, settings, questions, values)
            # All have the same scores, and so the same report.
            report = report or results_document(settings=settings, stored=results_read(experiment=experiment))
            experiment.report = report
            experiment.save(update_fields=["report"])
        experiments.append(experiment)
    return experiments


def _questions(corpus: Corpus) -> list[GoldQuestion]:
    of = {"organization_id": corpus.organization_id}
    gold_set = GoldSet.objects.create(**of, corpus=corpus, name=NAME)
    return GoldQuestion.objects.bulk_create(
        GoldQuestion(
            **of,
            gold_set=gold_set,
            ordinal=at,
            text=f"Within how many days must notice number {at} be given, and to whom?",
            question_type=TYPES[at % len(TYPES)],
            is_answerable=TYPES[at % len(TYPES)] != "out of scope",
        )
        for at in range(QUESTIONS)
    )


def _values(settings: ExperimentSettings, questions: Sequence[GoldQuestion], seed: int) -> Values:
    """Values [cell, question, measure]; NaN where there is none."""
    shape = (len(settings.cells), len(questions), len(settings.measures))
    values = np.random.default_rng(seed).random(shape)
    is_binary = np.array([RULES[name].is_binary for name in settings.measures])
    shift = np.linspace(0, 0.2, len(settings.cells))[:, None, None]
    scores = np.where(is_binary, (values + shift > 0.5).astype(float), values)
    return np.where((values > DECLINED_FROM) & ~is_binary, np.nan, scores)


def _value(score: float) -> tuple[float | None, str, str]:
    """A score's value, status and reason."""
    return (None, STATUS[True], "nothing was said") if np.isnan(score) else (float(score), STATUS[False], "")


def _stored(
    experiment: Experiment, settings: ExperimentSettings, questions: Sequence[GoldQuestion], values: Values
) -> None:
    """The answers of an experiment, each with a claim and its scores."""
    of = {"organization_id": experiment.organization_id}
    pairs = [(cell, at) for cell in range(len(settings.cells)) for at in range(len(questions))]
    keys = list(settings.by_key)
    answers = _answers(experiment, questions, [(keys[cell], at) for cell, at in pairs])
    rows = ExperimentAnswer.objects.bulk_create(
        (
            ExperimentAnswer(
                **of,
                experiment=experiment,
                question=questions[at],
                cell=keys[cell],
                answer=answer,
                fingerprint="f",
                seconds=0.5,
            )
            for answer, (cell, at) in zip(answers, pairs, strict=True)
        ),
        batch_size=BATCH,
    )
    ExperimentScore.objects.bulk_create(
        (
            ExperimentScore(
                **of, experiment=experiment, answer=row, measure=name, value=value, status=status, reason=reason
            )
            for row, (cell, at) in zip(rows, pairs, strict=True)
            for m, name in enumerate(settings.measures)
            for value, status, reason in [_value(values[cell, at, m])]
        ),
        batch_size=BATCH,
    )


def _answers(
    experiment: Experiment, questions: Sequence[GoldQuestion], places: Sequence[tuple[str, int]]
) -> list[Answer]:
    """An answer with a claim for each configuration's key and question's place."""
    of = {"organization_id": experiment.organization_id}
    question_rows = Question.objects.bulk_create(
        (
            Question(**of, corpus_id=experiment.corpus_id, text=questions[at].text, conversation=uuid4())
            for _, at in places
        ),
        batch_size=BATCH,
    )
    answers = Answer.objects.bulk_create(
        (
            Answer(
                **of,
                question=question,
                purpose=Purpose.EXPERIMENT,
                state=AnswerState.ANSWERED,
                confidence=(at * 37 % 100) / 100,
                preset=key.split()[0],
                pipeline={},
                fingerprint="f",
            )
            for question, (key, at) in zip(question_rows, places, strict=True)
        ),
        batch_size=BATCH,
    )
    text = "Notice must be given within thirty days."
    Claim.objects.bulk_create(
        (Claim(**of, answer=a, ordinal=0, text=text, verdict=Verdict.SUPPORTED, is_shown=True) for a in answers),
        batch_size=BATCH,
    )
    return answers
