"""The answers that people graded in a campaign, with what judges of experiments said of the same answers."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from judging.campaigns.figures import submitted_grades
from judging.campaigns.items import ItemRow
from judging.campaigns.rubrics import Criterion, form_get
from judging.campaigns.services.campaigns import campaign_create
from judging.experiments.facts import SAID
from judging.experiments.figures.selectors import reported_experiment
from judging.experiments.trust.estimates import Configuration
from judging.experiments.trust.figures import GradedItem
from judging.gold.grades import answer_texts
from judging.judges.registry import is_on_scale
from judging.models import Campaign, CampaignItem, Experiment, ExperimentAnswer, ExperimentScore
from legalqa.accounts.models import Organization, User
from legalqa.answering.models import Citation
from legalqa.common.errors import ApplicationError, NotFound

SOURCE = "experiment_answer"  # the key under which an item's sources name the answer that was scored
MOST_ANSWERS = 1000


def criteria_of(campaign: Campaign) -> list[Criterion]:
    """The criteria of a campaign that are scales; choices between answers are left out."""
    return [criterion for criterion in form_get(campaign.form).criteria if not criterion.is_choice]


def graded_items(*, campaign: Campaign, criterion: Criterion, slug: str) -> list[GradedItem]:
    """Every answer of a campaign with its grades by one criterion, repeats included, and the scores on its scale."""
    grades: dict[tuple[int, int], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in submitted_grades(campaign=campaign):
        if one.grade.criterion == criterion.key and one.grade.value is not None:
            grades[one.assignment.item_id, one.grade.answer][one.assignment.grader.name].append(one.grade.value)
    items = list(CampaignItem.objects.filter(campaign=campaign).order_by("ordinal"))
    ids = [source[SOURCE] for source in _scored(items)]
    scores = _scores_of(ExperimentScore.objects.filter(answer__in=ids), criterion.values)
    return [
        GradedItem(
            f"{item.ordinal}.{at + 1}",
            item.content["question"],
            answer["text"],
            item.question_type,
            reverse("experiment_items", args=[slug, source["experiment"]]) if "experiment" in source else "",
            grades.get((item.pk, at), {}),
            scores.get(source.get(SOURCE, ""), {}),
            source.get("experiment", ""),
            source.get("system", ""),
        )
        for item in items
        for at, (answer, source) in enumerate(zip(item.content["answers"], item.sources, strict=True))
        if (item.pk, at) in grades
    ]


def _scored(items: Iterable[CampaignItem]) -> list[dict[str, Any]]:
    """The sources of items that are answers of experiments, which judges may have scored."""
    return [source for item in items for source in item.sources if SOURCE in source]


def scored_alone(*, campaign: Campaign, judge: str, scale: Sequence[int]) -> dict[Configuration, list[float]]:
    """A judge's scores of the answers that the campaign did not put to people, by configuration.

    Args:
        campaign: Whose answers come from experiments.
        judge: As `graded_items` names it.
        scale: Every grade that may be given.
    """
    sources = _scored(CampaignItem.objects.filter(campaign=campaign))
    put = {source[SOURCE] for source in sources}
    of = {Configuration(source["experiment"], source["system"]) for source in sources}
    by_configuration: dict[Configuration, list[float]] = {}
    for one in of:
        rows = ExperimentScore.objects.filter(
            experiment=UUID(one.experiment), answer__cell=one.cell, answer__repeat=0, answer__answer__state__in=SAID
        )
        by_answer = _scores_of(rows.exclude(answer__in=put), scale)
        by_configuration[one] = [grade for scores in by_answer.values() for grade in scores.get(judge, ())]
    return by_configuration


def measures_left_out(*, campaign: Campaign, criterion: Criterion) -> list[str]:
    """The judges' measures of a campaign's answers that are on another scale than a criterion, by name."""
    ids = [source[SOURCE] for source in _scored(CampaignItem.objects.filter(campaign=campaign))]
    rows = ExperimentScore.objects.filter(answer__in=ids, value__isnull=False).exclude(judge="")
    names = rows.order_by("judge", "measure").values_list("judge", "measure").distinct()
    return [f"{judge}, {measure}" for judge, measure in names if not _is_on(criterion.values, measure)]


def _is_on(scale: Sequence[int], measure: str) -> bool:
    return is_on_scale(measure, low=min(scale), high=max(scale))


def _scores_of(rows: QuerySet[ExperimentScore], scale: Sequence[int]) -> dict[str, dict[str, list[float]]]:
    """The judges' scores by answer and judge, to the nearest grade; no measure that leaves the scale is among them."""
    rows = rows.filter(value__isnull=False).exclude(judge="")
    by_answer: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    strange = set()
    for answer, judge, measure, value in rows.values_list("answer_id", "judge", "measure", "value"):
        if value is None or not _is_on(scale, measure):
            continue
        name = f"{judge}, {measure}"
        by_answer[str(answer)][name].append(float(round(value)))
        if round(value) not in scale:
            strange.add(name)
    return {answer: {n: v for n, v in by_judge.items() if n not in strange} for answer, by_judge in by_answer.items()}


def campaign_of_experiment(
    *, organization: Organization, user: User, corpus_id: UUID, experiment_id: UUID, name: str, cell: str, n: int
) -> Campaign:
    """A campaign in which people grade the answers of one configuration, so that its judges can be compared with them.

    Answers are drawn by lot, the same ones each time: only then do their grades say something of all the others.

    Args:
        corpus_id: The corpus of both.
        experiment_id: One that has ended.
        name: Of the campaign.
        cell: The configuration.
        n: How many answers at most.

    Raises:
        NotFound, Conflict: as `reported_experiment`.
        ApplicationError: the configuration said nothing, or the name does not fit.
    """
    experiment = reported_experiment(organization=organization, experiment_id=experiment_id)
    if experiment.corpus_id != corpus_id:
        raise NotFound("experiment")
    rows = _answer_rows(experiment, cell)[: min(n, MOST_ANSWERS)]
    if not rows:
        raise ApplicationError(
            f"{cell[:60]!r} gave no answers in this experiment, so there is nothing to grade. Choose another "
            "configuration.",
            code="nothing_to_grade",
        )
    return campaign_create(
        organization=organization,
        user=user,
        corpus_id=experiment.corpus_id,
        name=name,
        form=form_get("correctness"),
        rows=rows,
    )


def _answer_rows(experiment: Experiment, cell: str) -> list[ItemRow]:
    answers = ExperimentAnswer.objects.filter(experiment=experiment, cell=cell, repeat=0, answer__state__in=SAID)
    rows = list(answers.select_related("question", "answer").order_by("question__ordinal"))
    ids = [row.answer_id for row in rows if row.answer_id]
    texts, passages = answer_texts(ids), _cited(ids)
    random.Random(f"{experiment.pk} {cell}").shuffle(rows)  # noqa: S311 - nothing is kept secret by it
    return [
        ItemRow(
            content={
                "question": row.question.text,
                "reference_answer": row.question.reference_answer,
                "answers": [{"text": texts[row.answer_id], "passages": passages.get(row.answer_id, [])}],
            },
            sources=[{"system": cell, SOURCE: str(row.pk), "experiment": str(experiment.pk)}],
            external_id=row.question.external_id,
            question_type=row.question.question_type,
        )
        for row in rows
        if row.answer_id and texts.get(row.answer_id)
    ]


def _cited(answers: Sequence[UUID]) -> dict[UUID, list[dict[str, str]]]:
    """The passages that the words shown of each answer cite."""
    cited = Citation.objects.filter(claim__answer__in=answers, claim__is_shown=True).order_by("claim__ordinal", "rank")
    passages: dict[UUID, dict[int, dict[str, str]]] = defaultdict(dict)
    fields = ("claim__answer_id", "paragraph_id", "paragraph__document__title", "paragraph__text")
    for answer, paragraph, title, text in cited.values_list(*fields):
        passages[answer].setdefault(paragraph, {"title": title, "text": text})
    return {answer: list(cited_once.values()) for answer, cited_once in passages.items()}
