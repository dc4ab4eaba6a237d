"""Where a passage that another one led to is put, and what is remembered of it."""

import pytest

from corpora.models import Corpus
from retrieval.expanders.base import Link, expanded
from retrieval.expanders.neighbours import list_around
from retrieval.expanders.references import provisions_referred
from retrieval.stages import Resources
from retrieval.types import Hit, Ranking

FOUND = Ranking("rent", (Hit(1, 1, 0.9), Hit(2, 2, 0.8), Hit(3, 3, 0.7)))


def placed(*links: Link, behind: int, most: int = 9, before: Ranking = FOUND) -> Ranking:
    return expanded(
        before, links, stage="neighbours", most=most, behind=behind, resources=Resources(Corpus(), None, None)
    )


def test_a_passage_is_put_behind_the_one_that_led_to_it_with_its_score() -> None:
    after = placed(Link(1, 7), Link(1, 8), Link(2, 1), behind=1)

    assert [hit.chunk_id for hit in after.hits] == [1, 2, 7, 8, 3]
    assert [hit.score for hit in after.hits] == [0.9, 0.8, 0.8, 0.8, 0.7]
    assert dict(after.hits[2].parts) == {"neighbours.rank": 1.0, "neighbours.from": 1.0, "neighbours.hop": 1.0}


def test_what_was_led_to_leads_on_in_the_next_hop() -> None:
    first = placed(Link(3, 7), behind=0)
    second = placed(Link(7, 9), behind=0, before=first)

    assert dict(second.hits[-1].parts)["neighbours.hop"] == 2.0


def test_the_first_ones_are_brought_where_there_is_room_for_no_more() -> None:
    assert [hit.chunk_id for hit in placed(Link(2, 8), Link(1, 7), behind=0, most=1).hits] == [1, 2, 8, 3]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Subject to Rule \u200e3.2.1, a firm must report.", ["Rule 3.2.1"]),
        ("See sections 4 and 5, and Article 12(1).", ["Section 4", "Section 5", "Article 12(1)"]),
        ("section 5 of the Companies Act", []),
        ("section 5 of this Act", ["Section 5"]),
        ("Rule 7.2.3(b) and rules 7.2.3 and 7.2.4", ["Rule 7.2.3(b)", "Rule 7.2.3", "Rule 7.2.4"]),
        ("It takes 5 days.", []),
        ("Annex III, Article IV, Schedule A and Appendix B", ["Annex III", "Article IV", "Schedule A", "Appendix B"]),
        ("a notice under § 20-871(b)", ["§ 20-871(b)"]),
        ("as set out in Articles 8 to 11", ["Article 8", "Article 9", "Article 10", "Article 11"]),
        ("referred to in paragraph 2 of this Article", ["Article 6(2)"]),
        ("Paragraph 3 shall not apply.", ["Article 6(3)"]),
        ("points (a) and (b), a condition", ["Article 6(1)(a)", "Article 6(1)(b)"]),
        ("subject to regulation 5 and Section 2 of Chapter III", ["Regulation 5", "Chapter III, Section 2"]),
        ("subject to clauses 4 and 5", ["Clause 4", "Clause 5"]),
        ("Regulations 5, 6 and 7", ["Regulation 5", "Regulation 6", "Regulation 7"]),
        ("clauses 4.1 to 4.3", ["Clause 4.1", "Clause 4.2", "Clause 4.3"]),
        ("Sec. 4 and 5", ["Sec. 4", "Sec. 5"]),
        ("Art. 4 and 5", ["Art. 4", "Art. 5"]),
        ("Clause 14.2(b)", ["Clause 14.2(b)"]),
        ("clause 14.2(a) and (b)", ["Clause 14.2(a)", "Clause 14.2(b)"]),
        ("under clause 5 and 30 days' notice", ["Clause 5"]),
        ("(a) subject to clause 5, (b) after notice", ["Clause 5"]),
        ("clause 4 and section 5 of the Companies Act", ["Clause 4"]),
        ("clause (i) of Section 7, or clauses 4 and 5 of Section 8", ["Section 7(i)", "Section 8(4)", "Section 8(5)"]),
    ],
)
def test_provisions_that_a_text_refers_to(text: str, names: list[str]) -> None:
    assert provisions_referred(text, section="Article 6(1)") == names


def test_a_paragraph_by_its_number_alone_is_one_of_the_document_where_that_has_no_sections() -> None:
    assert provisions_referred("Subject to clause 14.2 and paragraph 3, the fee is due.") == [
        "Clause 14.2",
        "Paragraph 3",
    ]
    assert provisions_referred("as set out in paragraphs 2 and 3") == ["Paragraph 2", "Paragraph 3"]


def test_an_item_leads_to_the_words_that_open_its_list_and_to_the_other_items() -> None:
    texts = {1: "Another rule.", 2: "A firm must keep:", 3: "(a) its books;", 4: "(b) its files.", 5: "A new rule."}

    assert list_around(4, [1, 2, 3, 4, 5], texts) == [2, 3]
    assert list_around(2, [1, 2, 3, 4, 5], texts) == [3, 4]
    assert list_around(5, [1, 2, 3, 4, 5], texts) == []
