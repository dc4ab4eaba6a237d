"""One paragraph in a hundred changes: only what hangs on it is done again, and answers are those of a fresh build."""

import pytest

from legalqa.reproduce.rows.reingest import is_same, reingested
from tests.corpora.provisions.documents import BILL, CODE, RULE, parts_of


@pytest.mark.django_db
def test_after_a_change_only_its_paragraphs_are_done_again_and_answers_equal_a_fresh_build() -> None:
    texts = {part.text: None for name in (CODE, BILL, RULE) for part in parts_of(name) if len(part.text) > 60}
    passages = {f"p{number}": text for number, text in enumerate(texts)}
    n_changed = len(range(20, len(passages), 100))

    figures = reingested(passages, every=100, note=lambda _: None, n_asked=4)

    assert len(passages) > 100
    values = {name: figure.value for name, figure in figures.items()}
    assert (values["graph"], values["questions"]) == (n_changed, 0)
    assert figures["questions"].note == f"{n_changed} asked about again"  # each change is a duty
    assert (values["vectors"], values["cases"]) == (n_changed, 0)
    assert (values["usable"], values["equal"]) == (figures["usable"].n, figures["equal"].n)


def test_searches_are_the_same_but_for_what_is_level_at_their_end() -> None:
    found = [(0.9, "a"), (0.5, "b"), (0.4, "c")]

    assert is_same(found, [(0.9, "a"), (0.5, "b"), (0.4001, "d")])
    assert not is_same(found, [(0.9, "b"), (0.5, "a"), (0.4, "c")])
    assert not is_same(found, [(0.9, "a"), (0.5, "b"), (0.41, "c")])
    assert not is_same(found, found[:2])
    assert is_same([], [])
