"""A case base measured: questions on pairs of cases, F1 of finding both, and answers beside references."""

import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from corpora.models import Corpus
from judging.experiments.cases.answers import ALONE, AnswersCompared, answers_compared, replies_to_all
from judging.experiments.cases.measure import CaseQuestion, Compared
from judging.experiments.cases.pairs import PairQuestion, pair_lines, pair_questions_read, pairs_by_act
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from retrieval.cases.asking import CaseModel
from retrieval.cases.merging import CaseText
from retrieval.models import CaseEntry
from tests.judging.experiments.cases.conftest import ACT, CASES
from tests.people import Firm
from tests.provider import ScriptedProvider, fails, says_json

pytestmark = pytest.mark.django_db


def test_pairs_share_an_act_and_no_case_is_in_two_of_them(firm: Firm, corpus: Corpus) -> None:
    with organization_scope(firm.organization, user=None):
        cases = list(CaseEntry.objects.filter(corpus=corpus))
    ((one, other, act),) = pairs_by_act(cases, number=35, seed=1)

    assert {one.external_id, other.external_id} == {"berth", "late"}
    assert act == ACT


def test_a_model_writes_questions_on_pairs_into_a_file_that_measures_the_base(
    firm: Firm, corpus: Corpus, models: ScriptedProvider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, chart = tmp_path / "pairs.jsonl", tmp_path / "f1.png"
    models.always = says_json(
        {"question": "What does a late berth cost?", "answer": "Ninety crowns and five per cent."}
    )
    call_command("casebase", "pairs", str(corpus.pk), file=file, organization=firm.organization.slug)
    assert "requires detailed access to both Text 1 and Text 2" in models.asked[0].text
    capsys.readouterr()

    models.always = says_json({"answer": "Ninety crowns and five per cent more."})
    of = {"file": file, "organization": firm.organization.slug, "chart": chart, "answers": True, "json": True}
    call_command("casebase", "measure", str(corpus.pk), **of)
    document = json.loads(capsys.readouterr().out)

    ((_, f1),) = document["f1"].items()
    assert f1["question"]["2"] == 1.0  # both of two
    assert f1["question"]["3"] == pytest.approx(0.8)  # precision 2/3, recall 1
    assert len(document["answers"]["cosine"]) == 5  # none, and 1 and 3 cases by support or whole
    assert all(value > 0.8 for value in document["answers"]["cosine"].values())
    assert chart.read_bytes()[:4] == b"\x89PNG"


def answers(model: CaseModel) -> AnswersCompared | None:
    cases = [CaseText(name, question, support, {}, answer) for name, (question, answer, support) in CASES.items()]
    near = np.array([[0.9, 0.8, 0.1], [0.9, 0.8, 0.1]], np.float32)
    compared = Compared(
        (CaseQuestion("q1", frozenset({0, 1}), "1"), CaseQuestion("q2", frozenset({0, 1}), "2")), (near, near, near)
    )
    questions = ["What does a berth cost?", "What if it is late?"]
    rows = replies_to_all(questions, cases, {"MiniLM": compared}, model=model, note=lambda _: None)
    return answers_compared(["Ninety crowns.", "Five per cent more."], rows)


def test_the_model_is_given_supports_or_whole_cases_and_nothing_for_the_baseline(
    firm: Firm, models: ScriptedProvider
) -> None:
    models.always = says_json({"answer": "Ninety crowns."})
    table = answers(CaseModel(firm.organization))

    asked = [request.text for request in models.asked]
    assert len(asked) == 10
    assert sum("Citation:" in text for text in asked) == 4
    assert sum("by using the following contexts" in text for text in asked) == 4
    assert sum("crowns" not in text and "dues" not in text for text in asked) == 2
    assert table is not None
    assert table.cosines[ALONE][0] == pytest.approx(1.0, abs=0.01)


def test_a_model_that_never_replies_gives_no_table(firm: Firm, models: ScriptedProvider) -> None:
    models.always = fails(400)

    assert answers(CaseModel(firm.organization)) is None


def test_a_question_on_an_unknown_case_or_a_broken_line_is_named(firm: Firm, corpus: Corpus, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(pair_lines([PairQuestion("Who?", "Nobody.", ("berth", "nowhere"), "")]))
    with pytest.raises(CommandError, match="Question 1 names the case 'nowhere'"):
        call_command("casebase", "measure", str(corpus.pk), file=file, organization=firm.organization.slug)
    for text, said in (
        ("", "no questions"),
        ('{"question": "Who?", "cases": ["a"]}', "Line 1: this is not a test question"),
        ("[" * 100_000, "Line 1: this is not valid JSON"),
    ):
        with pytest.raises(ApplicationError, match=said):
            pair_questions_read(text)


def test_a_question_with_a_line_separator_in_it_is_read_as_it_was_written() -> None:
    question = PairQuestion("Who pays\u2028for the berth?", "The owner.", ("berth", "late"), ACT)

    assert pair_questions_read(pair_lines([question])) == [question]


def test_without_a_model_no_questions_are_written(firm: Firm, corpus: Corpus, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    with pytest.raises(CommandError, match="No language model is set up for “Rewrite questions”"):
        call_command("casebase", "pairs", str(corpus.pk), file=file, organization=firm.organization.slug)
    assert not file.exists()
