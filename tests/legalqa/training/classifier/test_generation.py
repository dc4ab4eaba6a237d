"""Training questions by a language model: the prompts of HyPA-RAG A.9, and what becomes of replies that are no use."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from pytest_django import Settings

from legalqa.llm.types import Role
from legalqa.training.classifier.augmentation import Shares, augment
from legalqa.training.classifier.data import csv_rows, csv_text_of
from retrieval.complexity.types import LabelledText
from tests.commands import told
from tests.ingestion import ingest, make_corpus
from tests.legalqa.llm.setting_up import calls, set_up
from tests.people import Firm
from tests.provider import Reply, ScriptedProvider, Wire, fails, html, refuses_key, says, says_json

ROWS = [
    *(LabelledText(f"When exactly is the rent of flat {n} due under Section {n}?", 0) for n in range(20)),
    *(LabelledText(f"How do all obligations about flat {n} fit together, please?", 2) for n in range(20)),
]
SHARES = {"vague": 0.2, "verbose": 0.3, "concise": 0.3, "misspell": 0.1}
LEASE = "The tenant pays a rent of 900 euros.\n\nLate rent bears interest.\n\nThe landlord repairs the roof.\n"
ASKED = re.compile(r"to be more (\w+), .*absolutely nothing else: (.+)$", re.DOTALL)


@pytest.fixture(autouse=True)
def model(firm: Firm, settings: Settings, scripted_provider: ScriptedProvider) -> None:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.REWRITE)


def said(firm: Firm, *arguments: str) -> Any:
    return told("complexity", *arguments, "--organization", firm.organization.slug)


def augmented(firm: Firm, folder: Path) -> tuple[Any, list[LabelledText]]:
    """What the command says and what it wrote, beside the questions it was given."""
    file, out = folder / "asked.csv", folder / "more.csv"
    file.write_text(csv_text_of(ROWS))
    shares = [f"{name}={value}" for name, value in (dict.fromkeys(Shares.model_fields, 0.0) | SHARES).items()]
    document = said(firm, "augment", "--data", str(file), "--out", str(out), "--shares", *shares)
    return document, [row for row in csv_rows(out.read_text()) if row.change]


def by_rules() -> list[LabelledText]:
    shares = Shares.model_validate(dict.fromkeys(Shares.model_fields, 0.0) | SHARES)
    return list(augment(ROWS, shares=shares, seed=5).rows)


def rewrites(wire: Wire) -> None:
    """Do what the prompt asks for, in quotation marks, as models like to."""
    found = ASKED.search(wire.asked.text)
    assert found is not None
    says(f'"{found[1]}: {found[2]}"')(wire)


def _echo(wire: Wire) -> None:
    found = ASKED.search(wire.asked.text)
    assert found is not None
    says(found[2])(wire)


def test_the_prompts_of_the_paper_make_the_vague_verbose_and_concise_forms(
    firm: Firm, scripted_provider: ScriptedProvider, tmp_path: Path
) -> None:
    scripted_provider.always = rewrites
    document, changed = augmented(firm, tmp_path)

    assert document["by_model"] is True
    written = [row for row in changed if row.change != "misspell"]
    assert len(written) == len(scripted_provider.asked) == len(calls(firm))
    assert {row.change for row in written} == {"vague", "verbose", "concise"}
    assert all(row.text == f"{row.change}: {row.original}" for row in written)
    forms = ("vague", "verbose", "concise")
    assert {call.prompt for call in calls(firm)} == {f"complexity_{form}@1" for form in forms}
    assert "must still require the same number of pieces of information" in scripted_provider.asked[0].text


@pytest.mark.parametrize(
    "reply",
    [refuses_key, html, says(""), says("When exactly", finish="length"), _echo],
    ids=["a wrong key", "a page of a proxy", "nothing", "half a question", "the same question"],
)
def test_where_the_model_is_no_use_the_rules_are_used(
    firm: Firm, scripted_provider: ScriptedProvider, tmp_path: Path, reply: Reply
) -> None:
    scripted_provider.always = reply
    _, changed = augmented(firm, tmp_path)

    assert changed == by_rules()


# -- Questions of documents -------------------------------------------------------------------------------------------


@pytest.fixture
def leases(firm: Firm) -> str:
    """A corpus of two documents; its name."""
    corpus = make_corpus(firm, "Leases")
    for name in ("first", "second"):
        ingest(firm, corpus, f"{name}.md", f"# The {name} lease\n\n{LEASE}")
    return "Leases"


def questions(*found: tuple[str, list[int]]) -> Reply:
    return says_json({"questions": [{"question": text, "passages": passages} for text, passages in found]})


def test_questions_that_the_model_writes_have_the_class_of_the_passages_they_need(
    firm: Firm, leases: str, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.always = questions(
        ("How much is the rent?", [1]),
        ("What are rent and interest?", [2, 1]),
        ("What stands in a passage that nobody showed?", [99]),
        ("What stands in two of them that nobody showed?", [1, 99]),
    )
    rows = said(firm, "generate", "--corpus", leases, "--llm", "12")["rows"]

    assert {row["question"]: row["label"] for row in rows} == {
        "How much is the rent?": 0,
        "What are rent and interest?": 1,
    }
    assert len({row["group"] for row in rows}) == 2, "questions of each document"
    assert [call.prompt for call in calls(firm)] == ["complexity_questions@1"] * 4
    assert "[1] The tenant pays a rent of 900 euros." in scripted_provider.asked[0].text


def test_a_document_on_which_the_model_fails_costs_no_question_of_the_others(
    firm: Firm, leases: str, scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(questions(("How much is the rent of it?", [1]), ("How much is the rent of it?", [1])))
    scripted_provider.always = fails(404)

    assert said(firm, "generate", "--corpus", leases, "--llm", "2")["questions"] == 1


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (refuses_key, "no question that fits"),
        (says("I would rather not."), "no question that fits"),
        (questions(("Too few passages?", [])), "no question that fits"),
    ],
    ids=["a wrong key", "prose", "questions of nothing"],
)
def test_a_model_that_writes_no_question_ends_with_one_line(
    firm: Firm, leases: str, scripted_provider: ScriptedProvider, reply: Reply, words: str
) -> None:
    scripted_provider.always = reply

    with pytest.raises(CommandError, match=words):
        said(firm, "generate", "--corpus", leases, "--llm", "2")
