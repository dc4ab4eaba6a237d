"""Contracts read for clauses: in slices, behind the wall, checked by people, in the table, over the API, by command."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from corpora.models import Corpus
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.clauses.models import ClauseReview, ClauseVerdict
from legalqa.answering.clauses.pages import table_page
from legalqa.answering.clauses.services import (
    clause_add,
    clause_list,
    clause_remove,
    clauses_ask,
    clauses_work,
    verdict_list,
    verdict_review,
)
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_cancel
from tests.commands import told
from tests.ingestion import Ingested, ingest, make_corpus
from tests.pages import one_line
from tests.people import Firm

LAW = "This Agreement shall be governed by and construed in accordance with the laws of the State of Ohio."
PAY = "The Client pays each invoice within ten days after it has received it."
ASKED = ["governing-law", "source-code-escrow"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, "Contracts")


@pytest.fixture
def contract(firm: Firm, corpus: Corpus) -> Ingested:
    return ingest(firm, corpus, "supply.md", f"# Supply Agreement\n\n## Payment\n\n{PAY}\n\n## Law\n\n{LAW}\n")


def ask(firm: Firm, corpus: Corpus, *documents: Ingested, again: bool = False) -> Job:
    with organization_scope(firm.organization, user=firm.lawyer):
        return clauses_ask(
            **firm.by_lawyer,
            corpus_id=corpus.pk,
            document_ids=[one.document.pk for one in documents],
            clauses=ASKED,
            again=again,
        )


def finish(job: Job, *, slice_s: int = 60) -> Job:
    while job.is_open:
        with override_settings(JOB_SLICE_S=slice_s):
            clauses_work(job_id=job.pk)
        job = Job.objects.get(pk=job.pk)
    return job


def verdicts(firm: Firm, corpus: Corpus) -> list[ClauseVerdict]:
    with organization_scope(firm.organization, user=firm.lawyer):
        return list(verdict_list(corpus=corpus).order_by("document__name", "clause"))


def test_a_contract_has_the_clause_that_it_holds_with_its_quote_and_lacks_the_other(
    firm: Firm, corpus: Corpus, contract: Ingested
) -> None:
    job = finish(ask(firm, corpus, contract))

    law, escrow = verdicts(firm, corpus)
    assert (job.state, job.cursor, job.total) == ("done", 1, 1)
    assert (law.clause, law.state, escrow.clause, escrow.state) == (ASKED[0], "present", ASKED[1], "absent")
    assert law.paragraph is not None
    assert law.paragraph.text[law.start : law.end] == LAW
    assert escrow.paragraph is None


def test_a_reading_goes_on_contract_by_contract_and_nothing_is_read_twice(
    firm: Firm, corpus: Corpus, contract: Ingested
) -> None:
    other = ingest(firm, corpus, "lease.md", f"# Lease\n\n{PAY}\n")
    job = ask(firm, corpus, contract, other)

    with override_settings(JOB_SLICE_S=0):
        clauses_work(job_id=job.pk)
    first = Job.objects.get(pk=job.pk)
    assert (first.is_open, first.cursor, len(verdicts(firm, corpus))) == (True, 1, 2)

    assert finish(first).state == "done"
    before = [row.pk for row in verdicts(firm, corpus)]
    finish(ask(firm, corpus, contract, other))
    assert [row.pk for row in verdicts(firm, corpus)] == before
    assert len(before) == 4


def test_a_reading_can_be_cancelled(firm: Firm, corpus: Corpus, contract: Ingested) -> None:
    job = ask(firm, corpus, contract)
    with organization_scope(firm.organization, user=firm.lawyer):
        job_cancel(organization=firm.organization, job_id=job.pk)

    assert Job.objects.get(pk=job.pk).state == "cancelled"
    assert verdicts(firm, corpus) == []


def test_what_a_person_said_is_kept_when_the_contract_is_read_again(
    firm: Firm, corpus: Corpus, contract: Ingested
) -> None:
    finish(ask(firm, corpus, contract))
    law, escrow = verdicts(firm, corpus)
    with organization_scope(firm.organization, user=firm.lawyer):
        verdict_review(**firm.by_lawyer, verdict_id=law.pk, state="absent")

    finish(ask(firm, corpus, contract, again=True))

    law_now, escrow_now = verdicts(firm, corpus)
    assert (law_now.pk, law_now.said, law_now.state) == (law.pk, "absent", "present")
    assert law_now.reviewed_by_id == firm.lawyer.pk
    assert escrow_now.pk != escrow.pk
    with organization_scope(firm.organization, user=firm.owner):
        assert AuditEvent.objects.get(action="clause.reviewed").details == {
            "clause": "governing-law", "before": "present", "state": "absent",
        }  # fmt: skip


def test_a_new_version_of_the_contract_has_not_been_read_yet(firm: Firm, corpus: Corpus, contract: Ingested) -> None:
    finish(ask(firm, corpus, contract))
    ingest(firm, corpus, "supply.md", f"# Supply Agreement\n\n{PAY}\n")

    assert verdicts(firm, corpus) == []


def test_the_table_the_contract_and_the_file_show_what_was_read(
    firm: Firm, corpus: Corpus, contract: Ingested, client_of: Callable[[User], Client]
) -> None:
    browser, slug = client_of(firm.lawyer), firm.organization.slug
    address = reverse("clause_table", args=(slug, corpus.pk))
    assert "Not read" in browser.get(address, {"clause": "governing-law"}).content.decode()
    assert browser.post(address, {"document": contract.document.pk, "clause": ASKED}).status_code == 302
    finish(Job.objects.get(task="legalqa.answering.tasks.clauses_read"))

    table = browser.get(address, {"clause": ASKED}).content.decode()
    page = browser.get(reverse("clause_document", args=(slug, contract.document.pk))).content.decode()
    file = browser.get(reverse("clause_csv", args=(slug, corpus.pk)), {"clause": ASKED}).content.decode()

    assert "Present" in table and "Absent" in table
    assert table.index("Read ticked documents") < table.index("Select all documents (1)")
    assert f"“{LAW}”" in page and "1 present" in page
    assert f"Supply Agreement,Governing Law,Present,Present,,,,{LAW}" in file
    assert browser.post(address, {}).status_code == 422


def test_a_cell_has_the_answers_words_and_opens_the_quote_at_its_place(
    firm: Firm, corpus: Corpus, contract: Ingested, client_of: Callable[[User], Client]
) -> None:
    finish(ask(firm, corpus, contract))
    address = reverse("clause_table", args=(firm.organization.slug, corpus.pk))

    page = one_line(client_of(firm.lawyer).get(address, {"clause": ASKED}).content.decode())

    law, escrow = page.split("</th>")[-1].split("<td>")[1:3]
    place = reverse("document_detail", args=(firm.organization.slug, contract.document.pk))
    assert f'href="{place}?v=1&amp;at=' in law and '<p class="clause-answer">the State of Ohio</p>' in law
    assert f"?show=absent#{ASKED[1]}" in escrow and "clause-answer" not in escrow


def test_the_table_is_watched_while_contracts_are_read(
    firm: Firm, corpus: Corpus, contract: Ingested, client_of: Callable[[User], Client]
) -> None:
    ask(firm, corpus, contract)
    address = reverse("clause_table", args=(firm.organization.slug, corpus.pk))

    part = client_of(firm.lawyer).get(address, headers={"HX-Request": "true"})

    assert part.status_code == 200
    assert "0 of 1" in part.content.decode() and "<h1>" not in part.content.decode()


def test_all_documents_are_read_with_one_tick(
    firm: Firm, corpus: Corpus, contract: Ingested, client_of: Callable[[User], Client]
) -> None:
    other = ingest(firm, corpus, "lease.md", f"# Lease\n\n{PAY}\n")
    address = reverse("clause_table", args=(firm.organization.slug, corpus.pk))

    assert client_of(firm.lawyer).post(address, {"every": "yes", "clause": ASKED}).status_code == 302

    with organization_scope(firm.organization, user=firm.lawyer):
        review = ClauseReview.objects.get()
    assert set(review.documents) == {contract.document.pk, other.document.pk}


def test_a_document_shows_what_was_found_and_the_rest_on_demand(
    firm: Firm, corpus: Corpus, contract: Ingested, client_of: Callable[[User], Client]
) -> None:
    finish(ask(firm, corpus, contract))
    browser = client_of(firm.lawyer)
    address = reverse("clause_document", args=(firm.organization.slug, contract.document.pk))

    def cards(**query: str) -> list[str]:
        page = browser.get(address, query).content.decode()
        return re.findall(r'<article\s+class="panel panel-body section-tight"\s+id="([a-z-]+)"', page)

    assert cards() == [ASKED[0]]
    assert cards(show="absent") == [ASKED[1]]
    assert len(cards(show="all")) == 41
    page = one_line(browser.get(address, {"show": "unsure"}).content.decode())
    assert "No clause of this document has that verdict." in page
    assert re.search(r'aria-current="true"\s*>Not sure <span class="num">0</span>', page)
    law = verdicts(firm, corpus)[0]
    review = reverse("clause_verdict_review", args=(firm.organization.slug, law.pk))
    assert browser.post(review, {"state": "present", "show": "all"})["Location"].endswith(f"?show=all#{ASKED[0]}")
    assert "show" not in browser.post(review, {"state": "present", "show": "//elsewhere"})["Location"]


def test_a_contract_that_has_no_title_but_its_files_is_called_what_it_calls_itself(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    text = f"Exhibit 10.27\n\nThis RESELLER AGREEMENT is made today by Corvid Inc. and Birch Ltd.\n\n{PAY}\n\n{LAW}\n"
    filed = ingest(firm, corpus, "exhibit.txt", text)
    browser, slug = client_of(firm.lawyer), firm.organization.slug
    table = reverse("clause_table", args=(slug, corpus.pk))
    assert ">exhibit</a>" in browser.get(table).content.decode()

    browser.post(table, {"every": "yes", "clause": "document-name"})
    finish(Job.objects.get(task="legalqa.answering.tasks.clauses_read"))

    assert ">RESELLER AGREEMENT</a>" in browser.get(table).content.decode()
    page = browser.get(reverse("clause_document", args=(slug, filed.document.pk))).content.decode()
    assert "<h1>RESELLER AGREEMENT</h1>" in page


def test_a_statute_is_not_called_a_contract_in_the_table(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    ingest(firm, corpus, "act.md", "# Leave Act of 2021\n\nBe it enacted: employees take thirty days of leave.\n")
    table = client_of(firm.lawyer).get(reverse("clause_table", args=(firm.organization.slug, corpus.pk)))
    page = one_line(table.content.decode())

    row = page.split("Leave Act of 2021</a>")[1].split("</th>")[0]
    assert "Law" in row
    assert re.search(r'<th scope="col"> Clause ', page)


def test_many_clauses_of_few_contracts_are_rows_and_else_each_contract_is_one(
    firm: Firm, corpus: Corpus, contract: Ingested
) -> None:
    def table(*keys: str) -> dict[str, Any]:
        with organization_scope(firm.organization, user=firm.lawyer):
            return table_page(organization=firm.organization, corpus=corpus, keys=keys, number=None)

    finish(ask(firm, corpus, contract))
    whole = table()
    assert [len(line["cells"]) for line in whole["by_clause"]] == [1] * 41
    law = next(line["cells"][0] for line in whole["by_clause"] if line["clause"].key == ASKED[0])
    assert law["answer"] == "the State of Ohio"
    assert table(*ASKED)["by_clause"] == []
    for n in range(4):
        ingest(firm, corpus, f"lease-{n}.md", f"# Lease {n}\n\n{PAY}\n")
    assert table()["by_clause"] == []


def test_the_api_reads_contracts_lists_verdicts_and_takes_corrections(
    firm: Firm, corpus: Corpus, contract: Ingested, client: Client
) -> None:
    headers = firm.bearer(firm.lawyer, TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE)
    address = reverse("api_clause_verdict_list", args=(corpus.pk,))
    body = {"document_ids": [str(contract.document.pk)], "clauses": ["governing-law"]}
    assert client.post(address, body, "application/json", headers=headers).status_code == 202
    finish(Job.objects.get(task="legalqa.answering.tasks.clauses_read"))

    (row,) = client.get(address, headers=headers).json()["results"]
    corrected = client.patch(
        reverse("api_clause_verdict", args=(row["id"],)), {"state": "absent"}, "application/json", headers=headers
    ).json()

    assert (row["state"], row["quote"], row["provision"]) == ("present", LAW, "Law")
    assert (corrected["state"], corrected["read_as"]) == ("absent", "present")


def test_the_api_refuses_a_filter_that_no_verdict_can_meet(
    firm: Firm, corpus: Corpus, contract: Ingested, client: Client
) -> None:
    finish(ask(firm, corpus, contract))
    with organization_scope(firm.organization, user=firm.lawyer):
        own = ClauseVerdict.objects.get(clause=ASKED[1])
        ClauseVerdict.objects.filter(pk=own.pk).update(clause=f"own-{own.pk}")  # of a clause that was removed since
    headers = firm.bearer(firm.lawyer, TokenScope.CORPORA_READ)

    def found(**filters: str) -> Any:
        reply = client.get(reverse("api_clause_verdict_list", args=(corpus.pk,)), filters, headers=headers).json()
        return reply["count"] if "count" in reply else reply["message"]

    assert [found(clause=ASKED[0]), found(clause=f"own-{own.pk}"), found(clause="insurance")] == [1, 1, 0]
    assert found(document_id=str(contract.document.pk)) == 2
    assert found(clause="governing-lore").startswith(
        "There is no clause 'governing-lore'; the nearest of 41 are: governing-law, "
    )
    assert found(document_id=str(corpus.pk)) == "There is no such document, or you may not see it."


@pytest.mark.parametrize(("state", "lease"), [("running", uuid4()), ("queued", None)])
def test_the_command_looks_now_and_then_at_a_reading_that_a_worker_has_or_that_is_put_off(
    firm: Firm, corpus: Corpus, contract: Ingested, monkeypatch: pytest.MonkeyPatch, state: str, lease: UUID | None
) -> None:
    def taken(**of: Any) -> Job:
        job = clauses_ask(**of)
        job.state, job.lease, job.lease_until = state, lease, timezone.now() + timedelta(seconds=1)
        job.save()
        return job

    # The command makes the job itself; a worker would have to claim it in between.
    monkeypatch.setattr("legalqa.answering.management.commands.clauses.clauses_ask", taken)
    with CaptureQueriesContext(connection) as queries:
        of = ("--organization", firm.organization.slug, "--clause", ASKED[0])
        document = told("clauses", "supply.md", "--corpus", corpus.name, *of)

    assert [one["quote"] for one in document["verdicts"]] == [LAW]
    assert 2 <= sum("SKIP LOCKED" in query["sql"] for query in queries) < 10


def test_an_organisation_adds_its_own_clause_and_takes_it_away_again(firm: Firm, inside: Firm) -> None:
    def own() -> list[str]:
        return [one.name for one in clause_list(organization=firm.organization)[41:]]

    of: dict[str, Any] = {"organization": firm.organization, "user": firm.manager}
    row = clause_add(**of, name="Secret prices", question="Must prices be kept secret?")
    assert own() == ["Secret prices"]
    with pytest.raises(ApplicationError, match="named 'secret prices' already"):
        clause_add(**of, name="secret prices", question="Again?")
    with pytest.raises(ApplicationError, match="needs a name"):
        clause_add(**of, name=" ", question="Again?")

    clause_remove(**of, clause_id=row.pk)
    assert own() == []
    with pytest.raises(NotFound):
        clause_remove(**of, clause_id=row.pk)


def test_what_cannot_be_read_is_refused_in_a_sentence(firm: Firm, corpus: Corpus, contract: Ingested) -> None:
    of: dict[str, Any] = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": corpus.pk}
    with organization_scope(firm.organization, user=firm.lawyer):
        with pytest.raises(ApplicationError, match="Choose between 1 and"):
            clauses_ask(**of, document_ids=[])
        with pytest.raises(NotFound):
            clauses_ask(**of, document_ids=["not-an-id"])
        with pytest.raises(ApplicationError, match="There is no clause 'moonlight'"):
            clauses_ask(**of, document_ids=[contract.document.pk], clauses=["moonlight"])
        with override_settings(READER="off"), pytest.raises(ApplicationError, match="switched off"):
            clauses_ask(**of, document_ids=[contract.document.pk])


def test_the_command_prints_the_verdicts_of_a_contract(firm: Firm, corpus: Corpus, contract: Ingested) -> None:
    slug = firm.organization.slug

    document = told("clauses", "supply.md", "--corpus", corpus.name, "--organization", slug, "--clause", ASKED[0])

    assert [(one["clause"], one["quote"]) for one in document["verdicts"]] == [(ASKED[0], LAW)]
    with pytest.raises(CommandError, match="0 documents of the corpus are named"):
        call_command("clauses", "nothing.md", "--corpus", corpus.name, "--organization", slug)
