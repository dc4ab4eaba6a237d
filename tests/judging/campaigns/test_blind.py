"""Nothing that an annotator is sent says who wrote an answer, what a judge or another grader said, or what is right."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from judging.campaigns.services.adjudication import grade_adjudicate
from judging.campaigns.urls import api_urlpatterns, urlpatterns
from judging.models import Campaign, CampaignItem
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from tests.judging.campaigns.office import act, item, make_campaign, next_of
from tests.pages import one_line
from tests.people import Firm

SYSTEMS = ("Sys-Alpha", "Sys-Beta", "Sys-Gamma")
HIDDEN = (*SYSTEMS, "judge-said-so", "note-of-the-owner", "reason-of-the-lead", "check-feedback", "Owner of Harding")
ACTIONS = ("draft", "submit", "undo", "skip")


@pytest.fixture
def campaign(firm: Firm, corpus: Corpus) -> Campaign:
    """Three systems side by side; the owner has graded all of it, a lead has decided, a judge's word is beside it."""
    items = [item(n, systems=SYSTEMS) for n in range(1, 4)]
    items.append(item(4, systems=SYSTEMS, kind="check", known={"quality.1": 7}, feedback="check-feedback"))
    campaign = make_campaign(
        firm, corpus, items, form="lawyer", graders=(firm.annotator, firm.owner), overlap=2, repeat_percent=50
    )
    while (theirs := next_of(firm, campaign, firm.owner)) is not None:
        grades = {f"quality_{letter}": 9 for letter in "abc"}
        act(firm, firm.owner, theirs, grades=grades, note="note-of-the-owner", reference_note="note-of-the-owner")
    with organization_scope(firm.organization, user=firm.manager):
        decided = {"criterion": "quality", "answer": 0, "value": 3, "reason": "reason-of-the-lead"}
        grade_adjudicate(**firm.by_manager, campaign_id=campaign.pk, item=1, decided=decided)
        for row in CampaignItem.objects.filter(campaign=campaign):
            row.sources = [source | {"judge": "judge-said-so"} for source in row.sources]
            row.save()
    return campaign


def test_a_passage_of_two_documents_or_cited_twice_is_read_once(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    titles = ("Lease", "Terms", "Lease")
    passages = [{"title": title, "text": "The rent is due\non day 1."} for title in titles]
    other = {"title": "Rider", "text": "In May."}
    answers = [{"system": "S", "text": "On day 1 [1][3], in May [4].", "passages": [*passages, other]}]
    campaign = make_campaign(firm, corpus, [item(1, answers=answers)], graders=(firm.annotator,))
    given = next_of(firm, campaign, firm.annotator)
    assert given is not None
    page = client_of(firm.annotator).get(reverse("annotation_item", args=(firm.organization.slug, given.pk)))
    html = one_line(page.content.decode())

    assert html.count("The rent is due") == 1
    assert "Lease · Terms" in html
    assert html.count('href="#passage-1-1"') == 2
    assert html.count('id="passage-1-4"') == html.count('href="#passage-1-4"') == 1


def test_every_page_and_reply_of_an_annotator_is_blind(
    firm: Firm, corpus: Corpus, campaign: Campaign, client_of: Callable[[User], Client]
) -> None:
    browser, bodies = client_of(firm.annotator), []
    bearer: Any = firm.bearer(firm.annotator, *TokenScope)
    statuses = set()

    def send(method: str, name: str, data: dict[str, Any], **ids: Any) -> None:
        is_page = not name.startswith("api_")
        address = reverse(name, kwargs=ids | ({"slug": firm.organization.slug} if is_page else {}))
        if is_page:
            response: Any = getattr(browser, method)(address, data, follow=True)
        else:
            options = {"content_type": "application/json"} if method == "post" else {}
            sent: Any = json.dumps(data) if method == "post" else {}
            response = getattr(Client(), method)(address, sent, headers=bearer, **options)
        statuses.add((name, response.status_code))
        bodies.append((name, response.content.decode()))

    grades = {f"quality_{letter}": 5 for letter in "abc"}
    while (mine := next_of(firm, campaign, firm.annotator)) is not None:
        send("get", "annotation_item", {}, assignment_id=mine.pk)
        for action in ACTIONS[: 2 if mine.place % 2 else 4]:
            page = {f"grade_{name}": "5" for name in grades} | {"action": action}
            send("post", "annotation_item", page, assignment_id=mine.pk)
            send("get", "api_annotation_item", {}, assignment_id=mine.pk)
            send("post", "api_annotation_item", {"action": action, "grades": grades}, assignment_id=mine.pk)
    ids = {"campaign_id": campaign.pk, "corpus_id": corpus.pk}
    for pattern in (*urlpatterns, *api_urlpatterns):
        needed = {key: value for key, value in ids.items() if key in str(pattern.pattern)}
        if "item" not in (pattern.name or ""):
            send("get", pattern.name or "", {}, **needed)
            send("post", pattern.name or "", {}, **needed)

    assert {("annotation_item", 200), ("api_annotation_item", 200), ("campaign_file", 403)} <= statuses
    assert {("annotation_home", 200), ("api_annotation_list", 200), ("api_campaign_grades", 403)} <= statuses
    found = {(name, word) for name, body in bodies for word in HIDDEN if word in body}
    assert found == set()
    assert len(bodies) > 50


def test_a_training_item_shows_what_is_right_only_once_it_was_submitted(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    training = item(1, kind="training", known={"correctness": 4}, feedback="Look at clause nine.")
    campaign = make_campaign(firm, corpus, [training], form="correctness", graders=(firm.annotator,))
    mine = next_of(firm, campaign, firm.annotator)
    assert mine is not None
    browser = client_of(firm.annotator)
    address = reverse("annotation_item", args=[firm.organization.slug, mine.pk])

    assert "clause nine" not in browser.get(address).content.decode()
    after = browser.post(address, {"action": "submit", "grade_correctness": "2"}, follow=True).content.decode()
    assert "Look at clause nine." in after
    assert "differs" in after


def test_an_answer_is_read_with_its_passages_and_nothing_is_filled_in(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    campaign = make_campaign(firm, corpus, [item(3, reference_answer="On day 3.")], graders=(firm.annotator,))
    mine = next_of(firm, campaign, firm.annotator)
    assert mine is not None
    browser = client_of(firm.annotator)
    address = reverse("annotation_item", args=[firm.organization.slug, mine.pk])
    page = browser.get(address).content.decode()

    assert "The rent is due on day 3." in page
    assert 'href="#passage-1-1"' in page
    assert "On day 3." not in page, "this form does not compare with the reference"
    assert page.count('type="radio"') == 6 * 6
    assert " checked" not in page
    refused = browser.post(address, {"action": "submit", "grade_clarity": "2", "note": "Half of it."})
    assert refused.status_code == 422
    assert "Missing: Faithfulness" in refused.content.decode()
    kept = browser.get(address).content.decode()
    assert kept.count(" checked") == 1
    assert "Half of it." in kept


def test_a_lead_who_grades_sees_no_grades_of_others_before_their_own_are_done(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    people = (firm.manager, firm.lawyer)
    campaign = make_campaign(firm, corpus, [item(1)], form="correctness", graders=people, overlap=2)
    theirs = next_of(firm, campaign, firm.lawyer)
    assert theirs is not None
    act(firm, firm.lawyer, theirs, grades={"correctness": 2}, note="note-of-the-lawyer", is_flagged=True)
    browser = client_of(firm.manager)
    names = ("campaign_detail", "campaign_file", "campaign_adjudication")
    pages = {name: reverse(name, args=[firm.organization.slug, campaign.pk]) for name in names}

    before = {name: browser.get(address) for name, address in pages.items()}
    mine = next_of(firm, campaign, firm.manager)
    assert mine is not None
    act(firm, firm.manager, mine, grades={"correctness": 5})
    after = {name: browser.get(address) for name, address in pages.items()}

    assert [before[name].status_code for name in names] == [200, 409, 409]
    assert not any("note-of-the-lawyer" in response.content.decode() for response in before.values())
    assert [after[name].status_code for name in names] == [200, 200, 200]
    assert all("note-of-the-lawyer" in response.content.decode() for response in after.values())
