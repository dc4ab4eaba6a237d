"""What the page says of where the likelihood of an answer is from."""

import pytest

from legalqa.answering.pages.promises import promises
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from tests.ingestion import make_corpus
from tests.legalqa.answering.composing.test_amounts import NOTICE, PENALTY, TRIBUNAL
from tests.people import Firm

LAW = (
    f"# Tools\n\n## § 20-871 Requirements for automated employment decision tools\n\n{NOTICE}\n\n"
    f"## § 20-872 Penalties\n\n{PENALTY}\n\n{TRIBUNAL}\n"
)


@pytest.mark.parametrize(
    ("text", "is_from"),
    [
        ("How high is the penalty?", "recognised by its heading"),
        ("What is the penalty for not notifying a candidate?", "a penalty for any breach of rules"),
        ("Who shall notify each candidate who resides in the city?", "The reading model's estimate"),
    ],
)
def test_the_page_says_whether_the_reading_model_or_its_heading_or_a_breach_makes_an_answer_likely(
    firm: Firm, text: str, is_from: str
) -> None:
    corpus = make_corpus(firm, files={"tools.md": LAW})
    preset = preset_get("cited-or-silent", {"answer.mode": "quoted"})
    answer = question_ask(question=Question(**firm.by_lawyer, corpus_id=corpus.pk, text=text, preset=preset))

    assert answer.state == "answered"
    assert is_from in promises(answer, is_outdated=False)["help"]
