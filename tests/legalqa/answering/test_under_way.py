"""An answer under way: what the page and the stream of events show, how it is stopped, and that it always ends."""

import json
from collections.abc import Callable
from threading import Event
from time import sleep
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.urls import reverse

from legalqa.accounts.models import User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import token_create
from legalqa.answering.models import Answer, Claim
from legalqa.answering.selectors import answer_job
from legalqa.answering.services.work import THREADS, THREADS_EACH
from legalqa.jobs.services import job_cancel
from tests import provider as p
from tests.legalqa.answering import writing as w
from tests.legalqa.answering.writing import LATE, Office, statement, writes
from tests.pages import path_of
from tests.provider import ScriptedProvider

LOOKS = 600


@pytest.fixture
def browser(office: Office, client_of: Callable[[User], Client]) -> Client:
    return client_of(office.firm.lawyer)


class Held:
    """A model that writes half of its answer and waits to be let go."""

    def __init__(self) -> None:
        self.asked, self.go = Event(), Event()

    def __call__(self, wire: p.Wire) -> None:
        self.asked.set()
        if wire.wants_stream:
            wire.head(kind="text/event-stream")
            while not self.go.is_set() and not wire.closing.is_set():
                wire.piece("MARKER ")
                wire.wait(0.05)


def posted(office: Office, browser: Client) -> str:
    """The page of the answer that asking led to."""
    sent = {"corpus": str(office.corpus.pk), "text": w.QUESTION, "preset": "cited-or-silent", "mode": "written"}
    response = browser.post(reverse("question_ask", args=[office.firm.organization.slug]), sent)
    assert response.status_code == 302
    return path_of(response.headers["Location"])


def until(look: Callable[[], Any]) -> Any:
    for _ in range(LOOKS):
        if found := look():
            return found
        sleep(0.05)
    raise AssertionError("it never came to pass")


def answer_at(office: Office, address: str) -> Answer:
    with organization_scope(office.firm.organization, user=None):
        return Answer.objects.select_related("question").get(pk=address.rstrip("/").rsplit("/", 1)[1])


def test_the_page_shows_passages_and_steps_and_the_answer_only_when_it_is_checked(
    office: Office, browser: Client, scripted_provider: ScriptedProvider
) -> None:
    go = Event()

    def late(wire: p.Wire) -> None:
        go.wait(30)
        writes(statement(LATE))(wire)

    scripted_provider.will(late)
    address = posted(office, browser)
    page = until(lambda: "Passages being read" in (body := browser.get(address).content.decode()) and body)
    assert 'data-state="working"' in page
    assert "Statements appear once they have been checked." in page
    assert "data-claim" not in page
    poll = browser.get(f"{address}?seen=searching", headers={"HX-Request": "true"}).content.decode()
    assert "The model is reading the passages and writing." in poll

    go.set()
    done = until(
        lambda: (r := browser.get(f"{address}?seen=writing", headers={"HX-Request": "true"})).status_code == 204 and r
    )
    assert done.headers["HX-Refresh"] == "true"
    assert LATE in browser.get(address).content.decode()


def test_cancelling_keeps_nothing_of_what_the_model_wrote(
    office: Office, browser: Client, scripted_provider: ScriptedProvider
) -> None:
    held = Held()
    scripted_provider.will(held)
    address = posted(office, browser)
    assert held.asked.wait(30)

    assert browser.post(f"{address}cancel/").status_code == 302
    page = browser.get(address).content.decode()
    answer = answer_at(office, address)
    job = until(lambda: (found := answer_job(answer=answer)) is not None and not found.is_open and found)
    held.go.set()

    assert "This answer was cancelled." in page
    assert job.state == "cancelled"
    answer = answer_at(office, address)
    assert (answer.state, answer.evidence) == ("cancelled", [])
    with organization_scope(office.firm.organization, user=None):
        assert "MARKER" not in json.dumps([answer.generation, answer.trace, answer.why])
        assert [step.state for step in answer.steps] == ["done", "stopped"]
        assert not Claim.objects.filter(answer=answer).exists()


def test_a_job_cancelled_from_elsewhere_ends_its_answer(
    office: Office, browser: Client, scripted_provider: ScriptedProvider
) -> None:
    held = Held()
    scripted_provider.will(held)
    address = posted(office, browser)
    assert held.asked.wait(30)

    job = answer_job(answer=answer_at(office, address))
    assert job is not None
    job_cancel(organization=office.firm.organization, job_id=job.pk)

    until(lambda: 'data-state="cancelled"' in browser.get(address).content.decode())
    held.go.set()


def test_the_api_streams_progress_evidence_and_the_checked_answer(
    office: Office, scripted_provider: ScriptedProvider
) -> None:
    organization, lawyer = office.firm.organization, office.firm.lawyer
    with organization_scope(organization, user=lawyer):
        _, secret = token_create(organization=organization, user=lawyer, name="t", valid_days=1, scopes=ALL_SCOPES)
    client, headers = Client(), {"Authorization": f"Bearer {secret}"}
    scripted_provider.will(writes(statement(LATE)))
    asked = client.post(
        reverse("api_question_list"),
        {"corpus_id": str(office.corpus.pk), "text": w.QUESTION, "wait": False},
        content_type="application/json",
        headers=headers,
    )
    assert (asked.status_code, asked.json()["state"]) == (202, "working")

    stream: Any = client.get(reverse("api_answer_events", args=[asked.json()["id"]]), headers=headers)

    async def read() -> str:
        return b"".join([part async for part in stream.streaming_content]).decode()

    events = [event.split("\n", 1) for event in async_to_sync(read)().strip().split("\n\n")]
    names = [name.removeprefix("event: ") for name, _ in events]
    assert stream.headers["Content-Type"] == "text/event-stream"
    assert names[0] == "progress"
    assert names[-2:] == ["evidence", "answer"] or names.index("evidence") < names.index("answer")
    answer = json.loads(events[-1][1].removeprefix("data: "))
    assert (answer["mode"], [claim["text"] for claim in answer["claims"]]) == ("written", [LATE])


def test_answers_whose_model_does_not_reply_leave_threads_to_other_organisations(
    office: Office, browser: Client, scripted_provider: ScriptedProvider
) -> None:
    held = Held()
    scripted_provider.will(*[held] * THREADS_EACH)
    addresses = [posted(office, browser) for _ in range(THREADS_EACH + 1)]

    jobs = [answer_job(answer=answer_at(office, address)) for address in addresses]
    assert [job is not None and job.enqueued_at is not None for job in jobs] == [False] * THREADS_EACH + [True]
    assert THREADS.n_taken == THREADS_EACH < THREADS.of_all

    until(lambda: not scripted_provider.replies)
    for address in addresses:
        browser.post(f"{address}cancel/")
    until(lambda: THREADS.n_taken == 0)
