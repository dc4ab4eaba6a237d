"""A question as of a day is answered by the law of that day; without a day, by the current one."""

import json
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Chunk, Corpus, Document
from corpora.services import corpus_reindex, document_remove, reindex_work, version_date_set
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, Citation
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import Conflict
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from retrieval.types import Filters
from tests.committed import committed_fixture
from tests.ingestion import Ingested, ingest, make_corpus
from tests.people import Firm, make_firm

BEFORE, AFTER = date(2023, 6, 1), date(2024, 6, 1)
FIRST_DAY, SECOND_DAY = date(2023, 1, 1), date(2024, 1, 1)


@dataclass(frozen=True)
class Provision:
    """A provision with a number in braces: as it reads, and the number that the earlier law had."""

    name: str
    text: str
    numbers: tuple[str, str]
    question: str

    def file(self, number: str) -> str:
        return f"# {self.name}\n\n{self.text.format(number)}\n"


# From the EU AI Act, New York City Local Law 144 and the rules on it; the first of the two numbers is changed.
PROVISIONS = (
    Provision(
        "Prohibited practices",
        "Non-compliance with the prohibition of the AI practices shall be subject to administrative fines of up to "
        "EUR {} or, if the offender is an undertaking, a share of its total worldwide annual turnover.",
        ("30 000 000", "35 000 000"),
        "How high are the fines for prohibited AI practices?",
    ),
    Provision(
        "Incorrect information",
        "The supply of incorrect, incomplete or misleading information to notified bodies shall be subject to "
        "administrative fines of up to EUR {}.",
        ("5 000 000", "7 500 000"),
        "How high is the fine for misleading information to notified bodies?",
    ),
    Provision(
        "Documentation keeping",
        "The provider shall keep the technical documentation at the disposal of the national competent authorities "
        "for a period ending {} years after the high-risk AI system has been placed on the market.",
        ("five", "10"),
        "How many years must the provider keep the technical documentation?",
    ),
    Provision(
        "Logs",
        "Deployers of high-risk AI systems shall keep the logs automatically generated for a period of at least {} "
        "months.",
        ("three", "six"),
        "For how many months must deployers keep the automatically generated logs?",
    ),
    Provision(
        "Serious incidents",
        "The report of a serious incident shall be made not later than {} days after the provider becomes aware of it.",
        ("30", "15"),
        "How many days after a serious incident must it be reported?",
    ),
    Provision(
        "Computation of training",
        "A general-purpose AI model shall be presumed to have high impact capabilities when the computation used for "
        "its training measured in floating point operations is greater than {}.",
        ("10^24", "10^25"),
        "Above how many floating point operations has a model high impact capabilities?",
    ),
    Provision(
        "Notification of the Commission",
        "The relevant provider of a model with systemic risk shall notify the Commission without delay and in any "
        "event within {} weeks.",
        ("four", "two"),
        "Within how many weeks must the provider of a model with systemic risk notify the Commission?",
    ),
    Provision(
        "Regulatory sandboxes",
        "Member States shall ensure that their competent authorities establish at least {} AI regulatory sandbox at "
        "national level.",
        ("two", "one"),
        "How many AI regulatory sandboxes must Member States establish?",
    ),
    Provision(
        "Real-world testing",
        "The testing in real world conditions does not last longer than {} months.",
        ("12", "six"),
        "How long may testing in real world conditions last?",
    ),
    Provision(
        "Scientific panel",
        "The members of the scientific panel of independent experts are appointed for a term of {} years.",
        ("two", "three"),
        "For how many years are members of the scientific panel appointed?",
    ),
    Provision(
        "Certificates",
        "Certificates issued by notified bodies shall be valid for a period which shall not exceed {} years.",
        ("four", "five"),
        "For how many years are certificates of notified bodies valid?",
    ),
    Provision(
        "Bias audit",
        "A bias audit of the tool must have been conducted no more than {} prior to the use of such tool.",
        ("two years", "one year"),
        "When must a bias audit have been conducted?",
    ),
    Provision(
        "Notice to candidates",
        "An employer shall notify each candidate who resides in the city no less than {} business days before the use "
        "of an automated employment decision tool.",
        ("five", "ten"),
        "How many business days before the use must a candidate be notified?",
    ),
    Provision(
        "Data retention",
        "Information about the data retention policy shall be provided within {} days of a written request by a "
        "candidate.",
        ("14", "30"),
        "Within how many days is the data retention policy provided on written request?",
    ),
    Provision(
        "First violation",
        "Any person that violates any provision of this subchapter is liable for a civil penalty of not more than "
        "${} for a first violation.",
        ("375", "500"),
        "What is the civil penalty for a first violation?",
    ),
    Provision(
        "Subsequent violations",
        "For each subsequent violation a person is liable for a civil penalty of not less than $500 nor more than ${}.",
        ("1,000", "1,500"),
        "What is the highest civil penalty for a subsequent violation?",
    ),
    Provision(
        "Small categories",
        "The auditor may exclude a category that represents less than {} percent of the data used for the impact "
        "ratio.",
        ("5", "2"),
        "Below what percent may the auditor exclude a category from the impact ratio?",
    ),
    Provision(
        "Posting of results",
        "The summary of results must be kept posted for at least {} months after its latest use for an employment "
        "decision.",
        ("three", "6"),
        "For how many months must the summary of results be kept posted?",
    ),
    Provision(
        "Annual report of authorities",
        "National market surveillance authorities shall report to the Commission every {} years on the use of "
        "biometric identification systems.",
        ("three", "two"),
        "Every how many years do market surveillance authorities report on biometric identification?",
    ),
    Provision(
        "Delegation of power",
        "The power to adopt delegated acts shall be conferred on the Commission for a period of {} years from the "
        "first of August.",
        ("seven", "five"),
        "For how many years is the power to adopt delegated acts conferred?",
    ),
)


@dataclass(frozen=True)
class Office:
    firm: Firm
    corpus: Corpus
    documents: dict[str, Document]


def make_office() -> Office:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, "Laws")
    documents = {}
    for place, provision in enumerate(PROVISIONS):
        for number, first_day in zip(provision.numbers, (FIRST_DAY, SECOND_DAY), strict=True):
            taken = ingest(firm, corpus, f"law-{place:02}.md", provision.file(number))
            dated(firm, taken, first_day)
        documents[provision.name] = taken.document
    return Office(firm, corpus, documents)


committed_laws = committed_fixture(make_office)


@pytest.fixture
def laws(committed_laws: Office, db: None) -> Office:
    return committed_laws


def dated(firm: Firm, taken: Ingested, day: date | None) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        version_date_set(
            **firm.by_manager, document_id=taken.document.pk, number=taken.version.number, effective_date=day
        )


def ask(office: Office, text: str, day: date | None) -> Answer:
    return question_ask(
        question=Question(
            organization=office.firm.organization,
            user=office.firm.lawyer,
            corpus_id=office.corpus.pk,
            text=text,
            preset=preset_get("fixed-5", {"answer.mode": "quoted"}),
            filters=Filters(as_of=day),
        )
    )


def cited(office: Office, answer: Answer, document: Document) -> tuple[set[int], str]:
    """The versions of a document that an answer cites, and the words that it quotes of it."""
    with organization_scope(office.firm.organization, user=office.firm.lawyer):
        rows = Citation.objects.filter(claim__answer=answer, claim__is_shown=True, paragraph__document=document)
        found = list(rows.values_list("version__number", "quote"))
    return {number for number, _ in found}, " ".join(quote for _, quote in found)


@pytest.mark.parametrize("provision", PROVISIONS, ids=lambda provision: provision.name)
def test_the_law_of_the_day_is_cited(laws: Office, provision: Provision) -> None:
    document = laws.documents[provision.name]
    earlier, later = provision.numbers
    for day, version, number in ((BEFORE, 1, earlier), (AFTER, 2, later), (None, 2, later)):
        versions, quoted = cited(laws, ask(laws, provision.question, day), document)
        assert versions == {version}, (day, quoted)
        assert number in quoted, day


def found(office: Office, day: date | None, text: str = PROVISIONS[0].question) -> list[tuple[str, int, float]]:
    result = corpus_search(
        request=SearchRequest(
            **office.firm.by_lawyer,
            corpus_id=office.corpus.pk,
            text=text,
            preset=preset_get("fixed-5"),
            filters=Filters(as_of=day),
        )
    )
    return [(p.document.title, p.version_number, p.score) for p in result.passages]


def test_a_document_that_was_not_there_on_the_day_is_not_found(laws: Office) -> None:
    assert found(laws, date(2022, 12, 31)) == []


def test_a_search_as_of_a_day_leaves_the_live_search_as_it_was(laws: Office) -> None:
    live = found(laws, None)
    assert {version for _, version, _ in found(laws, BEFORE)} == {1}
    assert found(laws, None) == live
    assert {version for _, version, _ in live} == {2}
    assert found(laws, AFTER) == live


def test_rebuilding_the_index_keeps_the_earlier_versions(laws: Office) -> None:
    before, live, firm = found(laws, BEFORE), found(laws, None), laws.firm
    with organization_scope(firm.organization, user=firm.manager):
        job = corpus_reindex(**firm.by_manager, corpus_id=laws.corpus.pk)
    reindex_work(job_id=job.pk)
    job.refresh_from_db()
    assert not job.is_open
    assert (found(laws, BEFORE), found(laws, None)) == (before, live)


def test_a_version_that_is_not_indexed_any_more_is_told_and_not_passed_over(laws: Office) -> None:
    with organization_scope(laws.firm.organization, user=None):
        Chunk.objects.filter(version__number=1, document=laws.documents["Logs"]).delete()
    with pytest.raises(Conflict, match="Version 1 of 'Logs' was in force on that day and is not indexed"):
        found(laws, BEFORE)
    assert found(laws, AFTER)


def test_a_removed_document_is_found_as_of_no_day(laws: Office) -> None:
    firm, document = laws.firm, laws.documents["Prohibited practices"]
    assert document.title in {name for name, _, _ in found(laws, BEFORE)}
    with organization_scope(firm.organization, user=firm.manager):
        document_remove(**firm.by_manager, document_id=document.pk)
    assert document.title not in {name for name, _, _ in found(laws, BEFORE)}


def test_the_api_takes_the_day_and_keeps_it_with_the_settings(laws: Office) -> None:
    """It was taken and ignored once: a caller believed that he asked about another day."""
    headers: Any = laws.firm.bearer(laws.firm.lawyer, TokenScope.QUESTIONS_WRITE, TokenScope.SEARCH)
    body = {"corpus_id": str(laws.corpus.pk), "preset": "fixed-5", "as_of": BEFORE.isoformat()}

    def post(name: str, **data: object) -> Any:
        return Client().post(reverse(name), json.dumps(body | data), "application/json", headers=headers)

    answer = post("api_question_list", text="What is the civil penalty for a first violation?").json()
    hits = post("api_search", query="civil penalty for a first violation").json()["hits"]

    assert "$375" in answer["text"]
    assert {hit["version"] for hit in hits} == {1}
    for day, words in (
        ("last year", "'last year' is not a date; write it as 2024-01-31."),
        ("2024-02-30", "2024-02-30 does not exist; choose another day."),
    ):
        refused = post("api_search", query="civil penalty", as_of=day)
        assert (refused.status_code, refused.json()["message"]) == (400, f"as_of: {words}")
