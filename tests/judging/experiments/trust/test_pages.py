"""The page of trust: a campaign made of an experiment's answers, graded, and set beside the judge."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from judging.experiments.trust.read import campaign_of_experiment, criteria_of, graded_items
from judging.models import (
    Assignment,
    Campaign,
    CampaignGrade,
    CampaignGrader,
    CampaignItem,
    Experiment,
    ExperimentScore,
)
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, NotFound
from tests.ingestion import make_corpus
from tests.judging.experiments.figures.made import experiment_made, gold_set_made
from tests.pages import one_line
from tests.people import Firm

SignIn = Callable[[User], Client]
CELLS = ["naive", "hybrid"]


@pytest.fixture
def experiment(firm: Firm) -> Experiment:
    corpus = make_corpus(firm)
    with organization_scope(firm.organization, user=firm.manager):
        return experiment_made(firm, *gold_set_made(firm, corpus, n=24), cells=CELLS)


def campaign_made(firm: Firm, experiment: Experiment, **changes: Any) -> Campaign:
    asked: dict[str, Any] = {"experiment_id": experiment.pk, "name": "Graded", "cell": "naive", "n": 10}
    return campaign_of_experiment(**firm.by_owner, corpus_id=experiment.corpus_id, **(asked | changes))


def graded(firm: Firm, campaign: Campaign, grades: dict[str, int]) -> None:
    """Every item graded by each of these graders with the same grade."""
    own = {"organization": firm.organization, "campaign": campaign}
    now = timezone.now()
    for name, value in grades.items():
        grader = CampaignGrader.objects.create(**own, name=name)
        for place, item in enumerate(CampaignItem.objects.filter(campaign=campaign).order_by("ordinal"), start=1):
            assignment = Assignment.objects.create(
                **own,
                item=item,
                grader=grader,
                place=place,
                state="submitted",
                submissions=1,
                answer_order=[0],
                leased_until=now,
                opened_at=now,
            )
            CampaignGrade.objects.create(
                **own,
                assignment=assignment,
                criterion="correctness",
                version=1,
                value=value,
                status="graded",
                submission=1,
                created_at=now,
            )


def test_a_campaign_draws_its_answers_by_lot_and_names_no_configuration(inside: Firm, experiment: Experiment) -> None:
    every = campaign_made(inside, experiment, name="All", n=1000)
    campaign = campaign_made(inside, experiment, n=8)

    items, all_of_them = [
        list(CampaignItem.objects.filter(campaign=one).order_by("ordinal")) for one in (campaign, every)
    ]
    asked = [item.content["question"] for item in all_of_them]

    assert [item.content["question"] for item in items] == asked[:8]
    assert asked != sorted(asked, key=lambda text: int(text.split()[1].rstrip(":")))
    assert items[0].content["answers"][0]["text"].startswith("A bias audit must have been conducted")
    assert "naive" not in str(items[0].content)


def test_grades_meet_the_scores_of_the_same_answers(inside: Firm, experiment: Experiment) -> None:
    campaign = campaign_made(inside, experiment)
    graded(inside, campaign, {"Grader 1": 4, "Grader 2": 5})

    items = graded_items(campaign=campaign, criterion=criteria_of(campaign)[0], slug=inside.organization.slug)

    assert len(items) == 10
    assert {name for item in items for name in item.judges} == {"llamaindex, correctness"}
    assert items[0].people == {"Grader 1": [4], "Grader 2": [5]}
    assert items[0].href.endswith(f"/experiments/{experiment.pk}/items/")


def test_a_share_is_no_grade_and_is_left_out_with_a_sentence(
    firm: Firm, client_of: SignIn, experiment: Experiment
) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        campaign = campaign_made(firm, experiment)
        graded(firm, campaign, {"Grader 1": 4})
        scores = ExperimentScore.objects.filter(judge="llamaindex")
        ExperimentScore.objects.bulk_create(
            ExperimentScore(
                organization=firm.organization,
                experiment=experiment,
                answer_id=score.answer_id,
                judge="words",
                measure="token F1",
                value=1.0,
                status="judged",
            )
            for score in scores
        )
        items = graded_items(campaign=campaign, criterion=criteria_of(campaign)[0], slug=firm.organization.slug)

    page = client_of(firm.owner).get(f"/o/{firm.organization.slug}/corpora/{experiment.corpus_id}/trust/")

    assert {name for item in items for name in item.judges} == {"llamaindex, correctness"}
    assert "Left out, as they are on another scale: words, token F1." in one_line(page.content.decode())


def test_the_page_shows_agreement_matrices_and_what_differs(
    firm: Firm, client_of: SignIn, experiment: Experiment
) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        campaign = campaign_made(firm, experiment)
        graded(firm, campaign, {"Grader 1": 4, "Grader 2": 4})

    page = client_of(firm.owner).get(f"/o/{firm.organization.slug}/corpora/{experiment.corpus_id}/trust/")

    text = page.content.decode()
    assert page.status_code == 200
    for words in ("llamaindex, correctness – people", "people – people", "right or not", "Disagreements"):
        assert words in text
    assert "10 graded answers" in text


def test_few_grades_of_people_and_many_of_the_judge_make_one_estimate(
    firm: Firm, client_of: SignIn, experiment: Experiment
) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        campaign = campaign_made(firm, experiment)
        graded(firm, campaign, {"Grader 1": 4})
        scores = ExperimentScore.objects.filter(
            experiment=experiment, answer__cell="naive", judge="llamaindex", value__isnull=False
        )
        values = [float(round(value)) for value in scores.values_list("value", flat=True) if value is not None]
    address = f"corpora/{experiment.corpus_id}/trust/"

    page = client_of(firm.owner).get(f"/o/{firm.organization.slug}/{address}").content.decode()
    document = client_of(firm.owner).get(
        f"/api/v1/{address}", headers=firm.bearer(firm.owner, TokenScope.DOCUMENTS_READ)
    )

    [found] = document.json()["estimates"]
    assert (found["configuration"], found["experiment"]) == ("naive", str(experiment.pk))
    assert found["graded_by_people"] + found["scored_by_the_judge_alone"] == len(values)
    assert found["judge_mean"] == pytest.approx(sum(values) / len(values))
    assert found["people_alone"]["value"] == 4
    assert found["estimate"]["low"] <= found["estimate"]["value"] <= found["estimate"]["high"]
    assert "If people had graded every answer" in page
    assert f">{found['scored_by_the_judge_alone']}</td>" in page


def test_a_corpus_without_campaigns_says_how_to_begin(firm: Firm, client_of: SignIn, experiment: Experiment) -> None:
    client = client_of(firm.owner)
    place = f"/o/{firm.organization.slug}/corpora/{experiment.corpus_id}/trust/"

    page = client.get(place).content.decode()
    made = client.post(f"{place}campaign/", {"name": "Fifty", "cell": f"{experiment.pk} hybrid", "n": "5"})

    assert "Weekly: hybrid" in page
    assert made.status_code == 302
    with organization_scope(firm.organization, user=firm.owner):
        assert CampaignItem.objects.filter(campaign__name="Fifty").count() == 5


def test_what_said_nothing_and_what_lies_elsewhere_is_refused(inside: Firm, experiment: Experiment) -> None:
    with pytest.raises(ApplicationError, match="gave no answers"):
        campaign_made(inside, experiment, cell="nothing of this name")
    with pytest.raises(NotFound):
        campaign_of_experiment(
            **inside.by_owner,
            corpus_id=make_corpus(inside, name="Another").pk,
            experiment_id=experiment.pk,
            name="Graded",
            cell="naive",
            n=10,
        )


def test_ratings_from_elsewhere_are_measured_and_not_kept(
    firm: Firm, client_of: SignIn, experiment: Experiment
) -> None:
    client, place = client_of(firm.owner), f"/o/{firm.organization.slug}/corpora/{experiment.corpus_id}/trust/"
    rows = [f"q{n},{rater},{1 + n % 5}" for n in range(12) for rater in ("anna", "ben", "model")]
    table = "\n".join(["item,rater,score", *rows])

    def upload(text: str) -> tuple[int, str]:
        file = SimpleUploadedFile("ratings.csv", text.encode())
        response = client.post(place, {"ratings": file, "judge": "model"})
        return response.status_code, one_line(response.content.decode())

    status, page = upload(table)
    refused, why = upload("item,rater\nq1,anna\n")
    replied = client.post(
        f"/api/v1/corpora/{experiment.corpus_id}/trust/",
        {"ratings": table, "judge": "model"},
        content_type="application/json",
        headers=firm.bearer(firm.owner, TokenScope.DOCUMENTS_READ),
    )

    too_many = client.post(
        f"/api/v1/corpora/{experiment.corpus_id}/trust/",
        {"ratings": "human,judge\n" + "1,2\n" * 30_000},
        content_type="application/json",
        headers=firm.bearer(firm.owner, TokenScope.DOCUMENTS_READ),
    )

    assert (status, refused, replied.status_code, too_many.status_code) == (200, 422, 200, 400)
    assert "more computing than one request may" in too_many.json()["message"]
    assert "12 items of 12 questions, ordinal scale" in page
    assert "model – people" in page
    assert "people – people" in page
    assert "Line 2 has no `human`" in why
    assert (replied.json()["judge"], replied.json()["percent"]) == ("model", 1.0)
    with organization_scope(firm.organization, user=firm.owner):
        assert not Campaign.objects.exists()
