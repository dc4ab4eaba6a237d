"""JSON that somebody sends: what cannot be read is told, and never breaks the reader."""

import pytest

from legalqa.common.json_lines import LineError, NotJson, json_lines, json_read, line_text


class BadLine(LineError):
    kind = "bad_line"


def test_objects_come_with_the_numbers_of_their_lines() -> None:
    assert list(json_lines('\ufeff{"a": 1}\n\n{"a": 2}', refused=BadLine)) == [(1, {"a": 1}), (3, {"a": 2})]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nonsense", "Expecting value at character 1"),
        ('{"id": ' + "9" * 5000 + "}", "a number has too many digits"),
        ("[" * 100_000, "it is nested too deeply"),
        ('{"id": 1, "id": 2}', "the key 'id' occurs twice in an object"),
        ('{"seconds": NaN}', "NaN is not a JSON number"),
        (b'"\xff"', "it is not UTF-8 text"),
    ],
    ids=["no JSON", "a long number", "nested", "a key twice", "NaN", "other bytes"],
)
def test_what_is_no_json_is_told_with_its_reason(text: str | bytes, why: str) -> None:
    with pytest.raises(NotJson, match=why):
        json_read(text)


def test_a_line_is_refused_with_its_number_and_the_reason() -> None:
    sentence = "Line 2: this is not valid JSON: a number has too many digits. Use one object per line."
    with pytest.raises(BadLine, match=sentence):
        list(json_lines("{}\n" + "9" * 5000, refused=BadLine))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (7, "Line 3: topic must be text in quotation marks."),
        ("a\x00b", "Line 3: topic contains NUL or half a surrogate pair, which cannot be stored. Remove it."),
        ("rents", "Line 3: topic has 5 characters; at most 4 are kept. Shorten it."),
    ],
    ids=["a number", "NUL", "too long"],
)
def test_a_field_that_is_no_text_says_why(value: object, why: str) -> None:
    with pytest.raises(BadLine, match=why):
        line_text(3, "topic", value, longest=4, refused=BadLine)
