"""The contradictions of a corpus: found in slices, kept with what people said of them, beside an answer, by command."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from corpora.models import Corpus
from corpora.services import document_describe, document_remove, version_date_set
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, Contradiction, ReviewState
from legalqa.answering.pages.answer import answer_document, answer_page
from legalqa.answering.pages.contradictions import MEASURED
from legalqa.answering.services import question_ask
from legalqa.answering.services.contradictions import (
    contradiction_list,
    contradiction_review,
    contradictions_start,
    contradictions_work,
)
from legalqa.answering.types import Question
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_cancel
from retrieval.pipelines.presets import preset_get
from retrieval.types import Filters
from tests.ingestion import Ingested, ingest, make_corpus
from tests.pages import one_line
from tests.people import Firm

SEVEN = "Records of customers must be kept for seven years after the contract has ended."
SIX = "Records of customers must be kept for six years after the contract has ended."
PRACTICE = f"# Office Practice\n\n{SIX}\n\nThe tenant waters the garden.\n"
pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, "Records")


@pytest.fixture
def rule(firm: Firm, corpus: Corpus) -> Ingested:
    return ingest(firm, corpus, "rule.md", f"# Retention Rule\n\n{SEVEN}\n\nThe landlord repairs the roof.\n")


@pytest.fixture
def practice(firm: Firm, corpus: Corpus) -> Ingested:
    return ingest(firm, corpus, "practice.md", PRACTICE)


def search(firm: Firm, corpus: Corpus, *, slice_s: int = 60) -> Job:
    with organization_scope(firm.organization, user=firm.lawyer):
        job = contradictions_start(**firm.by_lawyer, corpus_id=corpus.pk)
    while job.is_open:
        with override_settings(JOB_SLICE_S=slice_s):
            contradictions_work(job_id=job.pk)
        job = Job.objects.get(pk=job.pk)
    return job


def rows(firm: Firm, corpus: Corpus) -> list[Contradiction]:
    with organization_scope(firm.organization, user=firm.lawyer):
        return list(contradiction_list(organization=firm.organization, corpus=corpus))


def asked(firm: Firm, corpus: Corpus, *, only: Ingested | None = None) -> Answer:
    """An answer that quotes one of the two provisions; the other is in its evidence, unless `only` one document is."""
    return question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text="How long must records of customers be kept after the contract has ended?",
            preset=preset_get("fixed-5", {"answer.mode": "quoted"}),
            filters=Filters(document_ids=(str(only.document.pk),) if only else ()),
        )
    )


def confirmed(firm: Firm, corpus: Corpus) -> None:
    """The one pair of the report, which a person has confirmed."""
    search(firm, corpus)
    (row,) = rows(firm, corpus)
    with organization_scope(firm.organization, user=firm.lawyer):
        contradiction_review(**firm.by_lawyer, contradiction_id=row.pk, state="confirmed")


def told(firm: Firm, corpus: Corpus, *, only: Ingested | None = None) -> list[dict[str, Any]]:
    """The contradictions beside such an answer."""
    answer = asked(firm, corpus, only=only)
    with organization_scope(firm.organization, user=firm.lawyer):
        found: list[dict[str, Any]] = answer_document(answer=answer)["contradictions"]
    return found


@pytest.mark.usefixtures("rule", "practice")
def test_a_search_finds_the_two_provisions_and_marks_what_differs(firm: Firm, corpus: Corpus) -> None:
    job = search(firm, corpus)

    (row,) = rows(firm, corpus)
    words = [
        paragraph.text[span["words_start"] : span["words_end"]]
        for paragraph, span in zip((row.paragraph_a, row.paragraph_b), row.spans, strict=True)
    ]
    assert (job.state, row.kind, row.state) == ("done", "different duration", ReviewState.OPEN)
    assert sorted(words) == ["seven years", "six years"]


def test_documents_of_one_file_of_passages_contradict_each_other(firm: Firm, corpus: Corpus) -> None:
    passages = [
        {"id": title, "text": text, "title": title} for title, text in (("Retention Rule", SEVEN), ("Practice", SIX))
    ]
    ingest(firm, corpus, "passages.jsonl", "\n".join(map(json.dumps, passages)))

    search(firm, corpus)

    assert [row.kind for row in rows(firm, corpus)] == ["different duration"]
    assert len(told(firm, corpus)) == 1


@pytest.mark.usefixtures("rule", "practice")
def test_what_a_person_said_outlives_a_new_search(firm: Firm, corpus: Corpus) -> None:
    search(firm, corpus)
    (row,) = rows(firm, corpus)
    with organization_scope(firm.organization, user=firm.lawyer):
        contradiction_review(**firm.by_lawyer, contradiction_id=row.pk, state="not_a_conflict")

    search(firm, corpus)

    (again,) = rows(firm, corpus)
    assert (again.pk, again.state, again.reviewed_by_id) == (row.pk, "not_a_conflict", firm.lawyer.pk)
    assert again.reviewed_at is not None


@pytest.mark.usefixtures("rule")
def test_a_pair_whose_document_was_removed_is_listed_no_longer(firm: Firm, corpus: Corpus, practice: Ingested) -> None:
    search(firm, corpus)
    with organization_scope(firm.organization, user=firm.manager):
        document_remove(**firm.by_manager, document_id=practice.document.pk)

    assert rows(firm, corpus) == []
    search(firm, corpus)
    with organization_scope(firm.organization, user=firm.manager):
        assert not Contradiction.objects.filter(corpus=corpus).exists()


@pytest.mark.usefixtures("rule", "practice")
def test_a_pair_stays_with_its_review_where_a_new_version_leaves_its_paragraph_and_goes_where_it_changes(
    firm: Firm, corpus: Corpus
) -> None:
    confirmed(firm, corpus)
    more = "The office is closed on Sundays."
    ingest(firm, corpus, "practice.md", f"{PRACTICE}\n{more}\n")
    assert [row.state for row in rows(firm, corpus)] == ["confirmed"]

    ingest(firm, corpus, "practice.md", f"{PRACTICE.replace('six years', 'five years')}\n{more}\n")
    assert rows(firm, corpus) == []
    search(firm, corpus)
    (row,) = rows(firm, corpus)
    assert (row.state, row.reviewed_at) == (ReviewState.OPEN, None)
    ingest(firm, corpus, "practice.md", f"# Office Practice\n\n{more}\n")
    assert rows(firm, corpus) == []


@pytest.mark.usefixtures("rule")
def test_a_pair_stays_until_the_day_on_which_the_version_without_it_takes_effect(
    firm: Firm, corpus: Corpus, practice: Ingested, client_of: Callable[[User], Client]
) -> None:
    confirmed(firm, corpus)
    ingest(firm, corpus, "practice.md", "# Office Practice\n\nThe tenant waters the garden.\n")
    with organization_scope(firm.organization, user=firm.manager):
        of: Any = {"document_id": practice.document.pk, "number": 2}
        version_date_set(**firm.by_manager, **of, effective_date=timezone.localdate() + timedelta(days=30))
    assert [row.state for row in rows(firm, corpus)] == ["confirmed"]
    address = reverse("contradiction_list", args=(firm.organization.slug, corpus.pk))
    assert f"{practice.document.pk}/?v=1&amp;at=" in client_of(firm.lawyer).get(address).content.decode()


def leased(firm: Firm, corpus: Corpus, tenant: str, keeping: str) -> None:
    """A lease with this tenant that says how long records are kept."""
    text = f'Lease between Old Mill Ltd (the "Landlord") and {tenant} (the "Tenant").\n\n{keeping}\n'
    merger = "This Agreement supersedes all prior agreements of the parties on its subject matter.\n"
    ingest(firm, corpus, f"lease {keeping[:50]}.md", f"# Lease Agreement\n\n{text}\n{merger}")


@pytest.mark.parametrize(("tenant", "n_open"), [("Anna Meyer", 1), ("Berta Lang", 0)])
def test_two_contracts_contradict_each_other_only_between_the_same_parties(
    firm: Firm, corpus: Corpus, tenant: str, n_open: int
) -> None:
    leased(firm, corpus, "Anna Meyer", SEVEN)
    leased(firm, corpus, tenant, SIX)

    search(firm, corpus)

    assert [row.state for row in rows(firm, corpus)] == [ReviewState.OPEN] * n_open
    assert [bool(one["resolution"]) for one in told(firm, corpus)] == [False] * n_open


def described(firm: Firm, file: Ingested, kind: str) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        document_describe(**firm.by_manager, document_id=file.document.pk, changes={"kind": kind})


def test_a_corrected_kind_of_document_resolves_the_pair_at_the_next_search_and_beside_an_answer(
    firm: Firm, corpus: Corpus, rule: Ingested, practice: Ingested
) -> None:
    described(firm, rule, "law")
    described(firm, practice, "policy")
    sentence = "“Retention Rule” is law and takes precedence over “Office Practice”."

    search(firm, corpus)

    (row,) = rows(firm, corpus)
    (beside,) = told(firm, corpus)
    assert (row.state, row.resolution) == (ReviewState.RESOLVED, sentence)
    assert beside["resolution"]["sentence"] == sentence


@pytest.mark.usefixtures("rule", "practice")
def test_one_search_at_a_time_and_it_can_be_cancelled(firm: Firm, corpus: Corpus) -> None:
    with organization_scope(firm.organization, user=firm.lawyer):
        job = contradictions_start(**firm.by_lawyer, corpus_id=corpus.pk)
        with pytest.raises(Conflict, match="already being searched"):
            contradictions_start(**firm.by_lawyer, corpus_id=corpus.pk)

    job_cancel(organization=firm.organization, job_id=job.pk)

    assert Job.objects.get(pk=job.pk).state == "cancelled"


@pytest.mark.usefixtures("rule", "practice")
def test_an_unknown_state_is_refused_in_a_sentence(firm: Firm, corpus: Corpus) -> None:
    search(firm, corpus)
    (row,) = rows(firm, corpus)

    with (
        organization_scope(firm.organization, user=firm.lawyer),
        pytest.raises(ApplicationError, match="There is no state 'maybe'; choose one of: open"),
    ):
        contradiction_review(**firm.by_lawyer, contradiction_id=row.pk, state="maybe")


def test_the_page_says_what_to_do_before_the_first_search_and_shows_what_it_finds(
    firm: Firm, corpus: Corpus, rule: Ingested, practice: Ingested, client_of: Callable[[User], Client]
) -> None:
    browser = client_of(firm.lawyer)
    address = reverse("contradiction_list", args=(firm.organization.slug, corpus.pk))
    assert b"Not searched yet" in browser.get(address).content

    assert browser.post(address).status_code == 302
    job = Job.objects.get(task="legalqa.answering.tasks.contradictions_find")
    contradictions_work(job_id=job.pk)

    page = browser.get(address).content.decode()
    assert "<mark>seven years</mark>" in page
    assert "<mark>six years</mark>" in page


@pytest.mark.usefixtures("rule", "practice")
def test_an_answer_names_the_provision_that_contradicts_what_it_cites(firm: Firm, corpus: Corpus) -> None:
    answer = asked(firm, corpus)

    with organization_scope(firm.organization, user=firm.lawyer):
        document = answer_document(answer=answer)
        page = answer_page(answer=answer, slug=firm.organization.slug)

    (found,) = document["contradictions"]
    assert found["kind"] == "different duration"
    assert sorted(quote["words"] for quote in found["quotes"]) == ["seven years", "six years"]
    assert {side["document"] for side in found["sides"]} == {"Retention Rule", "Office Practice"}
    assert page["conflicts"][0]["heading"] == "Different periods"


@pytest.mark.parametrize(("state", "n_told"), [("open", 1), ("confirmed", 1), ("not_a_conflict", 0), ("resolved", 0)])
@pytest.mark.usefixtures("rule", "practice")
def test_what_a_reviewer_said_of_a_pair_holds_beside_an_answer_too(
    firm: Firm, corpus: Corpus, state: str, n_told: int
) -> None:
    search(firm, corpus)
    (row,) = rows(firm, corpus)
    with organization_scope(firm.organization, user=firm.lawyer):
        contradiction_review(**firm.by_lawyer, contradiction_id=row.pk, state=state)

    assert len(told(firm, corpus)) == n_told


@pytest.mark.usefixtures("practice")
def test_a_confirmed_pair_of_the_report_is_told_where_the_answer_read_only_one_of_its_sides(
    firm: Firm, corpus: Corpus, rule: Ingested
) -> None:
    search(firm, corpus)
    assert told(firm, corpus, only=rule) == []

    confirmed(firm, corpus)
    (found,) = told(firm, corpus, only=rule)

    assert found["kind"] == "different duration"
    assert sorted(quote["words"] for quote in found["quotes"]) == ["seven years", "six years"]
    assert {side["document"] for side in found["sides"]} == {"Retention Rule", "Office Practice"}
    assert all(side["version"] == 1 and side["page"] for side in found["sides"])


@pytest.mark.usefixtures("practice")
def test_the_page_of_an_answer_links_to_the_side_that_it_did_not_read(
    firm: Firm, corpus: Corpus, rule: Ingested, client_of: Callable[[User], Client]
) -> None:
    confirmed(firm, corpus)
    answer = asked(firm, corpus, only=rule)
    browser = client_of(firm.lawyer)

    page = browser.get(reverse("answer_detail", args=(firm.organization.slug, answer.pk))).content.decode()
    with organization_scope(firm.organization, user=firm.lawyer):
        sides = answer_page(answer=answer, slug=firm.organization.slug)["conflicts"][0]["sides"]

    assert "<mark>six years</mark>" in page and "<mark>seven years</mark>" in page
    assert [browser.get(side["url"]).status_code for side in sides] == [200, 200]


def test_a_pair_of_the_report_whose_other_side_is_no_longer_in_force_is_not_told(
    firm: Firm, corpus: Corpus, rule: Ingested, practice: Ingested
) -> None:
    confirmed(firm, corpus)
    ingest(firm, corpus, "practice.md", "# Office Practice\n\nThe tenant waters the garden.\n")

    assert told(firm, corpus, only=rule) == []


def test_a_pair_of_the_report_whose_other_document_was_removed_is_not_told(
    firm: Firm, corpus: Corpus, rule: Ingested, practice: Ingested
) -> None:
    confirmed(firm, corpus)
    with organization_scope(firm.organization, user=firm.manager):
        document_remove(**firm.by_manager, document_id=practice.document.pk)

    assert told(firm, corpus, only=rule) == []


@pytest.mark.usefixtures("rule", "practice")
def test_the_command_lists_the_contradictions_of_a_corpus(firm: Firm, corpus: Corpus) -> None:
    out = StringIO()

    call_command("contradictions", corpus.name, "--organization", firm.organization.slug, "--json", stdout=out)

    document = json.loads(out.getvalue())
    assert [(pair["contradiction"], pair["kind"]) for pair in document["pairs"]] == [(True, "different duration")]
    assert document["open"] == 1


def test_the_command_judges_pairs_of_a_file(tmp_path: Path) -> None:
    file, out = tmp_path / "pairs.jsonl", StringIO()
    file.write_text(
        json.dumps({"id": "1", "a": SEVEN, "b": SIX}) + "\n" + json.dumps({"id": "2", "a": SEVEN, "b": SEVEN}) + "\n"
    )

    call_command("contradictions", "--pairs", str(file), "--json", stdout=out)

    pairs = json.loads(out.getvalue())["pairs"]
    assert [(pair["id"], pair["contradiction"]) for pair in pairs] == [("1", True), ("2", False)]


@pytest.mark.parametrize("arguments", [[], ["some-corpus", "--pairs", "x.jsonl"], ["--pairs", "no-such-file.jsonl"]])
def test_bad_input_of_the_command_is_one_sentence_and_exit_code_2(arguments: list[str]) -> None:
    with pytest.raises(CommandError) as caught:
        call_command("contradictions", *arguments)

    assert caught.value.returncode == 2


def test_the_page_that_is_polled_offers_the_next_search_once_this_one_has_ended(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    browser = client_of(firm.lawyer)
    address = reverse("contradiction_list", args=(firm.organization.slug, corpus.pk))
    browser.post(address)
    working = one_line(browser.get(address, headers={"HX-Request": "true"}).content.decode())
    contradictions_work(job_id=Job.objects.get(task="legalqa.answering.tasks.contradictions_find").pk)
    ended = one_line(browser.get(address, headers={"HX-Request": "true"}).content.decode())

    assert 'id="search" type="submit" disabled>' in working
    assert re.search(r'id="search" type="submit"\s*> Search again', ended)


@pytest.mark.usefixtures("rule", "practice")
def test_a_decision_leaves_the_reviewer_at_the_page_and_filter_of_the_list(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    search(firm, corpus)
    browser = client_of(firm.lawyer)
    address = f"{reverse('contradiction_list', args=(firm.organization.slug, corpus.pk))}?state=open&page=1"
    action = re.search(r'action="([^"]*/review/[^"]*)"', browser.get(address).content.decode())
    assert action is not None

    assert browser.post(unescape(action[1]), {"state": "confirmed"}).headers["Location"] == address


@pytest.mark.usefixtures("rule", "practice")
def test_the_page_names_the_difference_and_counts_what_people_judged(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    address = reverse("contradiction_list", args=(firm.organization.slug, corpus.pk))
    search(firm, corpus)
    before = one_line(strip_tags(client_of(firm.lawyer).get(address).content.decode()))
    confirmed(firm, corpus)
    after = one_line(strip_tags(client_of(firm.lawyer).get(address).content.decode()))

    assert "years” and “" in before
    assert "Nobody has judged one here yet." in before
    assert "Of those that people have judged here, 1 of 1 are contradictions." in after
    assert "Confirmed 1" in after

    ingest(firm, corpus, "practice.md", "# Office Practice\n\nThe tenant waters the garden.\n")
    corrected = one_line(strip_tags(client_of(firm.lawyer).get(address).content.decode()))
    assert "Of those that people have judged here, 1 of 1 are contradictions." in corrected
    assert "Confirmed 0" in corrected


def test_the_figures_in_the_header_are_those_that_were_measured() -> None:
    results = (Path(__file__).parents[3] / "docs" / "results.md").read_text(encoding="utf-8")

    called = re.search(r"called contradictions \| [^|]*\| (\d+) of (\d+) \((0\.\d+)", results)
    found = re.search(r"contradictions that were found \| [^|]*\| (\d+) of (\d+)", results)

    assert called is not None and found is not None
    assert {
        "n_right": int(called[1]), "n_called": int(called[2]), "at_least": round(100 * float(called[3])),
        "n_found": int(found[1]), "n_there": int(found[2]),
    } == MEASURED  # fmt: skip
