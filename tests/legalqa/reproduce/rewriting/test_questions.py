"""Awkward questions made from plain ones."""

from legalqa.reproduce.rewriting.questions import HELD_OUT, KINDS, SHOWN, questions_made
from legalqa.training.collections.questions import LabelledQuestion

PLAIN = [
    LabelledQuestion("a", "How long must an employer keep the bias audit results?", "law", "1", (1,)),
    LabelledQuestion("b", "What civil penalty follows a first violation?", "law", "1", (2,)),
]


def test_every_kind_is_made_from_every_question_alike_each_time() -> None:
    made = questions_made(PLAIN, held_out=False)

    assert {(one.id[0], one.kind) for one in made} == {(q.id, kind) for q in PLAIN for kind in KINDS}
    assert made == questions_made(PLAIN, held_out=False)
    assert all(one.text not in (q.text for q in PLAIN) for one in made)


def test_a_double_question_is_answered_by_both_passages() -> None:
    double = next(one for one in questions_made(PLAIN, held_out=True) if one.kind == "double")

    assert double.gold == (1, 2)


def test_a_conversation_names_its_subject_before() -> None:
    chat = next(one for one in questions_made(PLAIN, held_out=False) if one.kind == "conversational")

    assert (chat.history, chat.text) == (
        ("I would like to know about bias audit results.",),
        "How long must an employer keep it?",
    )


def test_halves_of_the_templates_share_nothing() -> None:
    plain, every = PLAIN * 2, {"every_template": True}
    shown = {one.text for one in questions_made(plain, held_out=False, **every)}

    assert not shown & {one.text for one in questions_made(plain, held_out=True, **every)}
    assert SHOWN.keys() == HELD_OUT.keys() == set(KINDS)
