"""Composing: whole provisions where something answers, silence where nothing does, with a reader and without one."""

from collections.abc import Sequence

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import Composed, PassageFound, compose
from legalqa.encoder.client import Read
from tests.legalqa.answering.composing.readers import sure_of

LAW = [
    Part(0, "A tool may be used only where a bias audit was done within one year before its use.", "text"),
    Part(
        1, "An employer shall notify each candidate no less than ten business days before the use of the tool.", "text"
    ),
    Part(2, "A person that violates this section is liable for a civil penalty of up to $500.", "text"),
]
PASSAGES = [
    PassageFound("v1", "d1", part.ordinal, part.ordinal, part.text, provision_at(LAW, n)) for n, part in enumerate(LAW)
]
NOTIFIED = "When must candidates be notified?"


def alike(question: str, texts: Sequence[str]) -> list[float]:
    """Cosines as they are of questions and the law that answers them: high where they share the words that count."""
    words = set(question.lower().strip("?").split())
    return [0.3 + 0.15 * sum(text.lower().count(word[:6]) for word in words if len(word) > 6) for text in texts]


def words_of(composed: Composed) -> list[str]:
    return [
        PASSAGES[chosen.passage].provision.pieces[piece.place].text
        for chosen in composed.provisions
        for piece in chosen.pieces
    ]


def test_the_provision_that_the_reader_is_sure_of_is_the_answer() -> None:
    composed = compose(NOTIFIED, (NOTIFIED,), PASSAGES, reader=sure_of("notify each candidate"), likeness=alike)

    assert words_of(composed) == [LAW[1].text]
    assert composed.probability > 0.5


def test_nothing_is_said_where_the_reader_finds_no_answer_unless_the_preset_always_answers() -> None:
    unsure = sure_of("words that stand nowhere")
    asked = "Who is the mayor?"

    assert not compose(asked, (asked,), PASSAGES, reader=unsure, likeness=alike).provisions
    assert compose(asked, (asked,), PASSAGES, reader=unsure, likeness=alike, threshold=0.0).provisions


def test_where_nothing_surely_answers_the_likeliest_provision_is_kept_apart_from_an_answer() -> None:
    sure = sure_of("notify each candidate")
    chance = compose(NOTIFIED, (NOTIFIED,), PASSAGES, reader=sure, likeness=alike).probability
    unsure = compose(NOTIFIED, (NOTIFIED,), PASSAGES, reader=sure, likeness=alike, threshold=1.2 * chance)
    silent = compose(NOTIFIED, (NOTIFIED,), PASSAGES, reader=sure, likeness=alike, threshold=2.2 * chance)

    assert not unsure.provisions
    assert unsure.likeliest
    assert unsure.likeliest.passage == 1
    assert unsure.shown == (unsure.likeliest,)
    assert silent.likeliest is None


def test_without_a_reader_likeness_decides() -> None:
    composed = compose(NOTIFIED, (NOTIFIED,), PASSAGES, reader=None, likeness=alike, threshold=0.0)

    assert words_of(composed) == [LAW[1].text]


def test_each_part_of_a_question_is_answered_by_itself_and_a_part_without_an_answer_says_so() -> None:
    parts = ("When must candidates be notified", "who is the mayor of the city?")
    asked = ", and ".join(parts)
    composed = compose(
        asked, (asked, *parts), PASSAGES, reader=sure_of("notify each candidate", asked="notified"), likeness=alike
    )

    assert [bool(part.provisions) for part in composed.parts] == [True, False]
    assert words_of(composed) == [LAW[1].text]


def test_nothing_opened_is_nothing_said() -> None:
    assert not compose(NOTIFIED, (NOTIFIED,), [], reader=sure_of(""), likeness=alike, threshold=0.0).provisions


def shown_of(paragraph: str, *, answer: str) -> list[tuple[str, str]]:
    """What is shown of a paragraph in which the reader is sure of one sentence: each with what it is."""
    whole = provision_at([Part(0, paragraph, "text")], 0)
    found = [PassageFound("v1", "d1", 0, 0, paragraph, whole)]
    composed = compose(
        NOTIFIED, (NOTIFIED,), found, reader=sure_of(answer), likeness=lambda _, texts: [0.6] * len(texts)
    )
    return [(whole.pieces[piece.place].text, piece.part) for piece in composed.provisions[0].pieces]


@pytest.mark.parametrize(("lifted", "n_shown"), [("", 5), ("the requirements of ", 2)])  # what is allowed stays
def test_an_exception_to_a_paragraph_is_not_shown_without_its_rule(lifted: str, n_shown: int) -> None:
    rule = "(a) Historical Data. A bias audit conducted pursuant to section 5-301 must use historical data of the AEDT."
    pooled = "The historical data used may be from one or more employers or employment agencies that use the AEDT."
    limited = (
        "However, an individual employer or employment agency may rely on a bias audit of an AEDT that uses the "
        "historical data of other employers or employment agencies only in the following circumstances: if such "
        "employer provided historical data from its own use to the independent auditor or if it has never used it."
    )
    exception = (
        f"(b) Test Data. Notwithstanding {lifted}subdivision (a) of this section, an employer or employment agency may "
        "rely on a bias audit that uses test data if insufficient historical data is available to conduct a "
        "statistically significant bias audit."
    )
    explained = (
        "If a bias audit uses test data, the summary of results of the bias audit must explain why historical data was "
        "not used and describe how the test data used was generated and obtained."
    )
    parts = [Part(0, f"{rule} {pooled} {limited}", "text", "(a)"), Part(1, f"{exception} {explained}", "text", "(b)")]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(parts, n)) for n, part in enumerate(parts)]
    sure = sure_of("However, an individual employer")
    composed = compose(NOTIFIED, (NOTIFIED,), passages, reader=sure, likeness=lambda _, texts: [0.6] * len(texts))

    pieces = passages[0].provision.pieces
    shown = {pieces[piece.place].text for piece in composed.provisions[0].pieces}
    assert shown == set([pooled, limited, rule, exception, explained][:n_shown])


TINY = "an auditor may exclude a category that is less than 2% of the data."


def test_an_exception_to_a_list_leads_where_it_answers_and_not_the_list() -> None:
    parts = [
        Part(0, "(b) A bias audit must, at a minimum:", "text", label="(b)"),
        Part(1, "(1) Calculate the selection rate for each category;", "list", label="(1)"),
        Part(2, "(2) Calculate the impact of the tool on each of the following:", "list", label="(2)"),
        Part(3, "i. Sex categories;", "list", label="i."),
        Part(4, "ii. Race and ethnicity.", "list", label="ii."),
        Part(5, f"(d) Notwithstanding paragraph (2) of subdivision (b), {TINY}", "text", label="(d)"),
    ]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(parts, n)) for n, part in enumerate(parts)]
    asked = "What if a category is tiny?"
    nearest = [0.5] * 5 + [0.6]
    composed = compose(asked, (asked,), passages, reader=sure_of(TINY), likeness=lambda *_: nearest)

    pieces = passages[5].provision.pieces
    assert pieces[composed.provisions[0].pieces[0].place].text.endswith(TINY)


def test_the_sentence_that_answers_leads_and_its_provision_follows() -> None:
    rule, answer = "The agency shall publish each audit.", "An employer shall notify candidates within ten days."

    assert shown_of(f"{rule} {answer}", answer=answer) == [(answer, "answer"), (rule, "rule")]


def test_a_sentence_that_points_back_stays_behind_the_one_it_points_to() -> None:
    rule, answer = "An employer shall notify candidates.", "Such notice shall be made within ten days."

    assert [text for text, _ in shown_of(f"{rule} {answer}", answer=answer)] == [rule, answer]


def test_a_part_without_a_subject_is_read_with_the_first_and_no_likelier_answered() -> None:
    first, second = "When must candidates be notified", "by whom?"
    asked = f"{first}, and {second}"
    pairs: list[tuple[str, str]] = []
    sure = sure_of("notify each candidate", asked="By whom must candidates be notified?")

    def read(those: Sequence[tuple[str, str]]) -> list[Read]:
        pairs.extend(those)
        return list(sure(those))

    composed = compose(asked, (asked, first, second), PASSAGES, reader=read, likeness=alike)

    assert {question for question, _ in pairs} == {first, "By whom must candidates be notified?"}
    assert composed.parts[1].probability == composed.parts[0].probability
    assert not composed.provisions


def test_one_item_of_a_short_list_brings_the_others_and_one_of_a_long_list_does_not() -> None:
    stem, items = "An employer shall:", ["(1) notify candidates within ten days;", "(2) publish the summary."]
    asked = "Must we notify candidates?"

    def shown(text: list[str]) -> list[str]:
        law = [Part(0, stem, "text"), *(Part(n, item, "list", f"({n})") for n, item in enumerate(text, start=1))]
        whole = provision_at(law, 1)
        found = [PassageFound("v1", "d1", 1, 0, text[0], whole)]
        composed = compose(
            asked, (asked,), found, reader=sure_of(text[0]), likeness=lambda _, texts: [0.6] * len(texts)
        )
        return [whole.pieces[piece.place].text for piece in composed.provisions[0].pieces]

    assert shown(items) == [stem, *items]
    assert shown([items[0], f"(2) publish {'a very long summary ' * 30}."]) == [stem, items[0]]


def test_a_rule_in_nearly_the_same_words_with_another_amount_is_shown_beside_the_first() -> None:
    words = "Use of a prohibited practice shall be subject to administrative fines of up to EUR"
    law = [Part(0, f"{words} 35 000 000.", "text"), Part(1, f"{words} 1 500 000 in the case of Union bodies.", "text")]
    found = [PassageFound("v1", "d1", n, n, part.text, provision_at(law, n)) for n, part in enumerate(law)]
    asked = "How high is the fine for a prohibited practice?"

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        return [Read(0.95 if "35" in text else 0.4, None, 0.0, (0.0, 0.0, 1.0)) for _, text in pairs]

    composed = compose(asked, (asked,), found, reader=read, likeness=lambda _, texts: [0.6] * len(texts))

    assert [provision.passage for provision in composed.provisions] == [0, 1]


@pytest.mark.parametrize(
    ("asked", "order"),
    [
        ("What is the fine for a prohibited practice?", [1, 0]),
        ("Which fine do Union institutions and bodies pay for a prohibited practice?", [0, 1]),
        ("A body of the Union breaks the rules: what is the fine for a prohibited practice?", [0, 1]),
    ],
)
def test_a_rule_for_all_comes_before_the_same_with_another_amount_for_some(asked: str, order: list[int]) -> None:
    words = "Use of a prohibited practice shall be subject to administrative fines of up to EUR"
    union, penalties = ("Article 100 Fines on Union institutions and bodies",), ("Article 99 Penalties",)
    law = [Part(0, f"{words} 1 500 000.", "text", path=union), Part(1, f"{words} 35 000 000.", "text", path=penalties)]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(law, n)) for n, part in enumerate(law)]

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        return [Read(0.7 if "35" in text else 0.95, None, 0.0, (0.0, 0.0, 1.0)) for _, text in pairs]

    composed = compose(asked, (asked,), passages, reader=read, likeness=lambda _, texts: [0.6] * len(texts))

    assert [provision.passage for provision in composed.provisions] == order


MORE = "for the system and for each of its parts that is placed on the market with it or later, as set out in Annex V;"
CHECKS = [
    Part(0, "1. Before placing a system on the market, importers shall verify that:", "text", label="1."),
    Part(1, f"(a) the conformity assessment has been carried out {MORE} {MORE}", "list", label="(a)"),
    Part(2, f"(b) the provider has drawn up the documentation {MORE} {MORE}", "list", label="(b)"),
    Part(3, f"(c) the system bears the marking {MORE} {MORE}", "list", label="(c)"),
]


def items_shown(*sure: str) -> list[str]:
    """The labels of what is shown of a list in which the reader is sure of some items, each a paragraph of its own."""
    found = [
        PassageFound("v1", "d1", part.ordinal, part.ordinal, part.text, provision_at(CHECKS, n))
        for n, part in enumerate(CHECKS)
    ]

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        chances = (0.97 if any(text.endswith(item) for item in sure) else 0.02 for _, text in pairs)
        return [Read(chance, None, 0.0, (0.0, 0.0, 1.0)) for chance in chances]

    composed = compose("Is it verified?", ("",), found, reader=read, likeness=lambda _, texts: [0.6] * len(texts))
    return [found[0].provision.pieces[piece.place].label for piece in composed.provisions[0].pieces]


def test_of_a_list_of_which_two_items_answer_none_is_lost() -> None:
    assert items_shown(CHECKS[1].text, CHECKS[3].text) == ["1.", "(a)", "(b)", "(c)"]


ARTICLE = "Article 24 Obligations of distributors"
DUTIES = [
    Part(0, ARTICLE, "heading", level=1),
    *(
        Part(n, f"{n}. Distributors of a smart toy shall {duty}.", "text", path=(ARTICLE,))
        for n, duty in enumerate(("verify the mark", "withdraw a product", "store it well", "cooperate"), start=1)
    ),
]


def duties_shown(question: str) -> list[int]:
    passages = [
        PassageFound("v1", "d1", part.ordinal, n, part.text, provision_at(DUTIES, n + 1))
        for n, part in enumerate(DUTIES[1:])
    ]
    composed = compose(question, (question,), passages, reader=sure_of("verify the mark"), likeness=alike)
    return [chosen.passage for chosen in composed.provisions]


def test_an_article_that_is_asked_for_by_its_heading_is_shown_whole() -> None:
    assert duties_shown("Which duties do distributors have?") == [0, 1, 2, 3]


def test_an_article_is_shown_whole_where_the_question_adds_what_its_paragraphs_say_all_along() -> None:
    assert duties_shown("Which duties do distributors of smart toys have?") == [0, 1, 2, 3]
    assert duties_shown("Which duties do distributors have when they store goods?") == [0]


def test_a_list_is_shown_whole_where_several_of_its_items_are_likely_to_answer() -> None:
    detail = (
        ", whether or not they act for reward, wherever the contract under which they do so was concluded, and "
        "whatever the law is that the parties have chosen for it"
    )
    persons = ("makers", "sellers", "lessors", "importers")
    texts = ["1. This law applies to:", *(f"({'abcd'[n]}) {who}{detail};" for n, who in enumerate(persons))]
    law = [Part(n, text, "text", text.split()[0], ("Article 2 Scope",)) for n, text in enumerate(texts)]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(law, n)) for n, part in enumerate(law)]
    asked = "Does this law apply to a seller of cranes?"

    def items_shown(answers: dict[str, float]) -> int:
        def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
            found = (next((p for who, p in answers.items() if f") {who}" in text), 0.02) for _, text in pairs)
            return [Read(chance, None, 0.0, (0.0, 0.0, 1.0)) for chance in found]

        composed = compose(asked, (asked,), passages, reader=read, likeness=alike)
        return sum(piece.place > 0 for piece in composed.provisions[0].pieces)

    assert items_shown({"sellers": 0.97, "makers": 0.7}) == 4
    assert items_shown({"sellers": 0.97, "makers": 0.1}) == 1


def test_all_who_must_do_what_is_asked_are_shown_though_the_reader_prefers_one() -> None:
    texts = (
        "Makers of cranes shall keep the logs for ten years.",
        "Users of cranes shall keep the logs for six months.",
        "The logs may be kept on paper.",
    )
    law = [Part(n, text, "text", "", (f"Article {n + 1}",)) for n, text in enumerate(texts)]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(law, n)) for n, part in enumerate(law)]
    asked = "Who must keep the logs of cranes?"

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        chances = (0.97 if "Makers" in text else 0.65 for _, text in pairs)
        return [Read(chance, None, 0.0, (0.0, 0.0, 1.0)) for chance in chances]

    composed = compose(asked, (asked,), passages, reader=read, likeness=alike)

    assert {provision.passage for provision in composed.provisions} == {0, 1}


@pytest.mark.parametrize("answer", ["scientific research", "shall not apply to"])
def test_a_list_within_a_list_is_told_in_its_order_whatever_of_it_answers(answer: str) -> None:
    texts = (
        "This law shall not apply to:",
        "(a) cranes that are used exclusively for:",
        "(i) scientific research;",
        "(ii) national defence;",
        "(b) toys.",
    )
    law = [Part(n, text, "text", text.split()[0] if n else "", ("Article 2 Scope",)) for n, text in enumerate(texts)]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(law, n)) for n, part in enumerate(law)]
    asked = "Which cranes does this law not apply to?"

    composed = compose(asked, (asked,), passages, reader=sure_of(answer), likeness=alike)

    chosen = composed.provisions[0]
    shown = [passages[chosen.passage].provision.pieces[piece.place].text for piece in chosen.pieces]
    assert shown == [text for text in texts if text in shown]
    assert shown[0] == texts[0]


def test_both_terms_that_are_compared_are_told() -> None:
    heading = ("Article 3 Definitions",)
    texts = (
        "(1) ‘maker’ means a person who builds cranes;",
        "(2) ‘user’ means a person who has a crane put up;",
        "(3) ‘crane’ means a machine that lifts loads;",
    )
    law = [Part(n, text, "text", f"({n + 1})", heading) for n, text in enumerate(texts)]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(law, n)) for n, part in enumerate(law)]
    asked = "What is the difference between a maker and a user?"

    composed = compose(asked, (asked,), passages, reader=sure_of("builds cranes"), likeness=alike)

    assert {provision.passage for provision in composed.provisions} == {0, 1}


def test_of_an_article_that_is_the_answer_every_sentence_is_shown_in_its_order() -> None:
    long = (
        "2. Where an importer has reason to consider that a device is not in conformity with this Regulation, or that "
        "it is falsified, or that it comes with falsified documents, it shall not place the device on the market until "
        "the device has been brought into conformity. Where the device presents a risk, the importer shall inform the "
        "manufacturer, the authorised representative and the market surveillance authorities to that effect."
    )
    heading = "Article 23 Obligations of importers"
    texts = ("1. Importers shall keep records.", long, "▌")  # the last is a mark of the print
    law = [Part(n, text, "text", path=(heading,)) for n, text in enumerate(texts)]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(law, n)) for n, part in enumerate(law)]
    asked = "Which obligations do importers have?"

    composed = compose(asked, (asked,), passages, reader=sure_of("presents a risk"), likeness=alike)

    shown = [
        passages[one.passage].provision.pieces[piece.place].text for one in composed.provisions for piece in one.pieces
    ]
    assert " ".join(shown) == " ".join(part.text for part in law[:2])


def test_an_article_keeps_the_order_of_its_paragraphs_where_one_names_the_others() -> None:
    heading = "Article 50 Transparency obligations"
    texts = (
        "1. Providers shall inform the persons concerned.",
        "2. Deployers shall disclose that content is artificial.",
        "3. Paragraphs 1 and 2 shall not affect other transparency obligations.",
    )
    law = [Part(n, text, "text", f"{n + 1}.", (heading,)) for n, text in enumerate(texts)]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(law, n)) for n, part in enumerate(law)]
    asked = "What are the transparency obligations?"

    composed = compose(asked, (asked,), passages, reader=sure_of("shall not affect"), likeness=alike)

    shown = [
        passages[one.passage].provision.pieces[piece.place].text for one in composed.provisions for piece in one.pieces
    ]
    assert shown == list(texts)


def test_where_an_item_was_read_the_line_that_opens_its_list_has_none_of_its_marks() -> None:
    law = [
        Part(0, "9. The establishment of sandboxes shall aim to contribute to:", "text"),
        Part(1, "(a) improving legal certainty;", "list", label="(a)"),
        Part(2, "(b) supporting the sharing of best practices.", "list", label="(b)"),
    ]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(law, n)) for n, part in enumerate(law)]
    asked = "What are the objectives of sandboxes?"

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        chances = (0.97 if text.endswith(law[1].text) else 0.3 for _, text in pairs)
        places = (text.find("improving") for _, text in pairs)
        spans = [(at, at + 24) if at >= 0 else None for at in places]
        return [Read(chance, span, 3.0, (0.0, 0.0, 1.0)) for chance, span in zip(chances, spans, strict=True)]

    (chosen,) = compose(asked, (asked,), passages, reader=read, likeness=lambda _, texts: [0.6] * len(texts)).provisions

    (opening,) = (piece for piece in chosen.pieces if piece.place == chosen.answering)
    assert passages[0].provision.pieces[opening.place].text == law[0].text
    assert opening.mark == (0, 0)


def test_a_list_that_two_documents_hold_is_shown_once_whichever_of_its_lines_is_read() -> None:
    law = [
        Part(0, "An employer may give notice by doing any of the following:", "text"),
        Part(1, "(1) in a written policy;", "list", label="(1)"),
        Part(2, "(2) in a job posting.", "list", label="(2)"),
    ]
    passages = [
        PassageFound(version, version, n, hit, law[n].text, provision_at(law, n))
        for hit, (version, n) in enumerate((("v1", 0), ("v2", 1), ("v2", 2)))
    ]
    asked = "How may the notice be given?"
    reads = [Read(0.97, None, 0.0, (0.0, 0.0, 1.0))]

    composed = compose(
        asked, (asked,), passages, reader=lambda pairs: reads * len(pairs), likeness=lambda _, texts: [0.6] * len(texts)
    )

    (chosen,) = composed.provisions
    assert [law[piece.place].ordinal for piece in chosen.pieces] == [0, 1, 2]
    assert [passages[place].version for place, _ in chosen.also_in] == ["v2"]


def test_a_list_is_not_shown_again_out_of_another_document_for_its_opening_line() -> None:
    """An item of an inner list answers in one document; in the other, the line that opens the whole does so nearly."""
    law = [
        Part(0, "(c) A bias audit must, at a minimum:", "text"),
        Part(1, "(1) Calculate the impact ratio for each category;", "list", label="(1)"),
        Part(2, "(2) Ensure that the calculations separately calculate the impact on:", "list", label="(2)"),
        Part(3, "i. Sex categories,", "list", label="i."),
        Part(4, "ii. Race categories.", "list", label="ii."),
    ]
    passages = [
        PassageFound(version, version, n, hit, law[n].text, provision_at(law, n))
        for hit, (version, n) in enumerate((("v1", 4), ("v2", 0)))
    ]
    asked = "Which categories must be compared in the audit?"

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        return [Read(0.97 if text.endswith(law[4].text) else 0.95, None, 3.0, (0.0, 0.0, 1.0)) for _, text in pairs]

    composed = compose(asked, (asked,), passages, reader=read, likeness=lambda _, texts: [0.6] * len(texts))

    (chosen,) = composed.provisions
    assert passages[chosen.passage].version == "v1"
