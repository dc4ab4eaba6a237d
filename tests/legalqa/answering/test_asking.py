"""From a question to the stored answer: cited spans, honest silence, and faults that never look like silence."""

import hashlib
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.models import Question as QuestionRow
from legalqa.answering.pages.answer import answer_document, answer_page
from legalqa.answering.pages.pack import answer_pack
from legalqa.answering.selectors import ClaimView, answer_get, answer_list, claim_list
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.encoder.client import receive
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from retrieval.types import Filters
from tests.committed import committed_fixture
from tests.ingestion import Ingested, ingest, make_corpus
from tests.people import Firm, make_firm

LATE = "A tenant who pays late owes interest of five percent a year on the sum that is late."
LEASE = (
    "# Lease\n\n## Rent\n\nThe tenant pays a rent of 900 euros on the first day of each month.\n\n"
    f"{LATE}\n\n## Repairs\n\nThe landlord repairs the roof and the windows. The tenant mows the lawn twice a year.\n"
)
TERMS = f"# General terms\n\n## Delay\n\n{LATE}\n\n## Keys\n\nThe tenant returns three keys at the end of the lease.\n"
QUESTION = "What interest does a tenant who pays late owe?"
FAR_OFF = "Which team won the football world cup in France in 1998?"


@dataclass(frozen=True)
class Office:
    firm: Firm
    corpus: Corpus
    empty: Corpus
    files: tuple[Ingested, Ingested]


def make_office() -> Office:
    firm = make_firm("harding", "Harding & Stone")
    corpus, empty = make_corpus(firm, "Leases"), make_corpus(firm, "Empty")
    return Office(
        firm, corpus, empty, (ingest(firm, corpus, "lease.md", LEASE), ingest(firm, corpus, "terms.md", TERMS))
    )


committed_office = committed_fixture(make_office)


@pytest.fixture
def office(committed_office: Office, db: None) -> Office:
    return committed_office


def ask(
    office: Office,
    text: str = QUESTION,
    preset: str = "fixed-5",
    corpus: Corpus | None = None,
    by: User | None = None,
    follows: UUID | None = None,
) -> Answer:
    return question_ask(
        question=Question(
            organization=office.firm.organization,
            user=by or office.firm.lawyer,
            corpus_id=(corpus or office.corpus).pk,
            text=text,
            preset=preset_get(preset),
            follows=follows,
        )
    )


def inside(office: Office, user: User | None = None) -> Any:
    return organization_scope(office.firm.organization, user=user or office.firm.lawyer)


def views(office: Office, answer: Answer) -> list[ClaimView]:
    with inside(office):
        return claim_list(answer=answer)


@pytest.mark.parametrize("preset", ["naive", "fixed-3", "fixed-5", "fixed-10", DEFAULT_PRESET])
def test_cited_spans_are_the_quoted_words(preset: str, office: Office) -> None:
    answer = ask(office, preset=preset)
    claims = views(office, answer)

    assert answer.state == AnswerState.ANSWERED
    assert claims
    for view in claims:
        assert view.citations or not view.claim.is_shown
        for citation in view.citations:
            assert citation.paragraph.text[citation.start : citation.end] == citation.quote
            assert " ".join(citation.quote.split()) == " ".join(view.claim.text.split())
    assert any("five percent" in view.claim.text for view in claims)


def test_a_follow_up_is_read_with_the_question_before_it_and_the_page_says_so(office: Office) -> None:
    first = ask(office, "When is the rent paid?", DEFAULT_PRESET)
    answer = ask(office, "And the keys?", DEFAULT_PRESET, follows=first.question_id)
    with inside(office):
        page = answer_page(answer=answer, slug="harding")

    assert page["reading"].startswith("Read as “When is the rent paid")
    assert ["three keys" in claim["text"] for claim in page["shown_claims"]] == [True]


def test_who_wants_an_answer_in_other_words_gets_it_again_and_reads_why(office: Office) -> None:
    first = ask(office, "When is the rent paid?", DEFAULT_PRESET)
    again = ask(office, "Summarise that for my client", DEFAULT_PRESET, follows=first.question_id)
    with inside(office):
        pages = [answer_page(answer=answer, slug="harding") for answer in (first, again)]

    assert pages[1]["reading"].startswith("Read as “When is the rent paid?”. It asks about the answer before it.")
    before, after = ([claim["text"] for claim in page["shown_claims"]] for page in pages)
    assert before == after != []


def test_the_same_rule_in_two_files_is_one_citation_and_also_in_the_other(office: Office) -> None:
    with inside(office):
        claims = answer_document(answer=ask(office))["claims"]
    said = [claim for claim in claims if "five percent" in claim["text"]]

    assert len(said) == 1
    places = [*said[0]["citations"], *said[0]["also_in"]]
    assert (len(said[0]["citations"]), len(said[0]["also_in"])) == (1, 1)
    assert {place["document_id"] for place in places} == {str(file.document.pk) for file in office.files}


def test_a_question_that_no_document_answers_gets_silence_with_the_evidence_looked_at(office: Office) -> None:
    answer = ask(office, FAR_OFF, DEFAULT_PRESET)

    assert answer.state == AnswerState.INSUFFICIENT_EVIDENCE
    assert not any(view.claim.is_shown for view in views(office, answer))
    assert answer.why
    assert sorted(row["rank"] for row in answer.evidence) == list(range(1, len(answer.evidence) + 1))
    read_ranks = [row["read_rank"] for row in answer.evidence if row["read"]]
    assert read_ranks == sorted(read_ranks)
    assert len(answer.evidence) > 0
    assert any(step["step"] == "gate" and step["open"] is False for step in answer.trace)


def test_the_page_of_a_silence_says_so_and_shows_what_was_found(
    office: Office, client_of: Callable[[User], Client]
) -> None:
    answer = ask(office, FAR_OFF, DEFAULT_PRESET)
    page = client_of(office.firm.lawyer).get(reverse("answer_detail", args=["harding", answer.pk]))

    assert page.status_code == 200
    assert page.context["shown_claims"] == []
    assert page.context["searched"]["n_documents"] == 2
    shown = page.context["passages"]
    assert 0 < len(shown) + sum(len(p["also_in"]) for p in shown) == len(answer.evidence)


@pytest.fixture
def broken_encoder(settings: Any, tmp_path: Path) -> Iterator[None]:
    """An encoder process that answers every request with bytes that are no vectors."""
    settings.ENCODER_SOCKET = str(tmp_path / "encoder.sock")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(settings.ENCODER_SOCKET)
        server.listen()

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    try:
                        receive(connection, 8)
                    except ConnectionError:
                        continue  # only looked whether somebody is there
                    connection.sendall(b"\x00\x00\x00\x03\x00\x00\x00\x00abc")

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.mark.parametrize("preset", ["naive", DEFAULT_PRESET])
def test_a_fault_inside_is_a_failed_answer_and_never_a_silence(
    preset: str, office: Office, broken_encoder: None, client_of: Callable[[User], Client]
) -> None:
    answer = ask(office, preset=preset)
    page = client_of(office.firm.lawyer).get(reverse("answer_detail", args=["harding", answer.pk]))

    assert answer.state == AnswerState.FAILED
    assert "fault" in answer.why
    assert page.status_code == 200
    assert "enough evidence" not in page.content.decode().lower()
    with inside(office):
        assert answer_document(answer=answer)["state"] == "failed"
        assert answer_pack(answer=answer)["evidence"] == []


def test_history_holds_ones_own_questions_only(office: Office) -> None:
    mine, other = ask(office), ask(office, by=office.firm.owner)

    for user, seen, hidden in ((office.firm.lawyer, mine, other), (office.firm.owner, other, mine)):
        with inside(office, user):
            assert list(answer_list(organization=office.firm.organization, user=user)) == [seen]
            with pytest.raises(NotFound):
                answer_get(organization=office.firm.organization, user=user, answer_id=hidden.pk)


def test_the_evidence_pack_holds_candidates_scores_steps_and_files(office: Office) -> None:
    answer = ask(office, preset=DEFAULT_PRESET)
    with inside(office):
        pack = answer_pack(answer=answer)

    assert pack["answer"]["question"] == QUESTION
    assert {step["step"] for step in pack["trace"]} >= {"encode", "bm25.v1", "dense.v1", "reader", "gate"}
    for row in pack["evidence"]:
        assert row["stages"].keys() & {"bm25.score", "dense.score"}
        assert row["text"] and row["paragraph_id"] and row["score"] > 0
    sums = {hashlib.sha256(text.encode()).hexdigest() for text in (LEASE, TERMS)}
    assert {file["sha256"] for file in pack["files"]} == sums
    assert pack["answer"]["settings"]["fingerprint"] == preset_get(DEFAULT_PRESET).fingerprint()


def test_pack_pages_open_for_answers_and_for_silences(office: Office, client_of: Callable[[User], Client]) -> None:
    client = client_of(office.firm.lawyer)
    for text in (QUESTION, FAR_OFF):
        answer = ask(office, text, DEFAULT_PRESET)
        printed = client.get(reverse("answer_pack", args=["harding", answer.pk]))
        data = client.get(reverse("answer_pack_json", args=["harding", answer.pk])).json()
        assert text in printed.content.decode()
        assert data["answer"]["state"] == answer.state


def test_the_same_question_twice_has_the_same_answer(office: Office) -> None:
    one, two = ask(office, preset=DEFAULT_PRESET), ask(office, preset=DEFAULT_PRESET)

    def told(answer: Answer) -> list[tuple[str, str, list[tuple[int, int, int]]]]:
        return [
            (v.claim.text, v.claim.verdict, [(c.paragraph_id, c.start, c.end) for c in v.citations])
            for v in views(office, answer)
        ]

    assert told(one) == told(two)
    assert (one.state, one.confidence, one.fingerprint) == (two.state, two.confidence, two.fingerprint)


def test_an_empty_corpus_is_said_to_be_empty_and_no_question_is_kept(office: Office) -> None:
    with pytest.raises(ApplicationError) as refused:
        ask(office, corpus=office.empty)

    assert refused.value.code == "corpus_empty"
    with inside(office):
        assert not QuestionRow.objects.exists()


def test_verdicts_and_reasons_are_stored_with_every_claim(office: Office) -> None:
    for view in views(office, ask(office, preset=DEFAULT_PRESET)):
        assert view.claim.verdict == "supported"
        assert view.claim.reason.endswith(".")
        assert [citation.rank for citation in view.citations] == list(range(len(view.citations)))


def test_asking_in_the_background_sees_behind_walls_and_has_no_asker(office: Office) -> None:
    answer = question_ask(
        question=Question(
            organization=office.firm.organization,
            user=None,
            corpus_id=office.corpus.pk,
            text=QUESTION,
            preset=preset_get("naive"),
        )
    )

    with inside(office, office.firm.owner):
        assert QuestionRow.objects.get(pk=answer.question_id).asker is None
        assert list(answer_list(**office.firm.by_owner)) == []


def test_the_class_of_a_question_is_told_where_the_settings_sort_questions(office: Office) -> None:
    sorted_by, fixed = ask(office, preset="pa-3"), ask(office, preset="fixed-5")
    with inside(office):
        told, untold = answer_document(answer=sorted_by), answer_document(answer=fixed)

    assert told["complexity"] == sorted_by.trace[0]["class"]
    assert untold["complexity"] is None


def test_the_pack_says_the_settings_in_words_and_holds_every_passage_that_was_read(
    office: Office, client_of: Callable[[User], Client]
) -> None:
    kind = office.files[0].version.kind
    many = "\n\n".join(f"A tenant who pays late in month {n} owes interest of {n + 2} percent." for n in range(30))
    ingest(office.firm, office.corpus, "months.md", f"# Months\n\n{many}\n")
    answer = question_ask(
        question=Question(
            organization=office.firm.organization,
            user=office.firm.lawyer,
            corpus_id=office.corpus.pk,
            text="What are the consequences for a tenant who pays late?",  # of a list more passages are read
            preset=preset_get("fixed-10", {"k": "40"}),
            filters=Filters.parse({"kinds": [kind]}),
        )
    )
    with inside(office):
        pack = answer_pack(answer=answer)
    html = client_of(office.firm.lawyer).get(reverse("answer_pack", args=["harding", answer.pk])).content.decode()

    read = [row for row in pack["evidence"] if row["read"]]
    assert len(read) > 12
    cited = {c["paragraph_id"] for claim in pack["answer"]["claims"] for c in claim["citations"]}
    assert html.count("<blockquote") >= len([row for row in read if row["paragraph_id"] not in cited])
    words = {row["label"]: row["value"] for row in pack["settings"]}
    assert "Searched by meaning" in words["Search"]
    assert words["Documents"] == f"in the format {kind}"
    assert f"in the format {kind}" in html
