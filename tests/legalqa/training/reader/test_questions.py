"""What a corpus's own reader learns from: gold questions and grades, and the passages that a search finds for them."""

from corpora.models import Paragraph
from legalqa.training.reader.questions import (
    ReaderQuestion,
    examples_own,
    question_searched,
    questions_dealt,
    questions_gathered,
    questions_packed,
    questions_read,
)
from tests.legalqa.training.library import Library, question_row

OAK = str(question_row("oak")["question"])
PAYS, WATERED = (
    "The tenant of the oak garden pays 3 euros on the first of May.",
    "The oak garden is watered every 3 days, in the evening.",
)


def gathered(library: Library, *, with_grades: bool = False) -> dict[str, ReaderQuestion]:
    with library.inside():
        found = questions_gathered(corpus=library.corpus, gold_sets=[library.gold_set], with_grades=with_grades)
    return {question.text: question for question in found}


def words(library: Library, paragraphs: tuple[int, ...]) -> list[str]:
    with library.inside():
        return [Paragraph.objects.get(pk=pk).text.strip() for pk in paragraphs]


def test_gold_questions_have_the_paragraphs_that_answer_them_and_some_have_none(library: Library) -> None:
    found = gathered(library)

    assert len(found) == 21
    assert words(library, found[OAK].right) == [PAYS]
    assert [question.text for question in found.values() if question.is_silent] == ["Who was the first mayor?"]


def test_what_graders_say_is_added_only_if_asked_for(library: Library) -> None:
    library.grade(OAK.upper(), "wrong", passages={WATERED: False})
    library.grade("How often is the oak garden watered?", "right", passages={PAYS: False})

    assert not any(question.wrong for question in gathered(library).values())
    found = gathered(library, with_grades=True)
    assert len(found) == 22, "the same words in capitals are the same question"
    assert (words(library, found[OAK].right), words(library, found[OAK].wrong)) == ([PAYS], [WATERED])
    other = found["How often is the oak garden watered?"]
    assert WATERED in words(library, other.right)
    assert PAYS in words(library, other.wrong)


def test_a_search_finds_the_passages_that_answer_and_those_that_seem_to(library: Library) -> None:
    found = question_searched(gathered(library)[OAK], corpus=library.corpus)

    assert found.answering == (PAYS,)
    assert PAYS not in found.others
    assert WATERED in found.others
    assert len(found.others) <= 16


def test_passages_that_graders_refuted_come_before_those_nearest_to_the_question(library: Library) -> None:
    nearest = question_searched(gathered(library)[OAK], corpus=library.corpus).others
    library.grade(OAK, "wrong", passages={nearest[2]: False})
    graded = question_searched(gathered(library, with_grades=True)[OAK], corpus=library.corpus).others

    assert graded == (nearest[2], *nearest[:2], *nearest[3:])


def test_of_a_question_that_nothing_answers_the_nearest_passages_are_learned_as_such(library: Library) -> None:
    silent = question_searched(gathered(library)["Who was the first mayor?"], corpus=library.corpus)
    examples = examples_own([silent], seed=144)

    assert silent.is_of_use
    assert len(examples) == 4
    assert {example.label for example in examples} == {0}


def test_a_question_whose_paragraphs_are_gone_is_of_no_use(library: Library) -> None:
    gone = question_searched(ReaderQuestion(OAK, right=(10**9,)), corpus=library.corpus)

    assert not gone.is_of_use


def test_a_right_passage_is_to_come_before_its_rivals() -> None:
    question = ReaderQuestion(OAK, right=(1,), answering=(PAYS,), others=(WATERED, "A.", "B.", "C.", "D."))
    [example] = examples_own([question], seed=144)

    assert (example.second, example.label, example.rivals) == (PAYS, 1, (WATERED, "A.", "B.", "C."))


def test_questions_with_a_right_paragraph_in_common_are_held_out_together() -> None:
    questions = [ReaderQuestion(str(n), right=(n // 2,)) for n in range(20)]
    dealt = questions_dealt(questions, share=0.3, seed=144)

    assert sum(question.is_held_out for question in dealt) == 6
    assert all(one.is_held_out == other.is_held_out for one, other in zip(dealt[::2], dealt[1::2], strict=True))


def test_questions_come_back_from_the_row_as_they_were() -> None:
    questions = [ReaderQuestion(OAK, (1, 2), (3,), group=4, is_held_out=True, answering=(PAYS,), others=(WATERED,))]

    assert questions_read(questions_packed(questions)) == questions
    assert questions_packed(questions) == questions_packed(questions)
