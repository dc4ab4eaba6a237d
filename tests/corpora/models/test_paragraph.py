"""The headings under which a paragraph is cited."""

from corpora.models import Position


def test_a_numbered_recital_is_cited_by_its_number() -> None:
    recital = Position(heading_path=["Regulation", "(Text with EEA relevance)"], label="(134)", role="recital")

    assert recital.headings == ["Regulation", "(Text with EEA relevance)", "Recital 134"]


def test_other_paragraphs_are_cited_by_the_headings_above_them() -> None:
    article = Position(heading_path=["CHAPTER V", "Article 53"], label="1.", role="")
    whereas = Position(heading_path=["Exhibit 10.27"], label="", role="recital")

    assert (article.headings, whereas.headings) == (["CHAPTER V", "Article 53"], ["Exhibit 10.27"])
