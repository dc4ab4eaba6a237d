"""What the reader shows beside a document: its outline."""

from corpora.pages.reader import outline
from legalqa.accounts.scoping import organization_scope
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

DEEP = "# Recitals\n\n## a\n\n### b\n\n#### c\n\n##### d\n\n###### e\n\nWhereas.\n\n"
ACT = (
    "# Act\n\n#### CHAPTER I Scope\n\n###### Article 1 Subject\n\nThe rules.\n\n#### CHAPTER II Duties\n\nMore rules.\n"
)


def test_an_article_is_one_step_inside_its_chapter_however_deep_other_parts_go(firm: Firm) -> None:
    done = ingest(firm, make_corpus(firm), "act.md", (DEEP + ACT).encode())

    with organization_scope(firm.organization, user=None):
        steps = {str(item["title"]): item["level"] for item in outline(version=done.version)}
    assert (steps["Act"], steps["CHAPTER I Scope"], steps["Article 1 Subject"]) == (1, 2, 3)
    assert (steps["CHAPTER II Duties"], steps["e"]) == (2, 6)
