"""What the reader learns from: provisions with everyday questions, and the examples that are made of them."""

from pathlib import Path

import pytest

from legalqa.training.reader import mix
from legalqa.training.reader.mix import Example, examples_of
from legalqa.training.reader.rows import AnswerRow, ClaimRow, rows_read

EVERYDAY = Path(mix.__file__).parent / "data" / "everyday_dev.jsonl.gz"


@pytest.fixture(scope="module")
def rows() -> list[AnswerRow]:
    return [row for row in rows_read(EVERYDAY) if isinstance(row, AnswerRow)]


@pytest.fixture(scope="module")
def examples(rows: list[AnswerRow]) -> list[Example]:
    return examples_of(rows, seed=1)


def test_every_everyday_question_is_read_with_its_whole_passage_and_the_words_that_answer(
    rows: list[AnswerRow], examples: list[Example]
) -> None:
    read = {(one.first, one.second): one for one in examples}

    assert len(rows) > 500
    for row in rows:
        example = read[row.question, row.passage]
        assert example.label == row.is_answerable
        assert example.span == (row.spans[0] if row.spans else (0, 0))


def test_length_does_not_tell_which_passages_answer(rows: list[AnswerRow]) -> None:
    """Long passages are cropped in the same way whether they answer or not."""
    filler = "The parties shall keep proper records of each delivery. " * 40
    long = [
        AnswerRow(str(n), "Who keeps records?", filler, n % 2 == 0, ((4, 30),) if n % 2 == 0 else (), source="squad")
        for n in range(400)
    ]
    lengths: dict[int, list[int]] = {0: [], 1: []}
    for one in examples_of(long, seed=2):
        lengths[one.label].append(len(one.second.split()))

    means = {label: sum(of) / len(of) for label, of in lengths.items()}
    assert means[0] == pytest.approx(means[1], rel=0.1)


def test_the_same_seed_makes_the_same_examples(rows: list[AnswerRow]) -> None:
    assert examples_of(rows, seed=3) == examples_of(rows, seed=3)


def test_a_question_is_asked_of_a_passage_of_another_document_which_does_not_answer_it() -> None:
    rows = [
        AnswerRow(str(n), f"What of {n}?", f"Passage {n}.", n % 2 == 0, group=str(n), source="squad_like")
        for n in range(200)
    ]
    own = {(row.question, row.passage) for row in rows}
    foreign = [one for one in examples_of(rows, seed=4) if (one.first, one.second) not in own]

    assert len(foreign) == pytest.approx(15, abs=1)
    assert {(one.label, one.span, one.is_claim) for one in foreign} == {(0, (0, 0), False)}


def test_claims_are_asked_as_yes_or_no_questions_that_support_and_refutation_both_answer() -> None:
    claims = [
        ClaimRow(str(n), "The receiving party may keep one copy.", f"Evidence {n}.", n % 3, source="contractnli")
        for n in range(60)
    ]
    questions = [
        AnswerRow(str(n), "Who?", f"Passage {n}.", is_answerable=False, group="a", source="squad_like")
        for n in range(400)
    ]
    asked = [one for one in examples_of([*claims, *questions], seed=5) if one.first.startswith("May ")]

    assert {one.first for one in asked} == {"May the receiving party keep one copy?"}
    by_evidence = {one.second: one for one in asked}
    labels = {claim.evidence: claim.label for claim in claims if claim.evidence in by_evidence}
    assert len(labels) > 20
    assert all(by_evidence[evidence].label == (label != 2) for evidence, label in labels.items())
    assert all((one.span == (0, 0)) == (one.label == 0) for one in asked)


def test_a_claim_of_a_source_that_is_not_asked_about_stays_a_claim() -> None:
    claims = [ClaimRow(str(n), "The cat is black.", f"Evidence {n}.", 0, source="own") for n in range(20)]
    questions = [AnswerRow(str(n), "Who?", "He.", is_answerable=False, source="own") for n in range(100)]

    examples = examples_of([*claims, *questions], seed=6)
    assert {one.first for one in examples if one.is_claim} == {"The cat is black."}
    assert not [one for one in examples if one.first.startswith("Is ")]


DEFINING = (
    "This lease is made today by the parties. “Rent Day” means the first day of each calendar month. "
    "The tenant shall pay the rent on each Rent Day without any deduction. Nothing else is agreed here."
)
USING = "If the tenant does not pay on the Rent Day, the landlord may end the lease by a notice of three months."


def legal_rows() -> list[AnswerRow]:
    """Thirty contracts, of which each defines a term in one passage and uses it in another."""
    return [
        AnswerRow(f"{n}-{place}", "Who pays?", passage + f" Number {n}.", False, source="cuad", group=f"contract {n}")
        for n in range(30)
        for place, passage in enumerate((DEFINING, USING))
    ]


def test_a_term_is_asked_for_and_the_words_that_define_it_answer() -> None:
    defined = [one for one in examples_of(legal_rows(), seed=7) if "rent day" in one.first.lower() and not one.is_claim]
    answered = [one for one in defined if one.label == 1]

    assert len(answered) == 30
    for one in answered:
        assert one.span is not None
        assert one.second[slice(*one.span)].strip() == "“Rent Day” means the first day of each calendar month."
    others = [one.second for one in defined if one.label == 0]
    assert others
    assert all(text.startswith(USING) for text in others)


def test_an_edited_sentence_contradicts_its_passage_and_the_same_in_other_words_does_not() -> None:
    claims = [one for one in examples_of(legal_rows(), seed=8) if one.is_claim]
    said = {label: {(one.first, one.second) for one in claims if one.label == label} for label in range(3)}

    assert len(said[0]) >= 10
    assert len(said[1]) >= 5
    assert not said[0] & said[1]
    sentence = "The tenant shall pay the rent on each Rent Day without any deduction."
    assert sentence not in {first for first, _ in said[1]}
    assert all(any(word in second for word in ("Rent Day", "three months")) for _, second in said[0])


def test_passages_near_the_one_that_answers_are_handed_on_as_rivals() -> None:
    row = AnswerRow("7", "Who pays?", "The tenant pays.", is_answerable=True, spans=((0, 10),), source="own", group="a")
    [example] = examples_of([row], seed=9, rivals={("own", "7"): ("The landlord pays.",)})

    assert example.rivals == ("The landlord pays.",)
    assert (example.second, example.span) == ("The tenant pays.", (0, 10))


def test_only_everyday_rows_are_kept_whole_where_a_share_is_read() -> None:
    everyday = [AnswerRow(str(n), "What?", "It.", is_answerable=False, source="everyday_us") for n in range(100)]
    others = [AnswerRow(str(n), "Who?", "He.", is_answerable=False, source="own") for n in range(1_000)]
    read = [one for one in examples_of([*everyday, *others], seed=10, sampled=0.2) if one.second in ("It.", "He.")]

    assert sum((one.first, one.second) == ("What?", "It.") for one in read) >= 100
    assert 120 < sum(one.second == "He." for one in read) < 300
