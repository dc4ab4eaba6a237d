"""Filters as requests give them, and rankings."""

import uuid
from collections.abc import Mapping
from datetime import date

import pytest

from legalqa.common.errors import ApplicationError
from retrieval.types import FilterError, Filters, Hit, Queries, Query, Ranking

LAW = "0B6E3A40-5F7C-4A53-9C0E-1D2F3A4B5C6D"


def test_filters_are_read_from_json() -> None:
    filters = Filters.parse(
        {
            "document_ids": [LAW, LAW.lower()],
            "kinds": ["statute", "rule", "statute"],
            "date_from": "2023-01-01",
            "date_to": date(2023, 7, 5),
            "heading": " penalties ",
            "excluded_paragraph_ids": "ll144::1::0::ab12",
        }
    )

    assert filters == Filters(
        document_ids=(LAW.lower(),),
        kinds=("rule", "statute"),
        date_from=date(2023, 1, 1),
        date_to=date(2023, 7, 5),
        heading="penalties",
        excluded_paragraph_ids=("ll144::1::0::ab12",),
    )


@pytest.mark.parametrize("mapping", [{}, {"kinds": [], "date_from": "", "heading": None, "document_ids": ""}])
def test_empty_values_set_no_condition(mapping: Mapping[str, object]) -> None:
    assert Filters.parse(mapping) == Filters()
    assert Query("penalty").filters == Filters()


def test_filters_survive_storage() -> None:
    filters = Filters.parse({"document_ids": uuid.UUID(LAW), "date_to": "2024-02-29", "heading": "§ 20-872"})

    assert Filters.parse(filters.as_mapping()) == filters
    assert filters.as_mapping() == {"document_ids": [LAW.lower()], "date_to": "2024-02-29", "heading": "§ 20-872"}


@pytest.mark.parametrize(
    ("mapping", "key", "sentence"),
    [
        ({"docs": []}, "docs", "there is no such filter; use one of: as_of, authority, date_from, date_to"),
        ({"document_ids": ["12"]}, "document_ids", "'12' is not a document id; give ids as"),
        ({"kinds": 5}, "kinds", "5 is not a list; give a list of strings"),
        ({"kinds": [5]}, "kinds", "5 is not text; give a string"),
        ({"kinds": ["x"] * 1001}, "kinds", "1001 values are more than 1000; give fewer"),
        ({"date_from": "1/1/2023"}, "date_from", "'1/1/2023' is not a date; write it as 2024-01-31"),
        ({"date_to": "2023-02-30"}, "date_to", "2023-02-30 does not exist; choose another day"),
        ({"date_from": 20230101}, "date_from", "20230101 is not text"),
        ({"date_from": "2024-01-01", "date_to": "2023-01-01"}, "date_from", "2024-01-01 is after date_to"),
        ({"heading": ["x"]}, "heading", "is not text"),
        ({"heading": "x\x00"}, "heading", "null character"),
        ({"excluded_paragraph_ids": ["x" * 501]}, "excluded_paragraph_ids", "more than 500 characters"),
    ],
)
def test_malformed_filter_says_which_and_what_to_do(mapping: Mapping[str, object], key: str, sentence: str) -> None:
    with pytest.raises(FilterError) as caught:
        Filters.parse(mapping)

    assert isinstance(caught.value, ApplicationError)
    assert sentence in caught.value.message
    assert (caught.value.code, caught.value.extra["key"]) == ("malformed_filter", key)


@pytest.mark.parametrize(
    ("mapping", "key", "sentence"),
    [
        ({"kinds": ["pdf", "PDF"]}, "kinds", "'PDF' is no format of files; use one of: pdf, docx, html"),
        ({"as_of": "2024-01-31"}, "as_of", "the day is given beside the filters, too; give it once"),
        ({"docs": []}, "docs", "there is no such filter"),
    ],
)
def test_a_request_says_formats_that_there_are_and_one_day(
    mapping: Mapping[str, object], key: str, sentence: str
) -> None:
    with pytest.raises(FilterError, match=sentence) as caught:
        Filters.sent(mapping, as_of="2025-01-31")

    assert caught.value.extra["key"] == key


@pytest.mark.parametrize(
    ("mapping", "as_of", "day"),
    [({}, None, None), ({}, date(2024, 1, 31), date(2024, 1, 31)), ({"as_of": "2024-01-31"}, None, date(2024, 1, 31))],
)
def test_the_day_of_a_request_is_among_its_filters_or_beside_them(
    mapping: Mapping[str, object], as_of: date | None, day: date | None
) -> None:
    assert Filters.sent({"kinds": ["pdf"], **mapping}, as_of=as_of) == Filters(kinds=("pdf",), as_of=day)


def test_ranking_counts_from_one_and_breaks_ties_on_chunk_id() -> None:
    ranking = Ranking.of("penalty", [(9, 1.0), (4, 2.0), (3, 1.0)], stage="bm25")

    assert [(hit.chunk_id, hit.rank) for hit in ranking.hits] == [(4, 1), (3, 2), (9, 3)]
    assert ranking.hits[2].parts == (("bm25.rank", 3.0), ("bm25.score", 1.0))


def test_hit_tells_what_each_stage_made_of_it() -> None:
    hit = Ranking.of("penalty", [(4, 2.5)], stage="dense").hits[0]

    assert (hit.part("dense.score"), hit.part("bm25.score")) == (2.5, None)


def test_cut_keeps_the_best() -> None:
    ranking = Ranking.of("penalty", [(1, 3.0), (2, 2.0), (3, 1.0)], stage="bm25")

    assert [hit.chunk_id for hit in ranking.cut(2).hits] == [1, 2]
    assert ranking.cut(9) == ranking
    with pytest.raises(ValueError, match="cutoff is 0"):
        ranking.cut(0)


@pytest.mark.parametrize(
    ("hits", "sentence"),
    [
        ((Hit(1, 0, 1.0),), "rank 0 in place 1"),
        ((Hit(1, 1, 1.0), Hit(2, 3, 0.5)), "rank 3 in place 2"),
        ((Hit(1, 1, 1.0), Hit(1, 2, 0.5)), "ranked twice"),
    ],
)
def test_hits_that_are_no_ranking_are_refused(hits: tuple[Hit, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Ranking("penalty", hits)


def test_what_is_told_is_read_with_the_question_though_it_is_not_searched() -> None:
    typed = "A buyer in Lyon wrote to us. Can we sell to him?"

    assert Queries(typed, "Can we sell to him?").to_answer == typed


def test_a_follow_up_is_read_as_the_question_before_completes_it() -> None:
    completed = "What must importers check? And distributors?"

    assert Queries("And distributors?", completed).to_answer == completed
