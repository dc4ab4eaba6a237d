"""A contradiction goes where the answer goes: into the memo, the printed pack, what is copied, and earlier turns."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.pages.conflicts import UNRESOLVED
from legalqa.answering.pages.memo import memo_lines
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from tests.ingestion import ingest, make_corpus
from tests.legalqa.answering.test_contradictions import SEVEN, SIX
from tests.pages import one_line
from tests.people import Firm

OPEN = "Your documents contradict each other: different periods"
pytestmark = pytest.mark.django_db


def records(firm: Firm, one: str, other: str) -> Corpus:
    """Two documents with these titles that say how long records are kept, and not the same."""
    corpus = make_corpus(firm, "Records")
    ingest(firm, corpus, "one.md", f"# {one}\n\n## Storage\n\n{SEVEN}\n\nThe landlord repairs the roof.\n")
    ingest(firm, corpus, "other.md", f"# {other}\n\n{SIX}\n\nThe tenant waters the garden.\n")
    return corpus


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return records(firm, "Storage Contract", "Cloud Contract")


def ask(firm: Firm, corpus: Corpus, follows: UUID | None = None) -> Answer:
    return question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text="How long must records of customers be kept after the contract has ended?",
            preset=preset_get("fixed-5", {"answer.mode": "quoted"}),
            follows=follows,
        )
    )


def memo(firm: Firm, answer: Answer) -> list[tuple[str, str]]:
    with organization_scope(firm.organization, user=firm.lawyer):
        return list(memo_lines(answer=answer))


def page(client: Client, name: str, firm: Firm, answer: Answer) -> str:
    return one_line(client.get(reverse(name, args=(firm.organization.slug, answer.pk))).content.decode())


def assert_told(words: str) -> None:
    """That the contradiction is named with both passages, and that nothing decides between them."""
    told = one_line(strip_tags(words))
    for part in (OPEN, SEVEN, SIX, "The difference: “", "“seven years”", "“six years”", UNRESOLVED):
        assert part in told, part


def test_the_memo_shows_both_passages_what_differs_and_that_nothing_decides_between_them(
    firm: Firm, corpus: Corpus
) -> None:
    lines = memo(firm, ask(firm, corpus))
    at = lines.index(("heading", OPEN))
    told = lines[at + 1 : at + 7]

    assert at < lines.index(("heading", "Answer")), "nobody reads the answer before the contradiction"
    assert set(zip(told[0:4:2], told[1:4:2], strict=True)) == {
        (("text", "Storage Contract, Storage, version 1"), ("quote", f"“{SEVEN}”")),
        (("text", "Cloud Contract, version 1"), ("quote", f"“{SIX}”")),
    }
    assert {"“seven years”", "“six years”"} == set(re.findall("“[^”]*”", told[4][1]))
    assert told[5] == ("text", UNRESOLVED)


def test_the_memo_says_how_a_difference_was_resolved(firm: Firm) -> None:
    lines = memo(firm, ask(firm, records(firm, "Records Act", "Office Policy")))

    assert ("heading", "Your documents differ here, and one gives way: different periods") in lines
    assert ("text", "“Records Act” is law and takes precedence over “Office Policy”.") in lines
    assert ("text", UNRESOLVED) not in lines


def test_the_memo_of_an_answer_that_nothing_contradicts_has_no_line_on_it(firm: Firm) -> None:
    corpus = make_corpus(firm, "Records")
    ingest(firm, corpus, "one.md", f"# Storage Contract\n\n{SEVEN}\n")

    assert not [text for style, text in memo(firm, ask(firm, corpus)) if "contradict" in text or "differ" in text]


def test_what_is_copied_tells_of_the_contradiction_before_the_answer(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    html = page(client_of(firm.lawyer), "answer_detail", firm, ask(firm, corpus))
    copied = html.split("<pre hidden data-answer-text>")[1].split("</pre>", maxsplit=1)[0]

    before, after = copied.split(UNRESOLVED)
    assert_told(before + UNRESOLVED)
    assert "[1]" in after


def test_the_printed_pack_shows_the_contradiction_before_the_answer(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    html = page(client_of(firm.lawyer), "answer_pack", firm, ask(firm, corpus))
    before = html.split('id="pack-answer"', maxsplit=1)[0]

    assert_told(before)
    assert "<mark>seven years</mark>" in before
    assert "Storage Contract, version 1" in before


def test_an_earlier_turn_of_a_conversation_shows_its_contradiction_too(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    first = ask(firm, corpus)
    html = page(client_of(firm.lawyer), "answer_detail", firm, ask(firm, corpus, follows=first.question_id))

    assert_told(html.split(f'data-turn="{first.pk}"')[1].split("</article>", maxsplit=1)[0])
    ids = re.findall(r'id="(conflict-[^"]+)"', html)
    assert len(ids) == len(set(ids)) == 2
