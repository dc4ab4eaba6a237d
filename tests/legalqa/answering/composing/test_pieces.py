"""Of a provision that answers, what makes it whole is shown with it."""

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from tests.legalqa.answering.composing.readers import sure_of


def test_a_list_that_a_rule_leaves_open_is_shown_with_it() -> None:
    rule = "The representative shall perform the tasks specified in the mandate."
    stem = "The mandate shall empower the representative to carry out the following tasks:"
    law = [Part(0, f"{rule} {stem}", "text"), *(Part(n, f"({n}) task {n};", "list", f"({n})") for n in (1, 2))]
    found = [PassageFound("v1", "d1", n, n, one.text, provision_at(law, n)) for n, one in enumerate(law)]
    asked = "What must a representative do?"
    composed = compose(asked, (asked,), found, reader=sure_of(rule), likeness=lambda _, texts: [0.6] * len(texts))
    pieces = found[composed.provisions[0].passage].provision.pieces

    assert [pieces[piece.place].text for piece in composed.provisions[0].pieces] == [
        rule,
        stem,
        "(1) task 1;",
        "(2) task 2;",
    ]


def test_one_item_does_not_pass_for_all_where_the_line_above_says_who_must_act() -> None:
    stem = "Deployers shall perform an assessment consisting of:"
    items = ("(a) the systems that are used;", "(b) the persons who are affected;", "(c) the measures to be taken.")
    law = [Part(0, stem, "text"), *(Part(n, text, "list", text[:3]) for n, text in enumerate(items, 1))]
    found = [PassageFound("v1", "d1", n, n, one.text, provision_at(law, n)) for n, one in enumerate(law)]
    asked = "Who has to carry out an assessment?"
    composed = compose(asked, (asked,), found, reader=sure_of(items[2]), likeness=lambda _, texts: [0.6] * len(texts))

    assert [piece.place for piece in composed.provisions[0].pieces] == [0, 1, 2, 3]
