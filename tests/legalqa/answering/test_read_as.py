"""What passages are read for: the whole of what was typed, and the law by the name that it gives itself."""

import pytest

from corpora.models import Corpus
from corpora.services.passages import passage_digest
from legalqa.accounts.scoping import organization_scope
from legalqa.answering import memory
from legalqa.answering.composing.composing import THRESHOLD
from legalqa.answering.composing.types import ReadPairs
from legalqa.answering.models import Answer
from legalqa.answering.selectors import claim_list
from legalqa.answering.services import question_ask
from legalqa.answering.strategies.reading import Wordings, reads_for, wordings_of
from legalqa.answering.types import Question
from legalqa.encoder.client import Read
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from retrieval.services.search import corpus_search
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

ACT = """# Regulation on toy robots

## Article 1 Scope

This Regulation applies to providers that place toy robots on the market.

This Regulation does not apply to toy robots that a private person builds for personal use.

## Article 2 Duties

Providers shall comply with the acts adopted under this Regulation and with the acts of the Member States.

## Article 3 Application

This Regulation shall apply from 1 March 2029.

## Article 4 Penalties

A person who infringes this Regulation is liable for a fine of not more than 500 euros for a first infringement.
"""


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Toy Robots Act")
    ingest(firm, corpus, "act.md", ACT)
    return corpus


def question(firm: Firm, corpus: Corpus, text: str, *former: str) -> Question:
    return Question(
        organization=firm.organization,
        user=firm.lawyer,
        corpus_id=corpus.pk,
        text=text,
        preset=preset_get(DEFAULT_PRESET),
        former=former,
    )


def ask(firm: Firm, corpus: Corpus, text: str, *former: str) -> Answer:
    return question_ask(question=question(firm, corpus, text, *former))


def reader_step(answer: Answer) -> dict[str, object]:
    return next(step for step in answer.trace if step["step"] == "reader")


@pytest.mark.django_db
def test_a_law_that_is_asked_for_by_its_name_is_read_as_it_names_itself(firm: Firm, corpus: Corpus) -> None:
    answer = ask(firm, corpus, "When does the Toy Robots Act start to apply?")

    assert "“When does this Regulation start to apply?”" in str(reader_step(answer)["note"])
    with organization_scope(firm.organization, user=firm.lawyer):
        claims = [view.claim for view in claim_list(answer=answer)]
    assert claims[0].text == "This Regulation shall apply from 1 March 2029."


@pytest.mark.django_db
def test_a_question_that_names_no_law_is_read_as_it_was_typed(firm: Firm, corpus: Corpus) -> None:
    answer = ask(firm, corpus, "My brother builds a robot in his shed. Does this Regulation apply to him?")

    assert "note" not in reader_step(answer)


@pytest.mark.django_db
def test_what_is_told_beside_the_question_does_not_hide_the_passage_that_answers(firm: Firm, corpus: Corpus) -> None:
    told = "We placed toy robots on the market without telling the providers."
    answer = ask(firm, corpus, f"{told} What is the penalty for a first violation?")

    with organization_scope(firm.organization, user=firm.lawyer):
        claims = [view.claim for view in claim_list(answer=answer)]
    assert "not more than 500 euros" in claims[0].text
    assert answer.confidence is not None
    assert answer.confidence > THRESHOLD + 0.1  # not just above it


def wordings(asked: Question) -> Wordings:
    """The wordings of a question, of which the search has found passages."""
    return wordings_of(corpus_search(request=asked))


@pytest.mark.django_db
def test_a_question_on_two_lines_is_read_as_on_one(firm: Firm, corpus: Corpus) -> None:
    told, asks = "We sell robots that talk.", "What is the penalty for a first violation?"
    on_one, on_two = (wordings(question(firm, corpus, f"{told}{blank}{asks}")) for blank in (" ", "\n"))

    assert on_one.bare == asks
    assert on_two == on_one


@pytest.mark.django_db
def test_a_question_that_says_nothing_without_its_story_is_read_with_it_alone(firm: Firm, corpus: Corpus) -> None:
    asked = question(firm, corpus, "We sell robots that talk. Do we have to tell them?")
    assert wordings(asked).of(asked.text) == (asked.text,)


@pytest.mark.django_db
def test_words_that_only_press_for_an_answer_are_not_read(firm: Firm, corpus: Corpus) -> None:
    asked = question(firm, corpus, "What exactly must a provider comply with, please?")
    assert wordings(asked).text == "What must a provider comply with?"


LEASE = """# Lease Agreement

This Lease Agreement is made between Old Mill Ltd (the "Landlord") and Anna Meyer (the "Tenant").

## 4 Law

This Lease is governed by the law of the State of Ohio.

## 5 Rent

The Tenant shall pay a monthly rent of 900 dollars.
"""
LICENCE = """# Software License Agreement

This Software License is made between Corvid Inc. (the "Licensor") and Birch LLC (the "Licensee").

## 9 Law

This License is governed by the law of the State of Nevada.
"""


@pytest.mark.django_db
def test_contracts_that_are_compared_answer_side_by_side_under_their_titles(firm: Firm) -> None:
    contracts = make_corpus(firm, "Contracts")
    ingest(firm, contracts, "lease.md", LEASE)
    ingest(firm, contracts, "licence.md", LICENCE)
    answer = ask(firm, contracts, "How does the law that governs the lease differ from that of the software licence?")

    with organization_scope(firm.organization, user=firm.lawyer):
        said = {view.claim.text for view in claim_list(answer=answer)}
    assert said == {LEASE.split("\n")[6], LICENCE.split("\n")[6]}
    assert [(part["document"], part["text"]) for part in answer.composition["parts"]] == [
        ("Lease Agreement", "What is the law that governs this Lease?"),
        ("Software License Agreement", "What is the law that governs this License?"),
    ]


@pytest.mark.django_db
def test_what_one_of_the_compared_contracts_does_not_say_is_said_to_be_missing(firm: Firm) -> None:
    contracts = make_corpus(firm, "Contracts")
    ingest(firm, contracts, "lease.md", LEASE)
    ingest(firm, contracts, "licence.md", LICENCE)
    answer = ask(firm, contracts, "Which of our contracts require a monthly rent?")

    assert answer.state == "partial"
    assert [len(part["provisions"]) for part in answer.composition["parts"]] == [1, 0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text", ["Which of our contracts require a monthly rent?", "Who pays the rent, and how much is it?"]
)
def test_nothing_that_is_asked_is_kept_with_the_passages_of_the_corpus(firm: Firm, text: str) -> None:
    contracts = make_corpus(firm, "Contracts")
    ingest(firm, contracts, "lease.md", LEASE)
    ingest(firm, contracts, "licence.md", LICENCE)
    answer = ask(firm, contracts, text)

    asked = [text, *(part["text"] for part in answer.composition["parts"])]
    assert len(asked) == 3
    kept = {digest for corpus_id, digest in memory._vectors if corpus_id == contracts.pk}
    assert kept
    assert kept.isdisjoint(passage_digest(text=one) for one in asked)


PAIRS = [("We sold one in May. Who pays?", "The seller pays."), ("Who repairs it?", "The maker repairs.")]


def reads_of(answers: dict[str, float]) -> ReadPairs:
    return lambda pairs: [Read(answers[asked], None, 0.0, (0.0, 0.0, 1.0)) for asked, _ in pairs]


def test_a_passage_is_read_with_and_without_what_is_told_and_the_likelier_reading_counts() -> None:
    wordings = Wordings("We sold one in May. Who pays?", "Who pays?")
    reads = reads_for(wordings, reads_of({PAIRS[0][0]: 0.2, "Who pays?": 0.7, "Who repairs it?": 0.4}))

    assert [one.answers for one in reads(PAIRS)] == [0.7, 0.4]


def test_a_follow_up_about_another_thing_is_read_as_typed_with_twice_the_weight() -> None:
    wordings = Wordings(
        "Who pays for the car? And the keys?", "Who pays for the car? And the keys?", typed="And the keys?"
    )
    reads = reads_for(wordings, reads_of({wordings.text: 0.9, "And the keys?": 0.3}))

    assert [round(one.answers, 3) for one in reads([(wordings.text, "The keys cost 9 euros.")])] == [0.5]


@pytest.mark.django_db
def test_a_follow_up_that_names_another_contract_asks_the_same_of_that_one(firm: Firm) -> None:
    contracts = make_corpus(firm, "Contracts")
    ingest(firm, contracts, "lease.md", LEASE)
    ingest(firm, contracts, "licence.md", LICENCE)
    before = "Which law governs the lease with Anna Meyer?"
    answer = ask(firm, contracts, "And the software licence?", before)

    with organization_scope(firm.organization, user=firm.lawyer):
        assert [view.claim.text for view in claim_list(answer=answer)] == [LICENCE.split("\n")[6]]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("case", "is_told"), [("And for a first infringement?", True), ("And for small shops?", False)]
)
def test_a_follow_up_for_a_case_is_answered_only_by_what_names_it(
    case: str, is_told: bool, firm: Firm, corpus: Corpus
) -> None:
    answer = ask(firm, corpus, case, "What is the fine for a person who infringes the Regulation?")

    assert (answer.state == "answered") == is_told


@pytest.mark.django_db
def test_the_parts_of_a_question_are_shown_in_the_words_that_were_typed(firm: Firm, corpus: Corpus) -> None:
    first, second = "Who must comply with the Toy Robots Act", "what is the fine for a first infringement?"
    answer = ask(firm, corpus, f"{first}, and {second}")

    assert "this Regulation" in str(reader_step(answer)["note"])
    assert [part["text"] for part in answer.composition["parts"]] == [first, second]
