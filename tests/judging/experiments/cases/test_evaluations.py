"""Evaluations of a case base on the page and in the API: test questions, a person's choice, figures that open."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from judging.experiments.cases.pairs import PairQuestion
from judging.experiments.cases.services import CASE_EVALUATIONS, case_evaluation_start
from judging.experiments.cases.work import case_evaluation_slice
from judging.models import CaseEvaluation
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from retrieval.cases.services import case_review
from retrieval.models import CaseEntry
from tests.judging.experiments.cases.conftest import ACT
from tests.pages import one_line, path_of
from tests.people import Firm
from tests.provider import ScriptedProvider, fails, says_json

pytestmark = pytest.mark.django_db
BOTH = "What does a berth cost that is paid for late?"
ANSWER = "Ninety crowns and five per cent more."
LINE = json.dumps({"question": BOTH, "answer": ANSWER, "cases": ["berth", "late"]})


def address(name: str, *args: object) -> str:
    return reverse(name, args=["harding", *args])


def begin(client: Client, corpus: Corpus, **form: object) -> str:
    """Start an evaluation on the page; returns its id."""
    reply = client.post(address("case_evaluation_start", corpus.pk), form)
    assert reply.status_code == 302, reply.content.decode()
    return path_of(reply["Location"]).rstrip("/").rsplit("/", 1)[-1]


def uploaded() -> dict[str, object]:
    return {"file": SimpleUploadedFile("questions.jsonl", LINE.encode())}


def work(evaluation_id: str) -> Job:
    job = Job.objects.filter(task=CASE_EVALUATIONS.task, subject_id=evaluation_id).latest("created_at")
    for _ in range(9):
        if job.is_open:
            job_run(job_id=job.pk, work=case_evaluation_slice)
            job.refresh_from_db()
    return job


def page_of(client: Client, evaluation_id: str, **shown: str) -> str:
    return one_line(client.get(address("case_evaluation_detail", evaluation_id), shown).content.decode())


def test_questions_of_a_file_are_measured_and_each_cell_opens_what_it_counts(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    client = client_of(firm.manager)
    made = begin(client, corpus, **uploaded())
    page = page_of(client, made)
    assert (BOTH in page, "heat" in page, 'value="0"' in page) == (True, False, True)

    client.post(address("case_evaluation_measure", made), {"chosen": ["0"]})
    assert work(made).state == "done"
    page = page_of(client, made)
    with organization_scope(firm.organization, user=None):
        encoder = corpus.encoder
    cell = f"?encoder={encoder}&amp;weighting=question&amp;k=3#questions"
    assert cell in page
    assert "any difference (analysis of variance)" in page
    assert "hybrid against support" in page

    opened = page_of(client, made, encoder=encoder, weighting="question", k="3")
    assert "Found at rank 1 and 2" in opened
    assert "0.800" in opened  # precision 2/3, recall 1
    assert 'name="chosen"' not in opened


def test_a_model_writes_questions_on_pairs_and_the_chosen_ones_are_answered(
    firm: Firm, corpus: Corpus, models: ScriptedProvider, client_of: Callable[[User], Client]
) -> None:
    client = client_of(firm.manager)
    models.always = says_json({"question": BOTH, "answer": ANSWER})
    made = begin(client, corpus, number="5")
    assert "the language model is writing them" in page_of(client, made)
    assert work(made).state == "done"
    assert f"Act: {ACT}" in page_of(client, made)

    models.always = says_json({"answer": ANSWER})
    client.post(address("case_evaluation_measure", made), {"chosen": ["0"], "with_answers": "on"})
    job = work(made)
    assert (job.state, job.cursor, job.total) == ("done", 1, 1)
    page = page_of(client, made)
    assert "Mean cosine of a model's answers" in page
    assert "no retrieval" in page
    assert ANSWER in page_of(client, made, answers="no retrieval").split("What the model said")[-1]


def test_a_model_that_never_replies_is_said_and_the_work_can_be_resumed(
    firm: Firm, corpus: Corpus, models: ScriptedProvider, client_of: Callable[[User], Client]
) -> None:
    client = client_of(firm.manager)
    models.always = fails(400)
    made = begin(client, corpus)
    job = work(made)
    assert job.reason == "model_silent"
    assert "The language model gave no reply" in page_of(client, made)

    models.always = says_json({"question": BOTH, "answer": ANSWER})
    client.post(address("job_retry", job.pk))
    assert work(made).state == "done"
    assert BOTH in page_of(client, made)


def test_it_can_be_cancelled_and_is_removed_only_when_it_does_not_work(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    client = client_of(firm.manager)
    made = begin(client, corpus, **uploaded())
    client.post(address("case_evaluation_measure", made), {"chosen": ["0"]})
    assert client.post(address("case_evaluation_remove", made)).status_code == 409
    client.post(address("job_cancel", Job.objects.get(subject_id=made).pk))
    assert "Cancelled" in page_of(client, made)

    client.post(address("case_evaluation_remove", made))
    with organization_scope(firm.organization, user=None):
        assert not CaseEvaluation.objects.exists()


def test_a_case_that_is_not_in_use_any_more_stops_the_measurement_with_its_reason(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    client = client_of(firm.manager)
    made = begin(client, corpus, **uploaded())
    client.post(address("case_evaluation_measure", made), {"chosen": ["0"]})
    acting: Any = {"organization": firm.organization, "user": firm.owner}
    with organization_scope(firm.organization, user=firm.owner):
        late = CaseEntry.objects.get(external_id="late")
        case_review(**acting, case_id=late.pk, decision="reject")

    assert work(made).reason == "case_not_used"
    assert "A case that a test question needs is not in use any more." in page_of(client, made)


@pytest.mark.parametrize(
    ("question", "cases", "said"),
    [
        ("What does a berth cost?", ("berth", "late"), "Question 1 is itself a case"),
        (BOTH, ("berth", "berth"), "Question 1 names one case twice"),
        (BOTH, ("berth", "nowhere"), "Question 1 names the case 'nowhere'"),
    ],
)
def test_a_question_that_tests_nothing_is_refused(
    firm: Firm, corpus: Corpus, question: str, cases: tuple[str, ...], said: str
) -> None:
    acting: Any = {"organization": firm.organization, "user": firm.owner, "corpus_id": corpus.pk}
    with organization_scope(firm.organization, user=firm.owner), pytest.raises(ApplicationError, match=said):
        case_evaluation_start(**acting, questions=[PairQuestion(question, ANSWER, cases, "")])


def test_without_a_case_in_use_or_a_model_the_page_says_what_to_do(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    client = client_of(firm.manager)
    page = one_line(client.get(address("case_evaluation_list", corpus.pk)).content.decode())
    assert "3 cases can be tested." in page
    assert "so a file or a gold set is needed" in page
    refused = client.post(address("case_evaluation_start", corpus.pk), {})
    assert (refused.status_code, "No language model is set up" in refused.content.decode()) == (422, True)
    client.post(address("case_evaluation_measure", begin(client, corpus, **uploaded())), {})
    with organization_scope(firm.organization, user=None):
        assert not Job.objects.filter(task=CASE_EVALUATIONS.task).exists()  # no question was chosen
        CaseEntry.objects.all().delete()
        CaseEvaluation.objects.all().delete()
    page = one_line(client.get(address("case_evaluation_list", corpus.pk)).content.decode())
    assert ("No solved case in use yet" in page, "evaluation-start" in page) == (True, False)


def test_a_program_begins_measures_and_reads_the_figures(firm: Firm, corpus: Corpus) -> None:
    headers: Any = firm.bearer(firm.manager, TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE)
    send: dict[str, Any] = {"content_type": "application/json", "headers": headers}
    client = Client()
    begun = client.post(reverse("api_case_evaluation_list", args=[corpus.pk]), {"text": LINE}, **send).json()
    assert (begun["state"], begun["f1"], begun["questions"][0]["question"]) == ("unmeasured", {}, BOTH)

    one = reverse("api_case_evaluation_detail", args=[begun["id"]])
    assert client.post(one, {"chosen": [1]}, **send).status_code == 400
    assert client.post(one, {"chosen": [0]}, **send).json()["state"] == "queued"
    assert client.post(one, {"chosen": [0]}, **send).status_code == 409
    work(begun["id"])
    (found,) = client.get(reverse("api_case_evaluation_list", args=[corpus.pk]), headers=headers).json()
    ((_, f1),) = found["f1"].items()
    assert (found["state"], found["cases"], f1["question"]["2"]) == ("done", 3, 1.0)
    assert client.delete(one, headers=headers).status_code == 204


def test_counts_of_the_statistics_open_the_cases_that_they_count(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    client = client_of(firm.manager)
    statistics = client.get(address("case_statistics", corpus.pk)).content.decode()
    links = [part.split('"')[0].replace("&amp;", "&") for part in statistics.split('href="')[1:]]
    counts = {}
    for link in (link for link in links if "act=" in link or "step=" in link):
        page = one_line(client.get(link).content.decode())
        counts[link.split("?")[1]] = int(page.split("Only cases")[1].split("</p>")[0].split(": ")[1].split(".")[0])
    assert counts["state=approved&act=Harbour%20Dues%20Act%201988"] == 2
    assert counts["state=approved&act=-"] == 1
    by_question = [n for link, n in counts.items() if "part=question&" in link]
    assert sum(by_question) == 3
