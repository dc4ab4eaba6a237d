"""The dashboard: what was asked, what came of it, and what waits for a person, with lists behind every number."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from corpora.models import Corpus
from judging.models import Experiment, GoldSet
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.answering.models import Answer, AnswerGrade, Purpose, Question
from legalqa.dashboard.selectors.answers import weeks_shown
from legalqa.dashboard.selectors.overview import Overview, overview_get
from legalqa.jobs.services import job_create
from legalqa.llm.models import LLMCall
from tests.committed import committed_fixture
from tests.ingestion import Place, make_corpus
from tests.people import Firm, make_firm

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

ClientOf = Callable[[User], Client]
MONDAYS = weeks_shown(n=12)


@dataclass(frozen=True)
class Office(Place):
    walled: Corpus

    def overview(self, user: User, **options: Any) -> Overview:
        with self.inside(user):
            return overview_get(organization=self.firm.organization, **options)

    def add(self, text: str, state: str, *, corpus: Corpus, weeks_ago: int = 0, grade: str = "", **of: Any) -> Answer:
        """An answer to the lawyer, given at the beginning of that week."""
        organization, lawyer = self.firm.organization, self.firm.lawyer
        with self.inside(self.firm.owner):
            question = Question.objects.create(
                organization=organization, corpus=corpus, asker=lawyer, text=text, conversation=uuid4()
            )
            answer = Answer.objects.create(
                organization=organization,
                question=question,
                state=state,
                preset="x",
                pipeline={},
                fingerprint="x",
                **of,
            )
            day = MONDAYS[-1 - weeks_ago]
            at = datetime(day.year, day.month, day.day, tzinfo=UTC)
            Answer.objects.filter(pk=answer.pk).update(created_at=at)
            if grade:
                AnswerGrade.objects.create(
                    organization=organization, corpus=corpus, answer=answer, grader=lawyer, grade=grade
                )
        return answer


def make_office() -> Office:
    firm = make_firm("harding", "Harding & Stone")
    walled = make_corpus(firm, "Matter", is_walled=True, user=firm.owner)
    office = Office(firm, make_corpus(firm, "Leases"), walled)
    leases: dict[str, Any] = {"corpus": office.corpus}
    office.add("What is the rent?", "answered", grade="right", **leases)
    office.add("Who repairs the roof?", "partial", grade="partly", **leases)
    office.add("Who won in 1998?", "insufficient_evidence", grade="rightly_silent", weeks_ago=2, **leases)
    office.add("When is it due?", "answered", weeks_ago=2, **leases)
    office.add("Which keys?", "failed", weeks_ago=2, **leases)
    office.add("Long ago?", "answered", weeks_ago=11, **leases)
    office.add("In an experiment?", "answered", purpose=Purpose.EXPERIMENT, **leases)
    office.add("Behind the wall?", "answered", grade="wrong", corpus=walled)
    return office


office = committed_fixture(make_office)


def test_answers_are_counted_by_week_and_corpus_and_those_of_experiments_are_not(office: Office) -> None:
    overview = office.overview(office.firm.manager)
    by_week = {row.week: row.counts for row in overview.weeks}

    assert list(by_week) == MONDAYS
    assert by_week[MONDAYS[-1]] == {
        "asked": 2, "answered": 2, "silent": 0, "unfinished": 0, "graded": 2, "right": 1, "ungraded": 0,
    }  # fmt: skip
    assert by_week[MONDAYS[-3]] == {
        "asked": 3, "answered": 1, "silent": 1, "unfinished": 1, "graded": 1, "right": 1, "ungraded": 1,
    }  # fmt: skip
    assert [row.corpus.name for row in overview.corpora] == ["Leases"]
    assert overview.total == overview.corpora[0].counts
    assert (overview.total["asked"], overview.total["ungraded"]) == (6, 2)


def test_what_is_behind_a_wall_counts_for_those_inside_only(office: Office) -> None:
    inside, outside = office.overview(office.firm.owner), office.overview(office.firm.manager)

    assert {row.corpus.name: row.counts["asked"] for row in inside.corpora} == {"Leases": 6, "Matter": 1}
    assert inside.total["asked"] == 7
    assert outside.total["asked"] == 6
    assert [(row.corpus.name, row.feedback) for row in inside.waiting] == [("Leases", 1), ("Matter", 1)]
    assert [row.corpus.name for row in outside.waiting] == ["Leases"]


def test_a_shorter_period_leaves_older_answers_out(office: Office) -> None:
    overview = office.overview(office.firm.manager, n_weeks=4)

    assert [row.week for row in overview.weeks] == MONDAYS[-4:]
    assert (overview.total["asked"], overview.total["ungraded"]) == (5, 1)


def test_every_number_of_the_page_opens_as_many_rows(office: Office, client_of: ClientOf) -> None:
    client = client_of(office.firm.owner)
    page = client.get(reverse("use_page", args=["harding"]))
    rows = [*page.context["weeks"], *page.context["corpora"], {"cells": page.context["total"]}]
    cells = [cell for row in rows for cell in row["cells"] if cell["n"]]

    opened = [client.get(cell["url"]).context["page_obj"].paginator.count for cell in cells]

    assert len(cells) > 20
    assert {"Answered", "Declined"} <= {cell["label"] for cell in cells}
    assert opened == [cell["n"] for cell in cells]


def test_the_list_shows_the_words_of_graded_questions_and_of_one_s_own(office: Office, client_of: ClientOf) -> None:
    address = reverse("dashboard_questions", args=["harding"])
    page = client_of(office.firm.manager).get(address).content.decode()

    assert "What is the rent?" in page
    assert "When is it due?" not in page  # another person's, and nobody has graded it
    assert "Behind the wall?" not in page
    assert "In an experiment?" not in page
    assert "Lawyer of Harding" not in page  # who asked is nowhere


def test_costs_are_shown_to_owners_by_week(office: Office, client_of: ClientOf) -> None:
    now = timezone.now()
    with office.inside(office.firm.owner):
        for n in range(2):
            LLMCall.objects.create(
                organization=office.firm.organization,
                asked_id=office.corpus.pk,
                role="answer",
                provider="x",
                model="m",
                prompt="p",
                prompt_hash="0" * 64,
                request_hash="0" * 64,
                outcome="ok",
                cost=1_250_000,
                started_at=now - timedelta(seconds=n),
                expires_at=now,
            )

    assert office.overview(office.firm.manager).costs is None
    costs = office.overview(office.firm.owner, with_costs=True).costs
    assert costs is not None
    assert (costs[MONDAYS[-1]], sum(costs.values())) == (2_500_000, 2_500_000)
    pages = [
        client_of(one).get(reverse("use_page", args=["harding"])) for one in (office.firm.owner, office.firm.manager)
    ]
    assert ["2.50" in page.content.decode() for page in pages] == [True, False]


def test_experiments_under_way_open_the_list_of_experiments(office: Office, client_of: ClientOf) -> None:
    with office.inside(office.firm.owner):
        own = {"organization": office.firm.organization, "corpus": office.corpus}
        experiment = Experiment.objects.create(
            **own, gold_set=GoldSet.objects.create(**own, name="Gold"), name="Weekly"
        )
        job_create(
            organization=office.firm.organization,
            task="judging.tasks.experiment_work",
            subject_id=experiment.pk,
            user=None,
            corpus_id=office.corpus.pk,
            is_enqueued=False,
        )
    page = client_of(office.firm.owner).get(reverse("use_page", args=["harding"])).content.decode()

    address = reverse("experiment_list", args=["harding", office.corpus.pk])
    assert f'href="{address}"' in page


def test_a_program_gets_the_same_document(office: Office, client: Client) -> None:
    headers = office.firm.bearer(office.firm.owner, TokenScope.JOBS_READ)
    document = client.get(reverse("api_dashboard"), {"weeks": "4"}, headers=headers).json()

    assert document["total"]["asked"] == 6
    assert [row["week"] for row in document["weeks"]] == [day.isoformat() for day in MONDAYS[-4:]]
    assert {row["name"]: row["counts"]["right"] for row in document["corpora"]} == {"Leases": 2, "Matter": 0}
    assert document["costs"] is None  # the token may not see costs
    refused = client.get(reverse("api_dashboard"), {"weeks": "5"}, headers=headers)
    assert refused.status_code == 400


def test_the_page_takes_as_many_queries_for_many_answers_as_for_few(office: Office, client_of: ClientOf) -> None:
    client, address = client_of(office.firm.owner), reverse("use_page", args=["harding"])
    client.get(address)
    seen = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        seen.append(len(asked))
        for n in range(20):
            office.add(f"Number {n}?", "answered", corpus=office.corpus, weeks_ago=n % 12, grade="wrong")

    assert seen[0] == seen[1]


def test_an_organisation_without_a_corpus_is_led_to_its_corpora(rivals: Firm, client_of: ClientOf) -> None:
    page = client_of(rivals.owner).get(reverse("use_page", args=["rivals"])).content.decode()

    assert "No corpus yet" in page
    assert "Nothing is waiting" in page
