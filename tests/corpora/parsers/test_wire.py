"""The parent believes nothing that the child says before it has checked it."""

import io
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

from corpora.parsers import wire
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import FileRefused
from corpora.parsers.wire import document_dump, document_load, lines_read, refusal_dump
from tests.corpora.parsers.builders import Words, make_pdf, parse

DOCUMENT = parse(make_pdf([[Words(72, 700, "Fees are due.")], [Words(72, 700, "Costs are not.")]]), "fees.pdf")


def lines() -> list[list[Any]]:
    return [json.loads(line) for line in document_dump(DOCUMENT)]


def load(rows: list[list[Any]], limits: Limits | None = None) -> object:
    return document_load((json.dumps(row) + "\n" for row in rows), limits or Limits())


def test_a_document_survives_the_way() -> None:
    assert load(lines()) == DOCUMENT


def test_a_refusal_comes_through_with_its_sentence() -> None:
    with pytest.raises(FileRefused, match="A sentence") as caught:
        document_load([refusal_dump(FileRefused("no_text", "A sentence."))], Limits())
    assert caught.value.code == "no_text"


def test_an_answer_cut_off_is_not_an_answer() -> None:
    whole = list(document_dump(DOCUMENT))
    for kept in range(len(whole)):
        with pytest.raises(FileRefused) as caught:
            document_load([*whole[:kept], whole[kept][:-3]], Limits())
        assert caught.value.code == "bad_output"


def first(rows: list[list[Any]], kind: str) -> list[Any]:
    return next(row for row in rows if row[0] == kind)


def set_field(kind: str, place: int, value: object) -> Callable[[list[list[Any]]], None]:
    def change(rows: list[list[Any]]) -> None:
        first(rows, kind)[1][place] = value

    return change


def replace_row(kind: str, value: object) -> Callable[[list[list[Any]]], None]:
    def change(rows: list[list[Any]]) -> None:
        first(rows, kind)[1] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        set_field("page", 3, 5),
        set_field("page", 2, 1),
        set_field("page", 0, 7),
        set_field("page", 6, "AAAA"),
        set_field("page", 6, "not base64!"),
        set_field("page", 4, -1.0),
        set_field("page", 4, float("nan")),
        set_field("page", 4, 10**400),
        set_field("paragraph", 0, 1),
        set_field("paragraph", 1, 10_000),
        set_field("paragraph", 2, 99),
        set_field("paragraph", 3, "script"),
        set_field("paragraph", 4, True),
        set_field("paragraph", 5, "path"),
        set_field("paragraph", 6, 12),
        replace_row("text", "Fees\x00are due.\n\nCosts are not."),
        replace_row("text", "\ud800" * len(DOCUMENT.text)),
        replace_row("text", ""),
        replace_row("head", {"title": 3, "warnings": []}),
        replace_row("head", []),
        lambda rows: rows.remove(first(rows, "head")),
    ],
)
def test_a_wrong_answer_is_thrown_away(change: Callable[[list[list[Any]]], None]) -> None:
    rows = lines()
    change(rows)
    with pytest.raises(FileRefused) as caught:
        load(rows)
    assert caught.value.code == "bad_output"


def test_an_answer_over_the_limits_is_thrown_away() -> None:
    for limits in (Limits(pages=1), Limits(characters=10)):
        with pytest.raises(FileRefused):
            load(lines(), limits)


@pytest.mark.parametrize("code", ['"<script>"', '["no_text"]', "{}"])
def test_an_unknown_reason_is_not_passed_on(code: str) -> None:
    with pytest.raises(FileRefused) as caught:
        document_load([f'["refused", [{code}, "words"]]\n'], Limits())
    assert caught.value.code == "bad_output"


@pytest.mark.parametrize("row", [first(lines(), kind) for kind in ("page", "text", "paragraph")])
def test_an_endless_answer_is_not_read_to_its_end(row: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "_MAX_PARAGRAPHS", 5)  # a million take a minute
    taken = itertools.count()
    with pytest.raises(FileRefused):
        document_load((json.dumps(row) for _ in zip(range(1_000), taken, strict=False)), Limits(pages=5, characters=99))
    assert next(taken) < 10


def test_a_line_longer_than_any_of_ours_is_not_held_whole() -> None:
    rows = '["text", "' + "x" * 40_000_000 + '"]\n'
    assert max(map(len, lines_read(io.StringIO(rows)))) < len(rows) / 2
