"""Generating gold questions: by rules, by a model, resumed after a kill, and never what asks the same twice."""

from typing import Any

import pytest
from django.urls import reverse
from pytest_django import Settings

from corpora.models import Corpus
from judging.gold.generation import services
from judging.gold.services.sets import gold_questions, gold_questions_approved, gold_references
from judging.models import GoldGeneration, GoldQuestion
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import Lease, job_run
from legalqa.llm.types import Role
from tests.committed import committed_fixture
from tests.ingestion import ingest, make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm, make_firm, signed_in
from tests.provider import ScriptedProvider, says_json

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

RULES = """# Penalties

An employer must keep the summary of results posted for at least 6 months after its latest use of the tool.

If a candidate asks, an employer shall provide the retention policy within 30 days of a written request.

# Definitions

The term "bias audit" means an impartial evaluation by an independent auditor.

The term "candidate" means a person who has applied for a specific position.
"""
ELSEWHERE = '# Definitions\n\nThe term "chilled water" means water below eight degrees.\n'
SECRET = '# Definitions\n\nThe term "project falcon" means the sale of the brewery.\n'


def make_library() -> tuple[Firm, Corpus]:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, "Rules", files={"rules.md": RULES})
    ingest(firm, make_corpus(firm, "Leases"), "lease.md", ELSEWHERE)
    ingest(firm, make_corpus(firm, "Deal", is_walled=True), "deal.md", SECRET)
    return firm, corpus


library = committed_fixture(make_library)


def inside(firm: Firm) -> Any:
    return organization_scope(firm.organization, user=firm.manager)


def start(library: tuple[Firm, Corpus], **choices: Any) -> GoldGeneration:
    firm, corpus = library
    with inside(firm):
        return services.generation_start(**firm.by_manager, corpus_id=corpus.pk, name="made", **choices)


def work(run: GoldGeneration) -> Job:
    job = Job.objects.get(subject_id=run.pk)
    job_run(job_id=job.pk, work=services.generation_slice)
    job.refresh_from_db()
    return job


def written(library: tuple[Firm, Corpus], run: GoldGeneration) -> list[GoldQuestion]:
    with inside(library[0]):
        return list(gold_questions(gold_set=run.gold_set))


def test_rules_write_drafts_with_the_passages_that_answer_them(library: tuple[Firm, Corpus]) -> None:
    run = start(library, types=["simple", "conversational"], number=4)
    job = work(run)
    questions = written(library, run)
    with inside(library[0]):
        run.refresh_from_db()

    assert (job.state, len(questions)) == (JobState.DONE, 3)
    # Of the two terms that can be asked about in turns, one is asked about already.
    (left_out,) = run.report["left_out"]
    assert left_out["reason"] == "It asks the same as “What is meant by “bias audit”?”."
    assert {(q.review, q.written_by) for q in questions} == {("draft", "templates")}
    with inside(library[0]):
        assert all(gold_references(questions=questions)[question.pk] for question in questions)
        assert not gold_questions_approved(gold_set=run.gold_set).exists()


def test_a_reserve_that_is_not_written_is_no_earlier_question(library: tuple[Firm, Corpus]) -> None:
    run = start(library, types=["simple", "conversational"], number=2)
    work(run)
    with inside(library[0]):
        run.refresh_from_db()
    simple, conversational = written(library, run)

    # The question on the other term asks the same as the one that is written; that on this term as a reserve only.
    assert simple.text == "What is meant by “bias audit”?"
    assert conversational.history == ["I would like to know about “candidate”."]
    assert [held["reason"] for held in run.report["left_out"]] in ([], [f"It asks the same as “{simple.text}”."])


def test_what_is_out_of_scope_comes_from_corpora_without_a_wall(library: tuple[Firm, Corpus]) -> None:
    run = start(library, types=["out of scope"], number=50)
    work(run)
    texts = [question.text for question in written(library, run)]

    assert "What is meant by “chilled water”?" in texts
    assert not [text for text in texts if "falcon" in text]
    assert {question.is_answerable for question in written(library, run)} == {False}


def test_a_generation_goes_on_where_its_slice_ended_and_keeps_no_plan(
    library: tuple[Firm, Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "BATCH", 2)  # or a slice would write all
    monkeypatch.setattr(Lease, "is_over", property(lambda _: True))  # each slice ends at once
    run = start(library, types=["simple"], number=4)
    work(run)
    before = [(question.pk, question.text) for question in written(library, run)]
    work(run)
    after = [(question.pk, question.text) for question in written(library, run)]

    assert len(before) == 2
    assert after[:2] == before
    assert len({text for _, text in after}) == len(after) == 4
    assert work(run).state == JobState.DONE
    with inside(library[0]):
        run.refresh_from_db()
    assert run.plan == []


def test_what_asks_the_same_is_left_out_and_said(library: tuple[Firm, Corpus]) -> None:
    run = start(library, types=["simple"], number=4)
    work(run)
    with inside(library[0]):
        again = services.generation_start(
            **library[0].by_manager, corpus_id=library[1].pk, gold_set_id=run.gold_set_id, types=["simple"], number=4
        )
    work(again)
    with inside(library[0]):
        again.refresh_from_db()

    assert again.report["written"] == {}
    assert again.report["n_left_out"] == 4
    assert again.report["left_out"][0]["reason"].startswith("It asks the same as “")


def test_a_model_writes_with_a_prompt_of_the_type_and_a_bad_reply_is_replaced(
    library: tuple[Firm, Corpus], settings: Settings, scripted_provider: ScriptedProvider
) -> None:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(library[0], scripted_provider.url, role=Role.REWRITE)
    for text, passage in (("How long do results stay online?", 1), ("Which passage is the ninth?", 9)):
        scripted_provider.replies.append(says_json({"question": text, "answer": "6 months.", "passages": [passage]}))
    run = start(library, types=["simple"], number=2)
    work(run)
    questions = written(library, run)

    assert questions[0].written_by.endswith("/m-1")
    assert questions[1].written_by == "templates"
    assert "Type: simple." in scripted_provider.asked[0].text
    assert questions[0].text == "How long do results stay online?"


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"types": ["riddle"]}, "There is no question type 'riddle'."),
        ({"number": 0}, "Ask for 1 to 500 questions at a time."),
    ],
)
def test_what_cannot_be_generated_is_refused_in_a_sentence(
    library: tuple[Firm, Corpus], choices: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ApplicationError, match=sentence):
        start(library, **choices)


def test_one_gold_set_is_added_to_once_at_a_time_and_the_list_of_work_resumes_none_beside_another(
    library: tuple[Firm, Corpus],
) -> None:
    firm, corpus = library
    again: dict[str, Any] = {"corpus_id": corpus.pk, "types": ["simple"], "number": 2}
    run = start(library, types=["simple"], number=2)
    with inside(firm):
        with pytest.raises(Conflict):
            services.generation_start(**firm.by_manager, gold_set_id=run.gold_set_id, **again)
        services.GENERATIONS.cancel(run)
        services.generation_start(**firm.by_manager, gold_set_id=run.gold_set_id, **again)
        with pytest.raises(Conflict, match="being generated"):
            services.GENERATIONS.resume(run)
    job = Job.objects.get(subject_id=run.pk)
    retry = reverse("job_retry", args=[firm.organization.slug, job.pk])
    assert signed_in(firm.manager).post(retry).status_code == 409
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
