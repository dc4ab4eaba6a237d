"""Gold sets in the shapes of other tools: what is written is read again, and what is brought finds its passages."""

import io
import json
import zipfile
from dataclasses import replace
from typing import Any

import pytest

from corpora.models import Corpus
from judging.gold.files import GoldRow, GoldSpan, gold_documents, gold_rows_of
from judging.gold.formats import gold_brought, gold_written, zipped
from judging.gold.passages import Passages
from legalqa.common.errors import ApplicationError
from legalqa.common.work import Work

RENT = "The tenant pays 900 euros\na month, on the first working day."
NOTICE = "Either party may end the lease with three months' notice."


class Held(Passages):
    """A corpus of one lease; `characters` may be looked through."""

    def __init__(self, characters: int = 10_000) -> None:
        self.work = Work(characters)
        super().__init__(Corpus(), user=None, work=self.work)
        self.__dict__["_by_name"] = {"lease": [("p1", "", RENT), ("p2", "n-2", NOTICE)]}


@pytest.fixture
def passages() -> Passages:
    return Held()


ROWS = [
    GoldRow(1, "a", "What rent is due?", "900 euros", (GoldSpan("p1", 16, 25),), "simple", True, ("Hello.",), "test"),
    GoldRow(2, "b", "=How long is the notice?", "", (GoldSpan("n-2"),), "", is_answerable=True, history=()),
    GoldRow(3, "c", "Who was mayor?", "", (), "out of scope", is_answerable=False, history=(), review="draft"),
]


def brought(content: Any, shape: str, passages: Passages) -> Any:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return gold_brought(data, shape=shape, passages=passages)


@pytest.mark.parametrize("shape", ["jsonl", "csv"])
def test_what_is_written_in_our_own_formats_is_read_again(shape: str, passages: Passages) -> None:
    body, _, _ = gold_written(ROWS, shape=shape, passages=passages)
    rows = gold_rows_of(gold_brought(body, shape=shape, passages=passages).documents)

    assert list(gold_documents(rows)) == list(gold_documents(ROWS))


@pytest.mark.parametrize("shape", ["beir", "trec"])
def test_questions_and_passages_survive_beir_and_trec(shape: str, passages: Passages) -> None:
    body, ending, _ = gold_written(ROWS, shape=shape, passages=passages)
    documents = gold_brought(body, shape=shape, passages=passages).documents

    assert ending == "zip"
    assert [(d["id"], d["question"], d["reference_paragraph_ids"]) for d in documents] == [
        ("a", "What rent is due?", ["p1"]),
        ("b", "=How long is the notice?", ["n-2"]),
    ]


@pytest.mark.parametrize("shape", ["beir", "trec", "ragas", "datasets"])
def test_formats_without_a_review_have_no_drafts_and_nothing_rejected(shape: str, passages: Passages) -> None:
    rows = [*ROWS, replace(ROWS[2], line=4, id="d", question="Who was judge?", review="rejected")]

    body, _, _ = gold_written(rows, shape=shape, passages=passages)

    questions = [document["question"] for document in brought(body, shape, passages).documents]
    assert questions == ["What rent is due?", "=How long is the notice?"]


def test_ragas_has_the_words_of_the_passages_and_finds_them_again(passages: Passages) -> None:
    body, _, _ = gold_written(ROWS, shape="ragas", passages=passages)
    first = json.loads(body.splitlines()[0])

    assert first == {"user_input": "What rent is due?", "reference": "900 euros", "reference_contexts": ["900 euros"]}
    assert gold_brought(body, shape="ragas", passages=passages).documents[0]["spans"] == [
        {"paragraph_id": "p1", "start": 16, "end": 25}
    ]


def test_datasets_give_each_passage_its_place_in_the_context(passages: Passages) -> None:
    body, _, _ = gold_written(ROWS, shape="datasets", passages=passages)
    row = json.loads(body.splitlines()[1])

    assert row["answers"] == {"text": [NOTICE], "answer_start": [0]}
    assert row["context"][: len(NOTICE)] == NOTICE


def test_cuad_gives_spans_where_the_contract_is_in_the_corpus_and_says_where_not(passages: Passages) -> None:
    asked = {"id": "x__Rent", "question": "Highlight the rent.", "answers": [{"text": "900 euros a month"}]}
    other = {"id": "x__Law", "question": "Highlight the law.", "answers": [{"text": "the law of Utah"}]}
    none = {"id": "x__Cap", "question": "Highlight the cap.", "answers": [], "is_impossible": True}
    held = brought(
        {"data": [{"title": "Lease", "paragraphs": [{"context": "", "qas": [asked, other, none]}]}]}, "cuad", passages
    )

    assert held.documents[0]["spans"] == [{"paragraph_id": "p1", "start": 16, "end": 33}]
    assert held.documents[1]["spans"] == []
    assert held.documents[2]["answerable"] is False
    assert held.notes == ["Question x__Law: 1 of 1 passages are not in the corpus."]


def test_passages_beyond_what_may_be_looked_through_are_counted(passages: Passages) -> None:
    few = Held(len(RENT) + len(NOTICE) + 2)
    quotes = ["900\neuros a month", "the law of Utah", "three months' notice", "the first working"]
    line = json.dumps({"user_input": "What is due?", "reference": "900 euros", "reference_contexts": quotes}).encode()

    assert brought(line, "ragas", passages).notes == ["Question 1: 1 of 4 passages are not in the corpus."]
    held = brought(line, "ragas", few)
    assert few.n_unsearched == 3
    assert held.documents[0]["spans"] == [{"paragraph_id": "p1", "start": 16, "end": 33}]


def test_the_text_of_each_document_is_put_together_once_and_that_is_work() -> None:
    held, left = Held(), []
    held.__dict__["_by_name"]["notice"] = [("p9", "", NOTICE)]
    for document, quote in 2 * [("Lease", "The tenant"), ("Notice", "Either party")]:
        assert held.find(quote, document=document)  # at the start of the text: looked through nothing
        left.append(10_000 - held.work.left)

    lease, notice = len(f"{RENT} {NOTICE}"), len(NOTICE)
    assert left == [lease, lease + notice, lease + notice, lease + notice]


def test_a_quote_is_in_one_paragraph(passages: Passages) -> None:
    assert passages.find("first working day. Either party", document="Lease") is None
    assert passages.find("working\u00a0day.") == {"paragraph_id": "p1", "start": 48, "end": 60}


def test_a_document_of_irled_counts_as_its_paragraphs_and_a_missing_one_is_said(passages: Passages) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("queries.jsonl", '{"query_id": "q1", "text": "Rent?"}\n{"query_id": "q2", "text": "Law?"}\n')
        archive.writestr("qrels.txt", "q1 0 Lease 1\nq1 0 nowhere 1\nq2 0 nowhere 1\nq2 0 Lease 0\n")
    held = brought(out.getvalue(), "irled", passages)

    assert [(d["id"], d["reference_paragraph_ids"]) for d in held.documents] == [("q1", ["p1", "p2"])]
    assert held.notes == [
        "Question q1: 'nowhere' is not in the corpus (1 missing).",
        "Question q2: 'nowhere' is not in the corpus (1 missing).",
        "Question q2: left out, because nothing that answers it is in the corpus.",
    ]


def test_queries_without_a_relevant_document_are_left_out_and_counted(passages: Passages) -> None:
    queries = "1\tWhat rent is due?\n2\tWho was mayor?\n3\tWho was judge?\n"
    archive = zipped({"topics.tsv": queries, "qrels.txt": "1 0 p1 1\n2 0 p1 0\n"})
    held = brought(archive, "trec", passages)

    assert [document["id"] for document in held.documents] == ["1"]
    assert held.notes == ["Left out: 2 questions for which the qrels name nothing relevant."]


def test_judged_queries_without_a_text_are_counted(passages: Passages) -> None:
    held = brought(zipped({"topics.tsv": "1\tRent?\n", "qrels.txt": "1 0 p1 1\n7 0 p1 1\n"}), "trec", passages)

    assert [document["id"] for document in held.documents] == ["1"]
    assert held.notes == ["Left out: 1 judged questions that no file of queries has."]


def test_queries_of_two_files_of_one_name_are_read(passages: Passages) -> None:
    files = {"a/topics.tsv": "1\tRent?\n", "b/topics.tsv": "2\tNotice?\n", "qrels.txt": "1 0 p1 1\n2 0 p1 1\n"}
    held = brought(zipped(files), "trec", passages)

    assert [document["question"] for document in held.documents] == ["Rent?", "Notice?"]


@pytest.mark.parametrize("files", [{"topics.tsv": "1\tRent?\n1\tNotice?\n"}, {"a-topics.tsv": "1\tRent?\n"}])
def test_of_two_queries_with_one_id_none_is_lost(files: dict[str, str], passages: Passages) -> None:
    both = {"qrels.txt": "1 0 p1 1\n", "queries.tsv": "1\tNotice?\n"} | files
    with pytest.raises(ApplicationError, match="Two queries have the id '1'"):
        brought(zipped(both), "trec", passages)


def test_judgments_of_zero_and_below_are_no_references(passages: Passages) -> None:
    held = brought(qrels("1 0 Lease -1\n1 0 p1 0\n1 0 n-2 1"), "trec", passages)

    assert held.documents[0]["reference_paragraph_ids"] == ["n-2"]


@pytest.mark.parametrize("row", ['"reference_contexts": null', '"answers": null', '"answers": {"text": null}'])
def test_what_is_null_is_not_there(row: str, passages: Passages) -> None:
    shape = "ragas" if "contexts" in row else "datasets"

    assert brought(f'{{"question": "Who?", {row}}}'.encode(), shape, passages).documents[0]["spans"] == []


def test_plain_pairs_have_unknown_evidence(passages: Passages) -> None:
    held = brought(b"question,answer\nWhat rent?,900 euros\nWho was mayor?,\n", "pairs", passages)

    assert [(d["reference_answer"], d["answerable"]) for d in held.documents] == [("900 euros", True), ("", False)]


def test_empty_cells_after_the_last_heading_are_no_cells(passages: Passages) -> None:
    assert (
        brought(b"question,answer\nWhat rent?,900 euros,,\n", "pairs", passages).documents[0]["reference_answer"]
        == "900 euros"
    )


def qrels(line: str) -> bytes:
    return zipped({"queries.jsonl": '{"_id": "1", "text": "Who?"}', "qrels.txt": line})


def damaged(archive: bytes) -> bytes:
    """An archive whose first file cannot be unpacked."""
    return archive[:43] + bytes(255 - byte for byte in archive[43:50]) + archive[50:]


@pytest.mark.parametrize(
    ("content", "shape", "sentence"),
    [
        (b"no zip", "beir", "This is not a zip archive, or it is damaged."),
        (b"[]", "cuad", "This is not JSON in the shape of SQuAD"),
        (b'{"data": [{"paragraphs": [{"qas": [{}]}]}]}', "cuad", "The file is not in the shape of SQuAD"),
        (b"question,answerable\nWho?,perhaps\n", "csv", "Line 2: answerable must be true or false."),
        (b'question,answerable\n\n"Who,\nif any?",perhaps\n', "csv", "Line 4: answerable must be true or false."),
        (
            b"question,answer\nIs it due?,Yes\nWhat is due, and when?,Rent, on Monday\n",
            "pairs",
            "Line 3: has more cells",
        ),
        (
            b"question,reference_answer\nWhat is due?,Rent, on Monday\n",
            "csv",
            "Line 2: has more cells than the heading",
        ),
        (b"question;reference_answer\nWhat is due?;Rent\n", "csv", "Line 1: the columns are divided by semicolons"),
        ("question\nWhat does § 5 say?\n".encode("cp1252"), "csv", "of the file is not UTF-8 text. Save it as UTF-8."),
        ('{"question": "What does § 5 say?"}'.encode("cp1252"), "jsonl", "of the file is not UTF-8 text."),
        (b'{"question": "Who?", "question": "What?"}', "jsonl", "Line 1: this is not valid JSON: the key 'question'"),
        (b"question,spans\nWho?," + b"9" * 5000, "csv", "Line 2: spans must be JSON.*a number has too many digits"),
        (b'{"user_input": "Who?", "reference_contexts": 5}', "ragas", "Line 1: reference_contexts must be a list"),
        (b'{"user_input": "Who?", "reference_contexts": [5]}', "ragas", "Line 1: reference_contexts must be a list"),
        (b'{"user_input": "Who?", "reference_contexts": "The tenant"}', "ragas", "reference_contexts must be a list"),
        (b'{"question": "Who?", "answers": ["a"]}', "datasets", "Line 1: answers must be an object with text"),
        (b'{"question": "Who?", "answers": {"text": [5]}}', "datasets", "Line 1: text must be a list of strings"),
        (qrels("1 0 x \u00b2"), "trec", "Line 1 of the qrels ends with '\u00b2', which is not a whole number"),
        (qrels("1 0 x --1"), "trec", "Line 1 of the qrels ends with '--1'"),
        (qrels("1 0 x " + "9" * 5000), "trec", "Line 1 of the qrels ends with '999"),
        (damaged(qrels("1 0 x 1")), "trec", "This is not a zip archive, or it is damaged."),
        (b"{}", "excel", "Cannot import 'excel'; choose one of: jsonl"),
    ],
)
def test_a_file_of_another_shape_is_refused_in_a_sentence(
    content: bytes, shape: str, sentence: str, passages: Passages
) -> None:
    with pytest.raises(ApplicationError, match=sentence):
        gold_brought(content, shape=shape, passages=passages)


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"queries.tsv": "a What rent?", "qrels.tsv": "a\tp1\t1"}, "Line 1: a query is an id, a tab and its text"),
        ({"queries.tsv": "a\tWhat rent is due?", "qrels.tsv": "a\tp1"}, "Line 1: qrels have three or four columns"),
    ],
    ids=["a query without a tab", "a judgment without a score"],
)
def test_a_line_of_an_archive_that_does_not_fit_is_not_passed_over(
    files: dict[str, str], why: str, passages: Passages
) -> None:
    with pytest.raises(ApplicationError, match=why):
        gold_brought(zipped(files), shape="beir", passages=passages)


def test_files_of_an_archive_that_are_neither_queries_nor_qrels_need_not_be_text(passages: Passages) -> None:
    out = io.BytesIO(zipped({"queries.tsv": "a\tWhat rent is due?", "qrels.tsv": "a\tp1\t1"}))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("__MACOSX/._queries.tsv", b"\x00\x05\x16\x07\xff")
        archive.writestr("logo.png", b"\x89PNG\xff")

    documents = gold_brought(out.getvalue(), shape="beir", passages=passages).documents

    assert [document["question"] for document in documents] == ["What rent is due?"]
