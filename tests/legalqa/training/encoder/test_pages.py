"""The page of search models: what is in use, versions and their reports, training, the switch and the way back."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, TrainedEncoder
from judging.gold.services.sets import gold_set_import
from judging.models import GoldSet
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services.tokens import token_create
from legalqa.answering.models import TrainedReader
from legalqa.jobs.models import Job
from legalqa.training.choices import NO_GOLD_SET
from retrieval.models import TrainedRanker
from tests.committed import committed_fixture
from tests.ingestion import Place, ingest, make_corpus, paragraph_ids
from tests.judging.gold.reading import gold_rows_read
from tests.pages import one_line
from tests.people import make_firm, signed_in
from tests.trained import report_of, row_of, trained_encoder, trained_ranker, trained_reader

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

FLATS = 4


@dataclass(frozen=True)
class Office(Place):
    gold_set: GoldSet


def make_office() -> Office:
    """Four leases with six questions on each."""
    firm = make_firm("harding", "Harding & Stone")
    corpus, lines = make_corpus(firm, "Leases"), []
    for n in range(FLATS):
        words = [f"Flat {n} has duty number {duty}: the tenant pays {duty} euros." for duty in range(6)]
        found = paragraph_ids(firm, ingest(firm, corpus, f"flat-{n}.md", "\n\n".join(words)).version)
        lines += [
            json.dumps({"question": f"How much is duty {duty} of flat {n}?", "reference_paragraph_ids": found[text]})
            for duty, text in enumerate(words)
        ]
    with organization_scope(firm.organization, user=firm.manager):
        gold_set = gold_set_import(
            **firm.by_manager, corpus_id=corpus.pk, name="Duties", rows=gold_rows_read("\n".join(lines))
        )
    return Office(firm, corpus, gold_set)


office = committed_fixture(make_office)


@pytest.fixture
def manager(office: Office) -> Client:
    return signed_in(office.firm.manager)


def page(manager: Client, office: Office, name: str = "encoder_list", *more: object) -> str:
    answer = manager.get(office.address(name, *more))
    assert answer.status_code in (200, 286)
    return one_line(answer.content.decode())


def encoder(office: Office, **report: Any) -> TrainedEncoder:
    return trained_encoder(office.firm, office.corpus, source="gold set Duties", report=report_of(**report))


def in_use(office: Office) -> str:
    with organization_scope(office.firm.organization, user=None):
        return Corpus.objects.get(pk=office.corpus.pk).encoder


# -- What is shown ------------------------------------------------------------------------------------------------


def test_a_corpus_without_a_gold_set_is_led_to_one(office: Office, manager: Client) -> None:
    other = make_corpus(office.firm, "Letters")
    shown = manager.get(reverse("encoder_list", args=(office.firm.organization.slug, other.pk))).content.decode()

    assert "The packaged encoder" in shown
    assert "No gold set yet" in shown
    assert reverse("gold_set_list", args=(office.firm.organization.slug, other.pk)) in shown
    assert "encoder-train" not in shown


def test_too_few_questions_say_how_many_are_needed(office: Office, manager: Client) -> None:
    other = make_corpus(office.firm, "Letters")
    paragraph = paragraph_ids(office.firm, ingest(office.firm, other, "a.md", "A letter about rent.").version)
    line = json.dumps({"question": "What of it?", "reference_paragraph_ids": paragraph["A letter about rent."]})
    with organization_scope(office.firm.organization, user=office.firm.manager):
        gold_set_import(**office.firm.by_manager, corpus_id=other.pk, name="One", rows=gold_rows_read(line))
    shown = manager.get(reverse("encoder_list", args=(office.firm.organization.slug, other.pk))).content.decode()

    assert "1 of 20 questions" in shown
    assert "encoder-train" not in shown


def test_versions_are_shown_with_their_gain_in_a_word(office: Office, manager: Client) -> None:
    for won in (0.05, -0.05, 0.0):
        encoder(office, gain=won)
    shown = page(manager, office)

    assert [shown.count(word) for word in ("Better", "Worse", "Not significant")] == [1, 1, 1]
    assert "hx-get" not in shown.partition('id="versions"')[2][:200], "nothing is at work"


def test_a_report_says_what_changed_here_and_elsewhere(office: Office, manager: Client) -> None:
    other = make_corpus(office.firm, "Letters")
    lost = row_of("Meaning search alone", gain=-0.05, name="Asked of letters", corpus=other.slug)
    shown = page(manager, office, "encoder_detail", encoder(office, elsewhere=(lost,)).pk)

    assert "Searches find more with this encoder" in shown
    assert "It finds less on Asked of letters" in shown
    assert "compared with the packaged encoder" in shown
    assert shown.count("+0.041 [+0.021, +0.061]") == 6
    assert 'role="img" aria-label="Loss from 2.40' in shown
    assert "Use this encoder" in shown


def test_a_ranker_over_another_encoder_says_so(office: Office, manager: Client) -> None:
    version = trained_ranker(office.firm, office.corpus, source="gold set Duties", report=report_of())
    shown = page(manager, office, "ranker_detail", version.pk)
    assert "Use this ranker" in shown
    assert "0.060" in shown.partition("Are its probabilities calibrated?")[2]
    other = encoder(office)
    with organization_scope(office.firm.organization, user=None):
        TrainedRanker.objects.filter(pk=version.pk).update(encoder=other.name)
    shown = page(manager, office, "ranker_detail", version.pk)

    assert "trained for encoder version 1, and searches use another encoder now" in shown
    assert "Use this ranker" not in shown


@pytest.mark.parametrize(
    ("won", "words"), [(0.05, "more often than the packaged reader"), (-0.05, "Do not use it"), (0.0, "gains nothing")]
)
def test_the_report_of_a_reader_says_whether_to_use_it(office: Office, manager: Client, won: float, words: str) -> None:
    version = trained_reader(office.firm, office.corpus, source="graded answers", gain=won)
    shown = page(manager, office, "reader_detail", version.pk)

    assert words in shown
    button = shown.partition("Use this reader")[0].rpartition("<button")[2]
    assert ("button-primary" in button) == (won > 0), "the main button only where it helps"
    assert "Right passage first, after minus before" in shown
    assert 'and <span class="num">12</span> without (graded answers)' in shown
    assert 'On <span class="num">30</span> questions held out from training, compared with the packaged' in shown
    assert "0.060" in shown.partition("Are its probabilities calibrated?")[2]
    assert 'aria-label="Loss from 2.40' in shown


# -- Training, use and the way back -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "model", "goes"),
    [
        ("encoder", TrainedEncoder, "encoder_list"),
        ("ranker", TrainedRanker, "ranker_train"),
        ("reader", TrainedReader, "reader_train"),
    ],
)
def test_a_training_is_started_cancelled_and_resumed(
    office: Office, manager: Client, name: str, model: Any, goes: str
) -> None:
    sent = manager.post(office.address(goes), {"gold_sets": [str(office.gold_set.pk)], "epochs": "2"})
    assert sent.status_code == 302
    with organization_scope(office.firm.organization, user=None):
        version = model.objects.get()
    job = Job.objects.get(subject_id=version.pk)

    assert "hx-get" in page(manager, office, "encoder_state")
    manager.post(reverse("job_cancel", args=[office.firm.organization.slug, job.pk]))
    job.refresh_from_db()
    assert job.state == "cancelled"
    shown = page(manager, office)
    assert "Somebody cancelled this" in shown
    assert "Resume" in shown
    manager.post(reverse("job_retry", args=[office.firm.organization.slug, job.pk]))
    job.refresh_from_db()
    assert job.state == "queued"
    assert manager.get(office.address(f"{name}_detail", version.pk)).status_code == 404


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "Choose at least one gold set"),
        ({"gold_sets": "00000000-0000-0000-0000-000000000000"}, "Select a valid choice"),
        ({"held_out": "0.9"}, "are left to learn from"),
        ({"mixing": "7"}, "less than or equal to 1"),
    ],
)
def test_a_form_that_does_not_fit_says_so_in_its_place(
    office: Office, manager: Client, data: dict[str, str], words: str
) -> None:
    chosen = {} if "gold_sets" in data or not data else {"gold_sets": [str(office.gold_set.pk)]}
    answer = manager.post(office.address("encoder_list"), chosen | data)
    shown = answer.content.decode()

    assert answer.status_code == 422
    assert words in shown.partition('id="encoder-train"')[2].partition("</form>")[0]
    assert ('class="disclosure" open' in shown) == ("mixing" in data)


def test_a_switch_is_shown_while_it_fills_cancelled_and_begun_again(office: Office, manager: Client) -> None:
    first, second = encoder(office), encoder(office)
    assert manager.post(office.address("encoder_use", first.pk)).status_code == 302
    shown = page(manager, office, "encoder_state")

    assert "Switching to version 1" in shown
    assert "hx-get" in shown
    assert manager.post(office.address("encoder_use", second.pk)).status_code == 409
    job = Job.objects.get(task="corpora.tasks.encoder_switch")
    cancel, resume = (reverse(act, args=[office.firm.organization.slug, job.pk]) for act in ("job_cancel", "job_retry"))
    back = office.address("encoder_list")
    assert f'name="back" value="{back}"' in page(manager, office)
    refused = manager.post(office.address("ranker_train"), {})
    assert refused.status_code == 422
    assert f'name="back" value="{back}"' in refused.content.decode()
    assert manager.post(cancel, {"back": back}).headers["Location"] == back
    assert "The switch to version 1 stopped" in page(manager, office)
    manager.post(resume)
    assert "Switching to version 1" in page(manager, office)
    manager.post(cancel)
    assert manager.post(office.address("encoder_remove", second.pk)).status_code == 302
    assert "Version 2" not in page(manager, office)


@pytest.mark.parametrize("name", ["ranker", "reader"])
def test_a_ranker_or_reader_is_used_at_once_and_taken_back(office: Office, manager: Client, name: str) -> None:
    if name == "reader":
        pk = trained_reader(office.firm, office.corpus, source="gold set Duties").pk
    else:
        pk = trained_ranker(office.firm, office.corpus, source="gold set Duties", report=report_of()).pk
    card = f'id="{name}-in-use"'
    manager.post(office.address(f"{name}_use", pk))
    assert "Version 1" in page(manager, office).partition(card)[2].partition("</li>")[0]

    manager.post(office.address(f"{name}_roll_back"))
    assert f"The packaged {name}" in page(manager, office).partition(card)[2].partition("</li>")[0]


# -- Programs ---------------------------------------------------------------------------------------------------------


def test_a_program_trains_follows_the_job_and_switches(office: Office) -> None:
    organization, person = office.firm.organization, office.firm.manager
    with organization_scope(organization, user=person):
        _, secret = token_create(organization=organization, user=person, name="x", valid_days=1, scopes=ALL_SCOPES)

    def api(method: str, address: str, data: dict[str, Any] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {secret}"}
        return getattr(Client(), method)(address, data, content_type="application/json", headers=headers)

    encoders = f"/api/v1/corpora/{office.corpus.pk}/encoders/"
    body = {"gold_set_ids": [str(office.gold_set.pk)], "settings": {"epochs": 2}}
    begun = api("post", encoders, body)
    assert (begun.status_code, begun.json()["settings"]["epochs"]) == (202, 2)
    assert api("get", f"/api/v1/jobs/{begun.json()['job_id']}/").json()["state"] == "queued"
    assert api("post", encoders, body | {"settings": {"epochs": 0}}).json()["code"] == "bad_setting"
    for address in (encoders, encoders.replace("encoders", "rankers")):
        empty = api("post", address, {"gold_set_ids": []})
        assert (empty.status_code, NO_GOLD_SET in empty.json()["message"]) == (400, True)

    version = encoder(office)
    switch = api("post", f"{encoders}in-use/", {"encoder_id": str(version.pk)})
    assert switch.status_code == 202
    assert api("get", f"{encoders}in-use/").json() == {
        "encoder": in_use(office),
        "encoder_id": None,
        "switch_job_id": switch.json()["id"],
    }
    assert api("post", f"/api/v1/jobs/{switch.json()['id']}/cancel/").json()["state"] == "cancelled"
