"""Files of cases: JSONL and CSV, refused by line."""

import pytest

from legalqa.common.errors import ApplicationError
from retrieval.cases.files import CaseFileError, CaseRow, CaseSpan, case_lines, case_rows_read


def test_jsonl_and_csv_give_the_same_case() -> None:
    jsonl = '{"question": "Who?", "answer": "We.", "paragraph_ids": ["a::1", "b::2"]}\n'
    csv = "question,answer,paragraph_ids\nWho?,We.,a::1 b::2\n"
    spans = (CaseSpan("a::1"), CaseSpan("b::2"))

    assert case_rows_read(jsonl) == [CaseRow("Who?", "We.", spans=spans, line=1)]
    assert case_rows_read(csv) == [CaseRow("Who?", "We.", spans=spans, line=2)]
    assert case_rows_read(case_lines([{"question": "Who?", "answer": "We.", "support": "Us."}]))[0].support == "Us."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"question": "Who?", "answer": "We."}', "Line 1: nothing supports the answer"),
        ('{"question": " ", "answer": "We.", "support": "Us."}', "Line 1: the question is empty"),
        ('{"question": "Who?", "support": "Us."}', "Line 1: the answer is empty"),
        ('{"question": "Who?", "reply": "We."}', "Line 1: there is no key 'reply'"),
        ('{"question": "Who?"', "Line 1: this is not valid JSON"),
        ('{"question": "W\\u0000?", "answer": "a", "support": "b"}', "Line 1: question contains NUL"),
        ('{"question": "W", "answer": "a", "support": "b", "entities": {"person": ["x"]}}', "Line 1: entities must"),
        ("question,answer,support\nWho?,We.\n", "Line 2: the row does not have as many cells"),
    ],
)
def test_a_line_that_is_no_case_is_refused_by_its_number(text: str, problem: str) -> None:
    with pytest.raises(CaseFileError, match=problem):
        case_rows_read(text)


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(ApplicationError, match="contains no case"):
        case_rows_read("\n")
