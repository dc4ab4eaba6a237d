"""Cases come in by file, wait for a reviewer, and are found by what they ask, cite and name."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from corpora.models import Paragraph
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import NotFound
from legalqa.encoder.client import NAME, encoder
from legalqa.jobs.models import Job
from retrieval.cases.files import CaseFileError, CaseRow, case_lines, case_rows_read
from retrieval.cases.indexing import TASK, case_index_build, case_index_list
from retrieval.cases.pages import cases_page
from retrieval.cases.searching import SimilarCase, cases_similar
from retrieval.cases.selectors import case_documents, case_list, case_supports, cases_usable
from retrieval.cases.services import case_review, cases_add
from retrieval.cases.similarity import WEIGHTINGS
from retrieval.cases.statistics import case_statistics
from retrieval.models import CaseVector
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from tests.commands import told
from tests.ingestion import ingest
from tests.pages import one_line
from tests.people import signed_in
from tests.retrieval.cases.conftest import LAW, Base, embed

pytestmark = pytest.mark.django_db


def similar(base: Base, question: str, *, weighting: str = "hybrid", k: int = 3) -> list[SimilarCase]:
    vector = encoder().encode([question])[0]
    with organization_scope(base.firm.organization, user=base.firm.owner):
        base.corpus.refresh_from_db()
        return cases_similar(corpus=base.corpus, text=question, vector=vector, weights=WEIGHTINGS[weighting], k=k)


def test_the_case_that_asks_the_same_is_the_most_similar_by_every_weighting(base: Base) -> None:
    for weighting in WEIGHTINGS:
        found = similar(base, "How often is an audit of a hiring tool due?", weighting=weighting)
        assert found[0].case.external_id == "audit", weighting
        assert len(found) == 3


def test_a_hybrid_similarity_is_the_weighted_sum_of_the_three_cosines(base: Base) -> None:
    question = "How often is an audit of a hiring tool due?"
    one = similar(base, question, k=1)[0]
    by_question, by_support, by_entities = (
        next(other.score for other in similar(base, question, weighting=weighting) if other.case == one.case)
        for weighting in ("question", "support", "entities")
    )

    assert one.score == pytest.approx(0.25 * by_question + 0.40 * by_support + 0.35 * by_entities, abs=1e-5)


def test_the_command_searches_the_cases_of_a_corpus(base: Base) -> None:
    slug, of = base.corpus.slug, {"organization": base.firm.organization.slug}
    document = told("cases", "search", slug, "How often is an audit of a hiring tool due?", **of)

    assert "within one year before its use" in document["hits"][0]["text"]
    assert "How often must an employer audit a hiring tool?" in document["side"][0]["text"]
    with pytest.raises(CommandError, match="Give the question") as refused:
        call_command("cases", "search", slug, **of)
    assert refused.value.returncode == 2


def test_a_search_by_the_case_base_gives_the_passages_as_hits_and_the_cases_beside_them(base: Base) -> None:
    result = corpus_search(
        request=SearchRequest(
            **base.acting, text="How often is an audit of a hiring tool due?", preset=preset_get("casebase")
        )
    )

    assert "within one year before its use" in result.passages[0].text
    assert result.passages[0].parts and "cases.rank" in dict(result.passages[0].parts)
    assert [side.source.kind for side in result.side] == ["case", "case", "cases"]
    assert "Answer: It must be audited within one year before use." in result.side[-1].text


def test_a_case_below_the_floor_is_neither_shown_nor_given_to_a_model_and_passages_stay(base: Base) -> None:
    of = {**base.acting, "text": "How often is an audit of a hiring tool due?"}
    shown, all_of_them, none = (
        corpus_search(request=SearchRequest(**of, preset=preset_get("casebase", {"cases.floor": floor})))
        for floor in ("0.37", "-1", "1")
    )

    assert "plaintiff" not in " ".join(side.text for side in shown.side)
    assert [side.source.kind for side in all_of_them.side] == ["case", "case", "case", "cases"]
    assert none.side == ()
    hits = [[passage.chunk_id for passage in one.passages] for one in (shown, all_of_them, none)]
    assert hits[0] == hits[1] == hits[2]


def test_the_encoder_of_each_role_is_a_setting() -> None:
    stages = preset_get(
        "casebase", {"cases.intra": "legal-384", "cases.inter": "angle-1024"}
    ).pipeline.model_dump_json()

    assert '"intra":"legal-384","inter":"angle-1024"' in stages


def test_an_import_is_not_used_before_it_is_approved(base: Base) -> None:
    row = {"question": "Who pays the fine?", "support": "The employer pays the fine.", "answer": "The employer."}
    with organization_scope(base.firm.organization, user=base.firm.owner):
        (case,) = cases_add(**base.acting, rows=case_rows_read(json.dumps(row))).cases
        assert case not in cases_usable(corpus=base.corpus)
        case_review(organization=base.firm.organization, user=base.firm.owner, case_id=case.pk, decision="approve")
        assert case in cases_usable(corpus=base.corpus)


def test_what_is_brought_twice_is_kept_once_and_a_file_taken_out_can_be_brought_again(base: Base) -> None:
    with organization_scope(base.firm.organization, user=base.firm.owner):
        cases = list(case_list(organization=base.firm.organization, corpus_id=base.corpus.pk))
        again = cases_add(**base.acting, rows=case_rows_read(case_lines(case_documents(cases=cases))))

    assert (len(again.cases), again.n_known) == (0, 3)


def test_a_case_whose_paragraph_changed_is_marked_and_waits_for_a_reviewer(base: Base) -> None:
    ingest(base.firm, base.corpus, "rules.md", LAW.replace("within one year", "within two years"))
    question = "How often is an audit of a hiring tool due?"

    assert "audit" not in [one.case.external_id for one in similar(base, question)]
    with organization_scope(base.firm.organization, user=base.firm.owner):
        cases = case_list(organization=base.firm.organization, corpus_id=base.corpus.pk)
        assert {case.external_id: case.is_expired for case in cases} == {  # type: ignore[attr-defined]  # annotated
            "audit": True,
            "notice": False,
            "search": False,
        }
        case_review(
            organization=base.firm.organization,
            user=base.firm.owner,
            case_id=cases.get(external_id="audit").pk,
            decision="approve",
        )

    assert similar(base, question)[0].case.external_id == "audit"


def test_a_support_that_quotes_the_documents_expires_with_its_paragraph_and_another_is_warned_of(base: Base) -> None:
    fine = "A first violation is  punished by a civil penalty\nof 500 dollars"
    other = "Nobody has ever been punished by a civil penalty of 500 dollars."
    rows = [{"question": f"{n}?", "support": text, "answer": "500 dollars."} for n, text in enumerate((fine, other))]
    organization, client = base.firm.organization, signed_in(base.firm.owner)
    file = SimpleUploadedFile("cases.jsonl", "\n".join(map(json.dumps, rows)).encode())
    at = (organization.slug, base.corpus.pk)
    listed = one_line(client.post(reverse("case_import", args=at), {"file": file}, follow=True).content.decode())
    with organization_scope(organization, user=base.firm.owner):
        quoted, unplaced = (
            case_list(organization=organization, corpus_id=base.corpus.pk).get(question=f"{n}?") for n in (0, 1)
        )
        (support,) = case_supports(cases=[quoted, unplaced])
    page = one_line(client.get(reverse("case_detail", args=(organization.slug, unplaced.pk))).content.decode())

    assert (support.case_id, support.paragraph.text.split()[:3]) == (quoted.pk, ["A", "first", "violation"])
    assert "1 of the new cases not found in the documents: will not expire when the law changes." in listed
    assert listed.count("Not found in the documents: will not expire") == 2  # and the one of the fixture
    assert "Not found in the documents: the case will not expire when the law changes." in page

    ingest(base.firm, base.corpus, "rules.md", LAW.replace("500 dollars", "700 dollars"))
    with organization_scope(organization, user=base.firm.owner):
        cases = case_list(organization=organization, corpus_id=base.corpus.pk)
        assert cases.get(pk=quoted.pk).is_expired  # type: ignore[attr-defined]  # annotated
        assert not cases.get(pk=unplaced.pk).is_expired  # type: ignore[attr-defined]  # annotated


def test_a_support_of_several_paragraphs_rests_on_each_and_a_few_words_on_none(base: Base) -> None:
    with organization_scope(base.firm.organization, user=base.firm.owner):
        rules = [one.text for one in Paragraph.objects.filter(public_id__in=[base.audit_id, base.notice_id])]
        rows = [CaseRow("Which?", "Both.", "\n\n".join(rules)), CaseRow("Who?", "It.", "An employer must")]
        added = cases_add(**base.acting, rows=rows)
        supports = case_supports(cases=added.cases)
        assert {one.paragraph.public_id for one in supports} == {base.audit_id, base.notice_id}
    assert added.n_unplaced == 1


def test_a_case_whose_law_changed_is_not_counted_as_in_use(base: Base) -> None:
    ingest(base.firm, base.corpus, "rules.md", LAW.replace("within one year", "within two years"))
    organization, corpus_id = base.firm.organization, base.corpus.pk
    with organization_scope(base.firm.organization, user=base.firm.owner):
        page = cases_page(organization=organization, corpus_id=corpus_id, filters={"state": "approved"})
        listed = {case.external_id for case in page["cases"]}
        statistics = case_statistics(organization=organization, corpus_id=corpus_id)

    assert {chip["label"]: chip["n"] for chip in page["chips"] if chip["n"]} == {"In use": 2, "Law changed": 1}
    assert listed == {"notice", "search"}
    assert statistics.n_cases == 2


def test_only_what_is_new_is_encoded(base: Base) -> None:
    row = {"question": "Who audits?", "support": "An independent auditor audits.", "answer": "An auditor."}
    with organization_scope(base.firm.organization, user=base.firm.owner):
        before = set(CaseVector.objects.values_list("pk", flat=True))
        cases_add(**base.acting, rows=case_rows_read(json.dumps(row)))
    embed(base.firm)
    with organization_scope(base.firm.organization, user=base.firm.owner):
        after = set(CaseVector.objects.values_list("pk", flat=True))
        assert before < after
        assert len(after - before) == 3  # f(Q), g(Q), g(S): the sentence names no entity
        (state,) = case_index_list(organization=base.firm.organization, corpus_id=base.corpus.pk)

    assert state.n_cases == 4
    assert state.job is not None and (state.job.state, state.job.cursor, state.job.total) == ("done", 4, 4)


def test_another_cue_encodes_the_questions_again_and_nothing_else(base: Base) -> None:
    with organization_scope(base.firm.organization, user=base.firm.owner):
        before = dict(CaseVector.objects.values_list("pk", "text_hash"))
        case_index_build(**base.acting, cue="Represent this sentence for searching relevant passages: ")
    embed(base.firm)
    with organization_scope(base.firm.organization, user=base.firm.owner):
        changed = CaseVector.objects.exclude(text_hash__in=before.values())
        assert set(changed.values_list("part", flat=True)) == {"question_inter"}
        assert changed.count() == 3
    assert similar(base, "How often is an audit of a hiring tool due?")[0].case.external_id == "audit"


def test_an_index_that_is_filled_again_without_a_cue_keeps_the_one_it_has_and_shows_it(base: Base) -> None:
    cue = "Represent this sentence for searching relevant passages: "
    with organization_scope(base.firm.organization, user=base.firm.owner):
        case_index_build(**base.acting, cue=cue)
    client, at = signed_in(base.firm.owner), (base.firm.organization.slug, base.corpus.pk)
    headers: Any = base.firm.bearer(base.firm.owner, TokenScope.CORPORA_WRITE)

    listed = client.post(reverse("case_build", args=at), {"encoder": NAME, "cue": ""}, follow=True).content.decode()
    assert f"{NAME}, cue “{cue}”: 3 cases" in one_line(listed)
    sent = Client().post(reverse("api_case_index_list", args=at[1:]), {}, "application/json", headers=headers)
    assert (sent.status_code, sent.json()[0]["cue"]) == (202, cue)
    call_command("cases", "build", str(at[1]), organization=at[0])
    with organization_scope(base.firm.organization, user=base.firm.owner):
        assert case_index_build(**base.acting).cue == cue
        assert case_index_build(**base.acting, cue="").cue == ""


def test_a_case_that_names_a_paragraph_of_another_corpus_is_refused_with_its_line(base: Base) -> None:
    row = {"question": "Who?", "answer": "Nobody.", "paragraph_ids": ["elsewhere"]}
    with (
        organization_scope(base.firm.organization, user=base.firm.owner),
        pytest.raises(CaseFileError, match="Line 2: the corpus has no paragraph 'elsewhere'"),
    ):
        cases_add(**base.acting, rows=case_rows_read("\n" + json.dumps(row)))


def test_the_first_case_of_a_corpus_starts_the_job_that_encodes_it(base: Base) -> None:
    assert Job.objects.filter(organization_id=base.firm.organization.pk, task=TASK).count() == 1
    with organization_scope(base.firm.organization, user=base.firm.owner), pytest.raises(NotFound):
        case_list(organization=base.firm.organization, corpus_id=base.firm.organization.pk)
        assert Paragraph.objects.exists()
