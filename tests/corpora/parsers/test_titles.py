"""Titles that a reader of a citation recognises."""

from pathlib import Path

import pytest

from corpora.parsers.titles import Heading, title_guess
from tests.corpora.parsers.builders import LAW, PDFS, parse


@pytest.mark.parametrize(
    ("folder", "name", "title"),
    [
        (LAW, "dcwp_final_rule.pdf", "Notice of Adoption of Final Rule"),
        (LAW, "admin_code_20-870_and_rule.pdf", "Subchapter 25: Automated Employment Decision Tools"),
        (LAW, "int_1894-a_local_law_text.pdf", "Legislation Text - Int 1894-2020"),
        (PDFS, "state_opinion_missouri.pdf", "State opinion missouri"),
        (PDFS, "appeal_opinion_10p.pdf", "Appeal opinion 10p"),
        (PDFS, "scotus_slip_opinion_2012.pdf", "11-889 Tarrant Regional Water Dist. v. Herrmann (06/13/2013)"),
    ],
)
def test_a_file_of_the_collection_gets_a_title_that_names_it(folder: Path, name: str, title: str) -> None:
    assert parse((folder / name).read_bytes(), name).title == title


ACT = "REGULATION (EU) 2024/… OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL"


@pytest.mark.parametrize(
    ("said", "headings", "title"),
    [
        ("", "1 European Parliament; 1 CORRIGENDUM; 3 {ACT}; 3 (Text with EEA relevance); 2 CHAPTER I SCOPE", ACT),
        ("", "1 SUPREME COURT OF THE UNITED STATES; 2 Syllabus", "deed"),
        ("", "1 Syllabus; 2 I. Background", "deed"),
        ("", "1 ARTICLE 1 - DEFINITIONS AND INTERPRETATION; 1 ARTICLE 2 - SERVICES", "deed"),
        ("", "1 1. Definitions; 1 Services Agreement", "Services Agreement"),
        ("", "1 Exhibit 10.27; 2 MARKETING AFFILIATE AGREEMENT", "MARKETING AFFILIATE AGREEMENT"),
        ("", "1 MASTER SERVICES AGREEMENT; 2 ARTICLE 1", "MASTER SERVICES AGREEMENT"),
        ("", "1 Chapter 5 Penalties; 2 § 20-870 Definitions", "Chapter 5 Penalties"),
        ("", "1 Court Fees Policy", "Court Fees Policy"),
        ("", "1 Lease", "Lease"),
        ("", "1 Purpose of this deed; 1 Witnesses", "Purpose of this deed"),
        ("", "", "deed"),
        ("Deed of gift", "1 Parties", "Deed of gift"),
    ],
)
def test_a_title_is_what_the_file_says_or_a_heading_that_names_the_whole(said: str, headings: str, title: str) -> None:
    outline = outlined(headings.replace("{ACT}", ACT))
    assert title_guess(said, outline, "deed.pdf", opening=[heading.text for heading in outline]) == title


def test_a_law_of_the_union_is_called_by_its_short_name() -> None:
    long = "laying down harmonised rules on artificial intelligence (Artificial Intelligence Act)"
    title = title_guess("", outlined(f"1 {ACT}; 2 Article 1"), "act.pdf", opening=[ACT, "of …", long])

    assert title == "Artificial Intelligence Act, Regulation (EU) 2024/…"


def outlined(headings: str) -> list[Heading]:
    """Headings as "1 Lease; 2 Rent", each with its level in front."""
    lines = (heading.strip().split(" ", 1) for heading in headings.split(";") if heading)
    return [Heading(text, int(level)) for level, text in lines]


@pytest.mark.parametrize(
    ("name", "headings", "title"),
    [
        ("terms__partner-program-agreement.md", "1 1. Definitions; 1 2. License", "Partner program agreement"),
        ("market_agreement.md", "1 1. DEFINITIONS; 1 2. PURPOSE AND LICENSE GRANT", "Market agreement"),
        ("how-to-answer-a-claim.md", "1 Before You Start; 1 The form", "How to answer a claim"),
        ("takedown-policy.md", "1 What is this?; 1 What is the policy?", "Takedown policy"),
        ("gifts-policy.md", "1 Company policies; 1 Examples", "Gifts policy"),
        ("house__leave__index.md", "1 Overview; 1 Illness", "House: leave"),
        ("11-incident_policy.md", "1 11. Incident Policy; 2 11.1 Standards; 3 11.1.2 Rules", "11. Incident Policy"),
        ("incident_policy.md", "1 11. Incident Policy; 2 11.1.2 Rules of Conduct", "Incident policy"),
        ("1334303_0001193125-10-204560_dex99e5.txt", "1 Parties; 1 Rent", "Parties"),
        ("Our Lease_v2.txt", "1 Parties; 1 Rent", "Our Lease_v2"),
    ],
)
def test_a_section_gives_no_title_where_the_name_of_the_file_says_more(name: str, headings: str, title: str) -> None:
    assert title_guess("", outlined(headings), name, opening=["This is what we and you agree upon."]) == title


def test_a_readable_name_has_the_capitals_of_the_document() -> None:
    opening = ["This is how GitHub answers a DMCA notice.", "WE AND YOU ARE BOUND."]
    assert title_guess("", [], "github-dmca-notices-and-you.md", opening=opening) == "GitHub DMCA notices and you"


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
