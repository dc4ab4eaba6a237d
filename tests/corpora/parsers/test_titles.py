"""Titles that a reader of a citation recognises."""

from pathlib import Path

import pytest

from corpora.parsers.titles import title_guess
from tests.corpora.parsers.builders import LAW, PDFS, parse


@pytest.mark.parametrize(
    ("folder", "name", "title"),
    [
        (LAW, "dcwp_final_rule.pdf", "Notice of Adoption of Final Rule"),
        (LAW, "admin_code_20-870_and_rule.pdf", "Subchapter 25: Automated Employment Decision Tools"),
        (LAW, "int_1894-a_local_law_text.pdf", "Legislation Text - Int 1894-2020"),
        (PDFS, "state_opinion_missouri.pdf", "state_opinion_missouri"),
        (PDFS, "appeal_opinion_10p.pdf", "appeal_opinion_10p"),
        (PDFS, "scotus_slip_opinion_2012.pdf", "11-889 Tarrant Regional Water Dist. v. Herrmann (06/13/2013)"),
    ],
)
def test_a_file_of_the_collection_gets_a_title_that_names_it(folder: Path, name: str, title: str) -> None:
    assert parse((folder / name).read_bytes(), name).title == title


ACT = "REGULATION (EU) 2024/… OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL"


@pytest.mark.parametrize(
    ("said", "headings", "title"),
    [
        ("", ["European Parliament", "CORRIGENDUM", ACT, "(Text with EEA relevance)"], ACT),
        ("", ["SUPREME COURT OF THE UNITED STATES", "Syllabus"], "deed"),
        ("", ["Syllabus", "I. Background"], "deed"),
        ("", ["ARTICLE 1 - DEFINITIONS AND INTERPRETATION", "ARTICLE 2 - SERVICES"], "deed"),
        ("", ["1. Definitions", "Services Agreement"], "Services Agreement"),
        ("", ["Exhibit 10.27", "MARKETING AFFILIATE AGREEMENT"], "MARKETING AFFILIATE AGREEMENT"),
        ("", ["MASTER SERVICES AGREEMENT", "ARTICLE 1"], "MASTER SERVICES AGREEMENT"),
        ("", ["Chapter 5 Penalties", "§ 20-870 Definitions"], "Chapter 5 Penalties"),
        ("", ["Court Fees Policy"], "Court Fees Policy"),
        ("", ["Lease"], "Lease"),
        ("", [], "deed"),
        ("Deed of gift", ["Parties"], "Deed of gift"),
    ],
)
def test_a_title_is_what_the_file_says_or_a_heading_that_names_the_whole(
    said: str, headings: list[str], title: str
) -> None:
    assert title_guess(said, headings, "deed.pdf") == title


@pytest.mark.parametrize(
    ("opening", "title"),
    [
        (
            ["CONTENT LICENSE AGREEMENT", "THIS CONTENT LICENSE AGREEMENT is made on 1 May 2020."],
            "CONTENT LICENSE AGREEMENT",
        ),
        (["Between us", "Data Use And Non-Disclosure Agreement"], "Data Use And Non-Disclosure Agreement"),
        (["This Agreement is made today."], "deed"),
        (["This Lease Agreement is made between:"], "deed"),
        (["Notice"], "deed"),
    ],
)
def test_a_text_without_headings_is_titled_by_the_line_that_says_what_it_is(opening: list[str], title: str) -> None:
    assert title_guess("", [], "deed.txt", opening=opening) == title
