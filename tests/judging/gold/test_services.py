"""Gold sets, mappings and tunings of a corpus: from the file to the mapping that questions use."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from corpora.services import corpus_reindex, reindex_work
from judging.gold.files import GoldFileError, gold_lines
from judging.gold.services.reviewing import gold_question_edit
from judging.gold.services.sets import (
    gold_questions,
    gold_references,
    gold_set_import,
    gold_set_list,
    gold_set_of_marks,
    gold_set_remove,
    gold_set_rows,
)
from judging.models import GoldReference, GoldSet, TunedSearch, TuningRun
from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import job_run
from legalqa.training.encoder.data import gold_asked
from legalqa.training.tuning.services import (
    TUNINGS,
    tuning_options,
    tuning_slice,
    tuning_start,
    tuning_use,
)
from retrieval.pipelines.presets import preset_get
from retrieval.services.lab import relevance_set
from retrieval.services.mappings import mapping_active
from tests.commands import told
from tests.committed import committed_fixture
from tests.ingestion import ingest, make_corpus
from tests.judging.gold.reading import gold_rows_read
from tests.pages import one_line
from tests.people import Firm, make_firm, signed_in

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

PLANTS = (
    "apple barley cedar daisy elm fern grape hazel iris juniper kale lily maple nettle oak pear quince rose sage tulip"
)
NAMES = PLANTS.split()


@dataclass(frozen=True)
class Library:
    """Passages about twenty gardens, and a question on the rent of each that one of them answers."""

    firm: Firm
    corpus: Corpus
    other: Corpus
    rows: list[dict[str, Any]]

    @property
    def acting(self) -> dict[str, Any]:
        return {"organization": self.firm.organization, "user": self.firm.manager}

    @property
    def text(self) -> str:
        return "\n".join(json.dumps(row) for row in self.rows)


def make_library() -> Library:
    firm = make_firm("harding", "Harding & Stone")
    corpus, other = make_corpus(firm, "Gardens"), make_corpus(firm, "Letters")
    rows: list[dict[str, Any]] = []
    passages: list[dict[str, Any]] = []
    for number, name in enumerate(NAMES):
        passages.append({"id": f"{name}-1", "text": f"The tenant of the {name} garden pays {number + 1} euros."})
        passages.append({"id": f"{name}-2", "text": f"The {name} garden is watered every {number + 2} days."})
        rows.append(
            {
                "id": name,
                "question": f"What does the tenant of the {name} garden pay?",
                "reference_paragraph_ids": [f"{name}-1"],
                "reference_answer": f"{number + 1} euros",
                "question_type": "short",
            }
        )
    for part in range(3):  # three documents, so that a tuning has something to hold out
        lines = "\n".join(json.dumps(passage) for passage in passages[part::3])
        ingest(firm, corpus, f"part-{part}.jsonl", lines)
    rows.append({"question": "Who was the first mayor?", "answerable": False})
    return Library(firm, corpus, other, rows)


library = committed_fixture(make_library)


def inside(library: Library) -> Any:
    return organization_scope(library.firm.organization, user=library.firm.manager)


def bring(library: Library, name: str = "rents") -> GoldSet:
    with inside(library):
        return gold_set_import(
            **library.acting, corpus_id=library.corpus.pk, name=name, rows=gold_rows_read(library.text)
        )


def manager(library: Library) -> Client:
    return signed_in(library.firm.manager)


def test_what_is_exported_is_what_was_imported(library: Library) -> None:
    gold_set = bring(library)

    with inside(library):
        lines = "".join(gold_lines(gold_set_rows(gold_set=gold_set)))
    assert [json.loads(line) for line in lines.splitlines()] == [
        {**row, "answerable": row.get("answerable", True)} for row in library.rows
    ]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"reference_paragraph_ids": ["nobody::1::1::x"]}, "Line 1: the corpus has no paragraph"),
        (
            {"reference_paragraph_ids": [], "reference_answer": " "},
            "Line 1: an answerable question needs a reference or a reference answer",
        ),
        ({"answerable": False}, "Line 1: a question that is not answerable cannot have references"),
        ({"referense": []}, "Line 1: there is no key 'referense'"),
        ({"spans": [{"paragraph_id": "x", "start": 4, "end": 4}]}, "Line 1: a span needs paragraph_id, start and end"),
        ({"question": " "}, "Line 1: the question is empty"),
    ],
)
def test_a_line_that_does_not_fit_is_named_and_nothing_is_stored(
    library: Library, change: dict[str, Any], sentence: str
) -> None:
    first = {"answerable": True, **library.rows[0], **change}
    with inside(library), pytest.raises(GoldFileError) as refused:
        rows = gold_rows_read(json.dumps(first))
        gold_set_import(**library.acting, corpus_id=library.corpus.pk, name="bad", rows=rows)

    assert refused.value.message.startswith(sentence)
    with inside(library):
        assert not GoldSet.objects.exists()


def test_a_span_must_be_in_its_paragraph_and_a_name_is_taken_once(library: Library) -> None:
    paragraph = library.rows[0]["reference_paragraph_ids"][0]
    row = {"question": "Which?", "spans": [{"paragraph_id": paragraph, "start": 0, "end": 9999}]}
    with inside(library), pytest.raises(GoldFileError):
        rows = gold_rows_read(json.dumps(row))
        gold_set_import(**library.acting, corpus_id=library.corpus.pk, name="far", rows=rows)

    bring(library)
    with pytest.raises(Conflict):
        bring(library)


def test_gold_outlives_chunking_the_documents_again(library: Library) -> None:
    bring(library)
    with inside(library):
        before = set(GoldReference.objects.values_list("paragraph_id", flat=True))
        chunker = {"kind": "sentence.v1"}
        job = corpus_reindex(**library.acting, corpus_id=library.corpus.pk, chunker=chunker)
    for _ in range(30):
        reindex_work(job_id=job.pk)

    with inside(library):
        assert set(GoldReference.objects.values_list("paragraph_id", flat=True)) == before


def test_marks_of_the_search_lab_become_a_gold_set(library: Library) -> None:
    with inside(library):
        with pytest.raises(ApplicationError):
            gold_set_of_marks(**library.acting, corpus_id=library.corpus.pk, name="marks")
        bring(library)
        paragraphs = list(GoldReference.objects.values_list("paragraph_id", flat=True)[:2])
        for paragraph in paragraphs:
            relevance_set(
                **library.acting,
                corpus_id=library.corpus.pk,
                text="What is paid?",
                paragraph_id=paragraph,
                is_relevant=True,
            )
        gold_set = gold_set_of_marks(**library.acting, corpus_id=library.corpus.pk, name="marks")
        (question,) = gold_questions(gold_set=gold_set)
        held = gold_references(questions=[question])[question.pk]

    assert question.text == "What is paid?"
    assert sorted(r.paragraph_id for r in held) == sorted(paragraphs)


def test_pages_take_a_file_show_it_and_remove_it(library: Library) -> None:
    client, slug = manager(library), library.firm.organization.slug
    page = reverse("gold_set_list", args=[slug, library.corpus.pk])

    assert "No gold set yet" in client.get(page).content.decode()
    assert "No gold set yet" in client.get(reverse("tuning_start", args=[slug, library.corpus.pk])).content.decode()
    bad = client.post(page, {"name": "x", "file": SimpleUploadedFile("x.jsonl", b"{]")})
    assert (bad.status_code, "Line 1: this is not valid JSON" in bad.content.decode()) == (422, True)
    taken = client.post(page, {"name": "rents", "file": SimpleUploadedFile("x.jsonl", library.text.encode())})
    shown = client.get(taken["Location"]).content.decode()
    assert "What does the tenant of the apple garden pay?" in shown
    assert "?at=0:0-" in shown
    with inside(library):
        (row,) = gold_set_list(organization=library.firm.organization, corpus_id=library.corpus.pk)
        assert (row.n_questions, row.n_answerable) == (21, 20)
    got = client.get(reverse("gold_set_file", args=[slug, row.gold_set.pk]))
    assert len(got.content.splitlines()) == 21
    client.post(reverse("gold_set_remove", args=[slug, row.gold_set.pk]))
    assert "No gold set yet" in client.get(page).content.decode()
    with inside(library):
        actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {"gold_set.imported", "gold_set.exported", "gold_set.removed"} <= actions


def test_a_refused_review_comes_back_with_what_was_typed(library: Library) -> None:
    with inside(library):
        question = gold_questions(gold_set=bring(library))[0]
        gold_question_edit(**library.acting, question_id=question.pk, changes={"reference_answer": "Ten."})
    address = reverse("gold_question_review", args=[library.firm.organization.slug, question.pk])
    typed = {"version": 1, "state": "approved", "note": "The rent is wrong.", "clarity": "4"}

    refused = manager(library).post(address, typed)

    page = one_line(refused.content.decode())
    assert refused.status_code == 422
    assert "Somebody has edited this question since" in page
    assert "The rent is wrong.</textarea>" in page
    assert 'name="clarity" value="4" checked' in page


def test_a_tuning_names_what_it_needs_before_its_button(library: Library) -> None:
    address = reverse("tuning_start", args=[library.firm.organization.slug, library.corpus.pk])
    few = "".join(line for line in library.text.splitlines(keepends=True)[:18])
    with inside(library):
        gold_set_import(**library.acting, corpus_id=library.corpus.pk, name="few", rows=gold_rows_read(few))
    lacking = manager(library).get(address).content.decode()
    with inside(library):
        gold_set_import(**library.acting, corpus_id=library.corpus.pk, name="rents", rows=gold_rows_read(library.text))
    enough = manager(library).get(address).content.decode()

    assert "18 of 20 questions" in lacking
    assert "The largest gold set of this corpus, few, has 18 answerable questions." in lacking
    assert 'id="tuning-form"' not in lacking
    assert 'id="tuning-form"' in enough
    assert "18 of 20 questions" not in enough


def test_the_command_imports_lists_and_exports(library: Library, tmp_path: Any) -> None:
    file, out = tmp_path / "rents.jsonl", tmp_path / "out.jsonl"
    file.write_text(library.text)

    assert told("goldset", "import", "gardens", "--file", file)["answerable"] == 20
    assert told("goldset", "list", "gardens")["goldsets"][0]["questions"] == 21
    call_command("goldset", "export", "gardens", "rents", "--file", str(out), "--json")
    assert len(out.read_text().splitlines()) == 21


def test_a_tuning_survives_cancelling_reports_and_its_mapping_answers_questions(library: Library) -> None:
    gold_set = bring(library)
    options = tuning_options(n_classes=3, is_reranked=False, rewrites=[], price=0.05)
    acting = library.acting
    with inside(library):
        run = tuning_start(**acting, gold_set_id=gold_set.pk, options=options)
        with pytest.raises(Conflict):
            tuning_start(**acting, gold_set_id=gold_set.pk, options=options)
        with pytest.raises(Conflict):
            tuning_use(**acting, tuning_id=run.pk)
        TUNINGS.cancel(run)
        TUNINGS.resume(run)
        _, job = TUNINGS.get(organization=library.firm.organization, run_id=run.pk)
    tunings = reverse("tuning_start", args=[library.firm.organization.slug, library.corpus.pk])
    again = {"gold_set": gold_set.pk, "n_classes": 3, "is_reranked": "no", "rewrites": 0, "price": 0.05}
    refused = manager(library).post(tunings, again)
    assert (refused.status_code, "is being tuned already" in refused.content.decode()) == (422, True)
    address = reverse("tuning_detail", args=[library.firm.organization.slug, run.pk])
    assert address in manager(library).get(tunings).content.decode()
    assert job is not None
    for _ in range(9):  # slices, as many as this machine needs
        job_run(job_id=job.pk, work=tuning_slice)
    page = manager(library).get(address)

    with inside(library):
        done, job = TUNINGS.get(organization=library.firm.organization, run_id=run.pk)
        assert job is not None
        assert job.state == JobState.DONE
        assert TunedSearch.objects.filter(run=run).count() == 20
        lines = {line["name"]: line for line in done.report["lines"]}
        version = tuning_use(**acting, tuning_id=run.pk)
        active = mapping_active(corpus=library.corpus, n_classes=3)
    assert "On held-out questions" in page.content.decode()
    # One paragraph answers each question and is first: one passage is all that is worth reading.
    assert (done.report["fixed_k"], lines["tuned"]["recall"]) == (1, 1.0)
    assert (active.number, version.tuning_id) == (1, run.pk)
    assert active.mapping.model_dump(mode="json") == done.report["mapping"]

    answer = question_ask(
        question=Question(
            **acting,
            corpus_id=library.corpus.pk,
            text=library.rows[0]["question"],
            preset=preset_get("pa-3"),
            complexity=2,
        )
    )
    step = answer.trace[0]
    assert (step["step"], step["class"], step["chosen_by"], step["mapping"]) == ("complexity", 2, "person", 1)
    assert answer.pipeline["answer"]["evidence_k"] == 1


def test_a_cancelled_tuning_is_not_resumed_beside_another_one_nor_from_the_list_of_work(library: Library) -> None:
    gold_set = bring(library)
    options = tuning_options(n_classes=3, is_reranked=False, rewrites=[], price=0.05)
    organization = library.firm.organization
    with inside(library):
        first = tuning_start(**library.acting, gold_set_id=gold_set.pk, options=options)
        TUNINGS.cancel(first)
        tuning_start(**library.acting, gold_set_id=gold_set.pk, options=options)
        with pytest.raises(Conflict, match="being tuned already"):
            TUNINGS.resume(first)
    job = Job.objects.get(subject_id=first.pk)
    refused = manager(library).post(reverse("job_retry", args=[organization.slug, job.pk]))
    job.refresh_from_db()
    assert (refused.status_code, job.state) == (409, JobState.CANCELLED)
    assert "being tuned already" in refused.content.decode()


def test_a_tuning_needs_enough_questions_and_goes_with_its_gold_set(library: Library) -> None:
    options = tuning_options(n_classes=3, is_reranked=True, rewrites=[], price=0.05)
    with inside(library):
        few = gold_set_import(
            **library.acting, corpus_id=library.corpus.pk, name="few", rows=gold_rows_read(library.text.split("\n")[0])
        )
        with pytest.raises(ApplicationError) as refused:
            tuning_start(**library.acting, gold_set_id=few.pk, options=options)
        assert refused.value.code == "too_few_questions"
        gold_set = bring(library)
        with pytest.raises(NotFound):
            tuning_start(**library.acting, gold_set_id=gold_set.pk, options=options, corpus_id=library.other.pk)
        tuning_start(**library.acting, gold_set_id=gold_set.pk, options=options)
        gold_set_remove(**library.acting, gold_set_id=gold_set.pk)
        assert not TuningRun.objects.exists()


def test_an_answer_without_a_passage_is_a_question_of_unknown_evidence_and_never_an_unanswerable_one(
    library: Library, tmp_path: Any
) -> None:
    unknown = {"id": "mayor", "question": "When was the garden of the mayor laid out?", "reference_answer": "In 1911."}
    file = tmp_path / "rents.jsonl"
    file.write_text("\n".join([library.text, json.dumps(unknown)]))

    counts = told("goldset", "import", "gardens", "--file", file)
    assert (counts["questions"], counts["answerable"], counts["evidence_unknown"]) == (22, 20, 1)
    with inside(library):
        gold_set = GoldSet.objects.get(name="rents")
        rows = {row.id: row for row in gold_set_rows(gold_set=gold_set)}
        asked = gold_asked(gold_sets=[gold_set], with_unanswerable=True)
        options = tuning_options(n_classes=3, is_reranked=False, rewrites=[], price=0.05)
        run = tuning_start(**library.acting, gold_set_id=gold_set.pk, options=options)
        _, job = TUNINGS.get(organization=library.firm.organization, run_id=run.pk)
    assert rows["mayor"].is_answerable
    assert unknown["question"] not in [question.text for question in asked]
    assert [question.text for question in asked if not question.references] == ["Who was the first mayor?"]
    assert job is not None
    for _ in range(9):  # slices, as many as this machine needs
        job_run(job_id=job.pk, work=tuning_slice)
    client, slug = manager(library), library.firm.organization.slug
    shown = client.get(reverse("gold_set_detail", args=[slug, gold_set.pk])).content.decode()
    report = client.get(reverse("tuning_detail", args=[slug, run.pk])).content.decode()
    assert (shown.count("evidence unknown"), shown.count("not answerable")) == (1, 1)
    assert "1 question of the gold set is left out" in " ".join(report.split())


def test_questions_that_ask_for_the_same_in_other_words_are_counted_once(library: Library) -> None:
    again = [
        row | {"id": f"{row['id']}-2", "question": f"How much is the rent of the {row['id']} garden?"}
        for row in library.rows[:18]
    ]
    text = "\n".join(json.dumps(row) for row in [*library.rows[:18], *again])
    options = tuning_options(n_classes=3, is_reranked=False, rewrites=[], price=0.05)
    with inside(library):
        gold_set = gold_set_import(
            **library.acting, corpus_id=library.corpus.pk, name="doubled", rows=gold_rows_read(text)
        )
        with pytest.raises(ApplicationError) as refused:
            tuning_start(**library.acting, gold_set_id=gold_set.pk, options=options)

    assert refused.value.code == "too_few_questions"
    assert "36 questions with known passages, of which 18 ask for the same as another" in refused.value.message
