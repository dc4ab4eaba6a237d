"""Answers from the documents that a question names, and side by side from each of those that it compares."""

from dataclasses import replace

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from legalqa.answering.composing.types import Asked, Composed
from tests.legalqa.answering.composing.readers import sure_of

TERMS = (
    "The Licensee shall give notice by courier.",
    "Notice by courier or by hand shall be given.",
    "No courier may enter.",
)
PASSAGES = [
    PassageFound(f"v{n}", f"d{n}", 0, n, text, provision_at([Part(0, text, "text", role="operative")], 0))
    for n, text in enumerate(TERMS)
]
QUESTION = "How is notice given?"


def composed(passages: list[PassageFound], of_documents: tuple[Asked, ...] = ()) -> Composed:
    return compose(
        QUESTION,
        (QUESTION,),
        passages,
        reader=sure_of("courier"),
        likeness=lambda _, texts: [0.5] * len(texts),
        of_documents=of_documents,
    )


@pytest.mark.parametrize(("is_elsewhere", "shown"), [(False, {"v0", "v1"}), (True, {"v0"})])
def test_who_names_a_contract_is_shown_no_other_one_beside_it(is_elsewhere: bool, shown: set[str]) -> None:
    passages = [PASSAGES[0], replace(PASSAGES[1], is_elsewhere=is_elsewhere)]

    assert {passages[one.passage].version for one in composed(passages).provisions} == shown


def test_who_names_a_contract_that_is_silent_is_not_answered_from_another_one() -> None:
    silent = "The Licensor may inspect the books."
    own = PassageFound("v9", "d9", 0, 9, silent, provision_at([Part(0, silent, "text", role="operative")], 0))
    answer = composed([own, *(replace(one, is_elsewhere=True) for one in PASSAGES)])

    assert answer.provisions == ()


def test_each_document_that_is_compared_answers_in_a_part_of_its_own() -> None:
    asked = [Asked("How is notice given?", frozenset({f"v{n}"}), title) for n, title in ((1, "Lease"), (0, "Licence"))]
    answer = composed(PASSAGES, tuple(asked))

    assert [part.asked for part in answer.parts] == asked
    numbers = [part.provisions for part in answer.parts]
    assert [[PASSAGES[answer.provisions[n].passage].version for n in part] for part in numbers] == [["v1"], ["v0"]]


def test_a_document_of_which_nothing_was_read_leaves_its_part_unanswered() -> None:
    answer = composed(
        PASSAGES[:1], (Asked(QUESTION, frozenset({"v0"}), "Lease"), Asked(QUESTION, frozenset({"v7"}), "Licence"))
    )

    assert [len(part.provisions) for part in answer.parts] == [1, 0]
