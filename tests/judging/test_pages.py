"""The landing page of judging: every room with what it holds and what waits there."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from corpora.services import corpus_create
from judging.pages import home_page
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import NotFound
from tests.ingestion import make_corpus
from tests.judging.campaigns.office import item, make_campaign
from tests.judging.experiments.figures.made import experiment_made, gold_set_made
from tests.judging.gold.feedback.test_feedback import grade_add
from tests.pages import one_line
from tests.people import Firm

pytestmark = pytest.mark.django_db
ROOMS = ["Gold sets", "Experiments", "Judges", "Grading campaigns", "Solved cases", "Trust in the judge", "Feedback"]


def rooms(firm: Firm, corpus: Corpus) -> dict[str, tuple[str, str]]:
    with organization_scope(firm.organization, user=firm.manager):
        page = home_page(organization=firm.organization, corpus_id=corpus.pk)
    return {room.title: (room.counts, room.waits) for room in page["rooms"]}


def test_a_corpus_without_any_judging_says_where_to_start(firm: Firm, client_of: Callable[[User], Client]) -> None:
    corpus = make_corpus(firm)

    page = one_line(
        client_of(firm.manager).get(reverse("judging_home", args=[firm.organization.slug, corpus.pk])).content.decode()
    )

    assert list(rooms(firm, corpus)) == ROOMS
    assert {waits for _, waits in rooms(firm, corpus).values()} == {""}
    assert "Start here: add twenty questions." in page
    assert "Graded answers appear here automatically." in page


def test_every_room_counts_what_it_holds_and_what_waits(firm: Firm) -> None:
    corpus = make_corpus(firm)
    with organization_scope(firm.organization, user=firm.manager):
        gold_set, questions = gold_set_made(firm, corpus, n=8)
        experiment_made(firm, gold_set, questions, cells=["naive", "hybrid"])
    make_campaign(firm, corpus, [item(1)], graders=(firm.annotator,))
    ended = make_campaign(firm, corpus, [item(2)], name="Ended")
    grade_add(firm, corpus, "What is the rent?", "wrong")
    with organization_scope(firm.organization, user=firm.manager):
        ended.closed_at = datetime(2026, 1, 1, tzinfo=UTC)
        ended.save()

    assert rooms(firm, corpus) == {
        "Gold sets": ("1 gold set, 8 questions", "7 questions without a passage"),  # the eighth is out of scope
        "Experiments": ("1 experiment, 1 with results", ""),
        "Judges": ("16 built in", ""),
        "Grading campaigns": ("2 campaigns", "1 under way"),
        "Solved cases": ("", ""),
        "Trust in the judge": ("", ""),
        "Feedback": ("1 grade", "1 grade to review"),
    }


def test_a_latest_experiment_that_is_worse_than_the_one_before_is_said(firm: Firm) -> None:
    corpus = make_corpus(firm)
    with organization_scope(firm.organization, user=firm.manager):
        gold_set, questions = gold_set_made(firm, corpus, n=8)
        made = experiment_made(firm, gold_set, questions, cells=["naive", "hybrid"])
        made.report |= {"compared": {"experiment": "", "is_regression": True, "rows": []}}
        made.save()

    assert rooms(firm, corpus)["Experiments"][1] == "the latest is worse than the previous one"


def test_a_wall_hides_the_judging_of_its_corpus(firm: Firm) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        walled = corpus_create(**firm.by_manager, name="Larch", is_walled=True)

    with organization_scope(firm.organization, user=firm.lawyer), pytest.raises(NotFound):
        home_page(organization=firm.organization, corpus_id=walled.pk)


def test_the_latest_charts_and_new_questions_are_one_click_away(
    firm: Firm, client_of: Callable[[User], Client]
) -> None:
    corpus = make_corpus(firm)
    place = reverse("judging_home", args=[firm.organization.slug, corpus.pk])
    before = client_of(firm.manager).get(place).content.decode()
    with organization_scope(firm.organization, user=firm.manager):
        made = experiment_made(firm, *gold_set_made(firm, corpus, n=8), cells=["naive", "hybrid"])
    after = client_of(firm.manager).get(place).content.decode()

    assert reverse("experiment_start", args=[firm.organization.slug, corpus.pk]) in before
    assert reverse("generation_start", args=[firm.organization.slug, corpus.pk]) in before
    assert reverse("experiment_results", args=[firm.organization.slug, made.pk]) in after
