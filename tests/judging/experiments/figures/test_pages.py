"""The pages of results: what they show, what leads where, and how many queries they take."""

import io
import zipfile
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from judging.gold.services.sets import gold_questions
from judging.models import Experiment, ExperimentAnswer, GoldQuestion
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from tests.ingestion import make_corpus
from tests.judging.experiments.figures.made import experiment_made, gold_set_made
from tests.pages import one_line
from tests.people import Firm

CELLS = ["naive", "hybrid", "hybrid k=3", "hybrid k=10"]
SignIn = Callable[[User], Client]


@pytest.fixture
def experiment(firm: Firm) -> Experiment:
    corpus = make_corpus(firm)
    with organization_scope(firm.organization, user=firm.manager):
        return experiment_made(firm, *gold_set_made(firm, corpus, n=48), cells=CELLS)


def page_of(client: Client, experiment: Experiment, rest: str = "results/") -> str:
    response = client.get(f"/o/{experiment.organization.slug}/experiments/{experiment.pk}/{rest}")
    assert response.status_code == 200
    return response.content.decode()


def test_the_results_show_every_figure_there_is_data_for(firm: Firm, client_of: SignIn, experiment: Experiment) -> None:
    page = page_of(client_of(firm.owner), experiment)

    for title in (
        "Differences to naive",
        "Decided right by question type",
        "Risk against coverage",
        "Reliability trade-off",
    ):
        assert title in page
    assert "Decided right and latency by k" in page
    assert page.count("As a table") == page.count('class="chart"') >= 6
    assert "Provenance" in page
    assert "style=" not in page


def test_a_point_leads_to_the_questions_that_it_counts(firm: Firm, client_of: SignIn, experiment: Experiment) -> None:
    client = client_of(firm.owner)
    page = page_of(client, experiment)
    links = [
        part.split('"')[0].replace("&amp;", "&") for part in page.split('<a href="')[1:] if "/items/?" in part[:200]
    ]
    cell = next(link for link in links if "type=vague" in link)

    asked = parse_qs(urlsplit(cell).query)
    items = client.get(cell).content.decode()

    assert asked == {"measure": ["right"], "cell": ["naive"], "type": ["vague"]}
    assert "question type vague" in one_line(items)
    assert items.count('<article class="card item"') == 6  # 48 questions of eight types


def test_questions_are_sorted_by_change_and_counted_by_kind(
    firm: Firm, client_of: SignIn, experiment: Experiment
) -> None:
    client = client_of(firm.owner)
    page = one_line(page_of(client, experiment, "items/?measure=right&cell=hybrid+k%3D10"))
    worse = page_of(client, experiment, "items/?measure=right&cell=hybrid+k%3D10&change=worse")

    # right where (7 at + cell) mod 10 < 4 + cell // 2: cell 3 against cell 0 over 48 questions
    is_right = [[(at * 7 + cell) % 10 < 4 + cell // 2 for at in range(48)] for cell in (0, 3)]
    n_better = sum(b and not a for a, b in zip(*is_right, strict=True))
    n_worse = sum(a and not b for a, b in zip(*is_right, strict=True))
    assert f'Better <span class="num">{n_better}</span>' in page
    assert f'Worse <span class="num">{n_worse}</span>' in page
    assert worse.count("chevron-down") >= min(10, n_worse) > 0
    assert "A bias audit must have been conducted" in page
    assert "Not supported" in page


def test_two_experiments_on_the_same_questions_are_compared(
    firm: Firm, client_of: SignIn, experiment: Experiment
) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        questions = list(gold_questions(gold_set=experiment.gold_set))
        later = experiment_made(firm, experiment.gold_set, questions, cells=CELLS[:2], name="After", shift=4)
    client = client_of(firm.owner)

    page = page_of(client, later, f"compare/?with={experiment.pk}")

    assert "Differences to Weekly" in page
    # shift 4 adds 2 of 10 to what is right, so all that was right stays: 0.2 within one question, never lower
    assert "10·38·0" in page or "9·39·0" in page
    assert f"with={experiment.pk}" in page
    assert "After minus Weekly" in page
    items = page_of(client, later, f"items/?measure=right&cell=naive&with={experiment.pk}&change=better")
    assert "Compared with Weekly, largest change first." in one_line(items)


def test_every_score_is_a_line_of_the_file(firm: Firm, client_of: SignIn, experiment: Experiment) -> None:
    lines = page_of(client_of(firm.owner), experiment, "scores.csv").strip().splitlines()

    assert lines[0].lstrip("\ufeff").startswith("question,question id,type,configuration")
    assert len(lines) == 1 + 48 * len(CELLS) * 6


def test_what_each_configuration_found_is_a_trec_run(firm: Firm, client_of: SignIn, experiment: Experiment) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        row = ExperimentAnswer.objects.get(experiment=experiment, cell="naive", question__ordinal=0, repeat=0)
        assert row.answer is not None
        row.answer.evidence = [
            {"paragraph_id": paragraph, "rank": rank} for paragraph, rank in (("p-9", 2), ("p-4", 1), ("p-4", 3))
        ]
        row.answer.save(update_fields=["evidence"])
    page = client_of(firm.owner).get(f"/o/{firm.organization.slug}/experiments/{experiment.pk}/runs.zip")

    with zipfile.ZipFile(io.BytesIO(page.content)) as archive:
        assert archive.namelist() == ["01-naive.run"]
        assert archive.read("01-naive.run").decode().splitlines() == [
            "q1 Q0 p-4 1 1.000000 naive",
            "q1 Q0 p-9 2 0.500000 naive",
        ]


def test_a_chart_is_a_file_of_its_own(firm: Firm, client_of: SignIn, experiment: Experiment) -> None:
    client = client_of(firm.owner)
    place = f"/o/{firm.organization.slug}/experiments/{experiment.pk}/chart/"

    drawing = ElementTree.fromstring(client.get(f"{place}?chart=forest").content)
    picture = client.get(f"{place}?chart=types&kind=png&measure=llamaindex:correctness")

    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    assert not [part for part in drawing.iter() if part.tag.endswith("}a")]
    assert {part.get("fill") for part in drawing.iter() if part.tag.endswith("}text")} >= {"#211d18"}
    assert picture["Content-Type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert client.get(f"{place}?chart=nothing").status_code == 404


def test_an_experiment_at_work_has_no_results_yet(firm: Firm, client_of: SignIn, experiment: Experiment) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        experiment.report = {}
        experiment.save(update_fields=["report"])

    response = client_of(firm.owner).get(f"/o/{firm.organization.slug}/experiments/{experiment.pk}/results/")

    assert response.status_code == 409
    assert b"no results yet" in response.content


def test_a_question_of_another_gold_set_is_not_compared(firm: Firm, client_of: SignIn, experiment: Experiment) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        other = experiment_made(firm, *gold_set_made(firm, experiment.corpus, n=8, marker="Other"), cells=CELLS[:2])
    place = f"/o/{firm.organization.slug}/experiments/{experiment.pk}/compare/"

    assert client_of(firm.owner).get(f"{place}?with={other.pk}").status_code == 404
    assert client_of(firm.owner).get(f"{place}?with=nonsense").status_code == 404


@pytest.mark.parametrize("rest", ["results/", "items/?cell=hybrid", "compare/"])
def test_queries_do_not_grow_with_questions_or_configurations(
    rest: str, firm: Firm, client_of: SignIn, experiment: Experiment
) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        small = experiment_made(firm, *gold_set_made(firm, experiment.corpus, n=8, marker="Few"), cells=CELLS[:2])
    client = client_of(firm.owner)
    page_of(client, small, rest)  # what a process remembers

    counts = []
    for one in (small, experiment):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page_of(client, one, rest)
        counts.append(len(queries))

    assert counts[0] == counts[1] <= 27


@pytest.mark.parametrize("address", ["corpora/{}/experiments/", "corpora/{}/judging/"], ids=["list", "home"])
def test_queries_do_not_grow_with_experiments(
    address: str, firm: Firm, client_of: SignIn, experiment: Experiment
) -> None:
    client = client_of(firm.owner)
    place = f"/o/{firm.organization.slug}/{address.format(experiment.corpus_id)}"
    client.get(place)  # what a process remembers

    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            page = client.get(place).content.decode()
        counts.append(len(queries))
        with organization_scope(firm.organization, user=firm.owner):
            questions = list(gold_questions(gold_set=experiment.gold_set))[:2]
            for week in range(9):
                experiment_made(firm, experiment.gold_set, questions, cells=CELLS[:2], name=f"Week {week}")

    assert "Week 8" in page or "10 experiments" in page
    assert counts[0] == counts[1] <= 28


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("experiments/{experiment}/items/?measure=bogus", "Choose one of: right"),
        ("experiments/{experiment}/items/?cell=bogus", "Choose one of: naive, hybrid, hybrid k=3, hybrid k=10."),
        ("experiments/{experiment}/items/?against=bogus", "Choose one of: naive, hybrid, hybrid k=3, hybrid k=10."),
        ("experiments/{experiment}/figures/?measure=bogus", "Choose one of: right"),
        ("gold-sets/{gold_set}/questions/?review=bogus", "Choose one of: draft, approved, rejected."),
        ("gold-sets/{gold_set}/questions/?split=bogus", "Choose one of: train, calibration, test, none."),
        ("corpora/{corpus}/trust/?judge=bogus", "Leave it out."),
        ("corpora/{corpus}/jobs/?state=bogus", "Choose one of: queued,"),
        ("corpora/{corpus}/graph/entities/?kind=bogus", "Choose one of: actor, term"),
        ("corpora/{corpus}/graph/triplets/?kind=bogus", "Choose one of: "),
    ],
)
def test_the_interface_refuses_a_name_that_it_does_not_have(
    firm: Firm, client: Client, experiment: Experiment, address: str, sentence: str
) -> None:
    headers = firm.bearer(firm.manager, TokenScope.DOCUMENTS_READ, TokenScope.CORPORA_READ, TokenScope.JOBS_READ)
    ids = {"experiment": experiment.pk, "gold_set": experiment.gold_set_id, "corpus": experiment.corpus_id}

    refused = client.get(f"/api/v1/{address.format(**ids)}", headers=headers)

    assert refused.status_code == 400
    assert "There is no" in refused.json()["message"]
    assert sentence in refused.json()["message"]


@pytest.mark.parametrize(("doubles", "found"), [("", 2), ("False", 2), ("true", 1), ("bogus", None)])
def test_the_questions_of_a_gold_set_are_read_page_by_page_with_or_without_doubles(
    firm: Firm, client: Client, experiment: Experiment, doubles: str, found: int | None
) -> None:
    headers = firm.bearer(firm.manager, TokenScope.DOCUMENTS_READ)
    with organization_scope(firm.organization, user=firm.manager):
        first, second, *others = GoldQuestion.objects.filter(gold_set=experiment.gold_set_id).order_by("ordinal")
        GoldQuestion.objects.filter(pk__in=[one.pk for one in others]).delete()
        GoldQuestion.objects.filter(pk=second.pk).update(double_of=first.pk)

    address = f"/api/v1/gold-sets/{experiment.gold_set_id}/questions/"
    reply = client.get(f"{address}?limit=1&doubles={doubles}", headers=headers)

    assert reply.status_code == (400 if found is None else 200)
    if found is not None:
        assert (reply.json()["count"], len(reply.json()["results"])) == (found, 1)
