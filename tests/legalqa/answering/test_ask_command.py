"""`manage.py ask` for people: what a page says beside an answer, the command says too."""

import pytest
from django.core.management import CommandError, call_command

from corpora.models import Corpus
from legalqa.answering.services import questions
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

pytestmark = pytest.mark.django_db
QUESTION = "How long must records of customers be kept after the contract has ended?"
SEVEN = "Records of customers must be kept for seven years after the contract has ended."
SIX = "Records of customers must be kept for six years after the contract has ended."


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Records")
    ingest(firm, corpus, "rule.md", f"# Retention Rule\n\n{SEVEN}\n\nThe landlord repairs the roof.\n")
    ingest(firm, corpus, "practice.md", f"# Office Practice\n\n{SIX}\n\nThe tenant waters the garden.\n")
    return corpus


@pytest.mark.usefixtures("corpus")
def test_a_contradiction_comes_before_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", "records", QUESTION, "--preset", "fixed-5")
    said = capsys.readouterr().out

    warned, answered = said.index("Your documents contradict each other: different periods"), said.index("Answer\n")
    assert warned < said.index("Not resolved") < answered
    assert f"Retention Rule, version 1\n    “{SEVEN}”" in said
    assert f"Office Practice, version 1\n    “{SIX}”" in said
    assert answered < said.index("Quoted word for word. Answers the question: ") < said.index(f"{SEVEN} [1]")


@pytest.mark.usefixtures("corpus")
def test_each_part_is_above_its_answer_and_every_source_of_it_is_named(
    firm: Firm, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("ask", "records", "Who repairs the roof, and who waters the garden?", "--preset", "fixed-5")
    said = capsys.readouterr().out

    assert "repairs the roof" in said.split("The landlord repairs the roof. [1]")[0].rsplit("\n\n", maxsplit=2)[-2]
    assert "The tenant waters the garden. [2]" in said
    assert said.index("\n[1] ") < said.index("“The landlord repairs the roof.”") < said.index("\n[2] ")


@pytest.mark.usefixtures("corpus")
def test_a_silence_says_what_to_ask_instead(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", "records", "Which penguins of the lanlord are insured?")
    said = capsys.readouterr().out

    assert "No answer was found in these documents. A word of the question is in none of the documents" in said
    assert "\n\nAsk instead: “Which penguins of the landlord are insured?”" in said


@pytest.mark.usefixtures("corpus")
def test_limits_that_leave_nothing_are_not_called_silence_of_the_documents(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", "records", QUESTION, "--filter", "jurisdiction=Mars")
    said = capsys.readouterr().out

    assert "Nothing in the corpus fits what the question was limited to. Change the limits." in said


def test_an_item_of_a_list_is_told_with_its_place(firm: Firm, capsys: pytest.CaptureFixture[str]) -> None:
    kitchen = make_corpus(firm, "Kitchen")
    ingest(
        firm,
        kitchen,
        "code.md",
        "# Kitchen Code\n\n## § 4 Duties of cooks\n\nCooks shall:\n\n- wash their hands;\n- cover their hair;\n",
    )

    call_command("ask", "kitchen", "What are the duties of cooks?", "--preset", "fixed-5")
    said = capsys.readouterr().out

    assert "• cover their hair; [3]" in said
    assert "[3] Kitchen Code, § 4 Duties of cooks, version 1" in said


@pytest.mark.usefixtures("corpus")
def test_a_name_that_no_document_has_is_told_before_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", "records", QUESTION.replace("customers", "customers in Texas"), "--preset", "fixed-5")
    said = capsys.readouterr().out

    assert said.index("The documents do not mention “Texas”.") < said.index(f"{SEVEN} [")


@pytest.mark.usefixtures("corpus")
def test_a_written_answer_that_no_model_can_write_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", "records", QUESTION, "--set", "answer.mode=written")
    said = capsys.readouterr().out

    missing = "No language model is set up for answers; quoted from the documents instead."
    assert said.index(missing) < said.index(f"{SEVEN} [")


@pytest.mark.usefixtures("corpus")
def test_a_fault_is_called_a_fault(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name, is_slow, plan = "quoted", False, ()

        def answer(self, *_: object) -> None:
            raise RuntimeError("broken")

    monkeypatch.setattr(questions, "strategy_for", lambda *_, **__: Broken())  # a fault in our code has to be made
    call_command("ask", "records", QUESTION)

    assert f"System fault. {questions.FAULT}" in capsys.readouterr().out


@pytest.mark.usefixtures("corpus")
def test_a_setting_of_a_model_that_writes_is_refused_beside_quoted_answers() -> None:
    with pytest.raises(CommandError, match="'max_claims' changes nothing where the answer is quoted") as refused:
        call_command("ask", "records", QUESTION, "--set", "answer.mode=quoted", "--set", "max_claims=3")
    assert refused.value.returncode == 2
