"""A question that names a provision by its number is answered by that provision, from the document that is meant."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, Position
from corpora.services.provisions import part_of
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.pages.promises import NAMED, promises
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from retrieval.types import Filters
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

pytestmark = pytest.mark.django_db
ACT = """# Tools Act

## § 20-871 Duties

a. A tool is audited within one year before its use.

b. Notices required. An employer that uses a tool shall tell each candidate of the following:

1. That a tool is used. Such notice shall be made no less than ten business days before its use;

2. The qualifications that it weighs.

## § 20-872 Penalties

The fine is 500 dollars.
"""
LEASE = "# Lease of Old Mill\n\n## Section 15 Pets\n\nThe tenant keeps no dogs.\n"


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Laws")
    ingest(firm, corpus, "act.md", ACT)
    ingest(firm, corpus, "lease.md", LEASE)
    return corpus


def ask(firm: Firm, corpus: Corpus, text: str, **more: Any) -> Answer:
    of: Any = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": corpus.pk}
    preset = preset_get("cited-or-silent", {"answer.mode": "quoted"})
    return question_ask(question=Question(**of, text=text, preset=preset, **more))


def text_of(firm: Firm, answer: Answer) -> str:
    with organization_scope(firm.organization, user=firm.lawyer):
        return str(answer_document(answer=answer)["text"])


def test_it_is_quoted_whole_with_all_sentences_of_its_items(firm: Firm, corpus: Corpus) -> None:
    answer = ask(firm, corpus, "What does § 20-871 require?")
    text = text_of(firm, answer)

    assert "audited within one year" in text
    assert "ten business days" in text
    assert "500 dollars" not in text
    assert promises(answer, is_outdated=False)["judgment"] == NAMED


def test_items_that_are_named_are_quoted_without_the_others_of_their_list(firm: Firm, corpus: Corpus) -> None:
    items = "(a) to track;\n\n(b) to profile;\n\n(c) to sort.\n"
    ingest(firm, corpus, "bans.md", f"# Bans Act\n\n## Article 5 Bans\n\n1. It is forbidden:\n\n{items}")
    text = text_of(firm, ask(firm, corpus, "What do Articles 5(1)(a) and (b) prohibit?"))

    assert ("to track" in text, "to profile" in text, "to sort" in text) == (True, True, False)


def test_an_item_behind_a_mark_of_the_print_is_an_item(firm: Firm, corpus: Corpus) -> None:
    ingest(firm, corpus, "bans.md", "# Bans Act\n\n▌ (b) to profile persons without their consent;\n")
    with organization_scope(firm.organization, user=firm.lawyer):
        position = Position.objects.select_related("paragraph").get(paragraph__text__contains="(b) to profile")
        part = part_of(position=position)

    assert (part.kind, part.label) == ("list", "(b)")


def test_sources_of_one_section_name_it_once(firm: Firm, corpus: Corpus, client: Client) -> None:
    answer = ask(firm, corpus, "What does § 20-871 require?")
    client.force_login(firm.lawyer)
    html = client.get(reverse("answer_detail", args=[firm.organization.slug, answer.pk])).content.decode()

    assert html.count('<span class="where">§\N{NO-BREAK SPACE}20-871 Duties</span>') == 1
    assert html.count("Same section") == 3


@pytest.mark.parametrize(
    ("question", "has", "lacks"),
    [
        ("What does § 20-871(b)(1) say?", "ten business days", "qualifications"),
        ("What does § 20-871 say about notices?", "ten business days", "audited"),
        ("Explain § 20-872.", "500 dollars", "audited"),
    ],
)
def test_a_part_of_it_is_quoted_where_a_part_is_meant(
    question: str, has: str, lacks: str, firm: Firm, corpus: Corpus
) -> None:
    text = text_of(firm, ask(firm, corpus, question))

    assert (has in text, lacks in text) == (True, False)


def test_each_part_of_a_question_is_asked_of_the_provision_that_it_names(firm: Firm, corpus: Corpus) -> None:
    text = text_of(firm, ask(firm, corpus, "What does § 20-872 say, and what does § 20-871 say about notices?"))

    assert ("500 dollars" in text, "ten business days" in text, "audited" in text) == (True, True, False)


def test_provisions_that_are_named_together_are_each_quoted(firm: Firm, corpus: Corpus) -> None:
    answer = ask(firm, corpus, "Compare § 20-871 and § 20-872.")
    parts = [part["text"] for part in answer.composition["parts"]]

    assert parts == ["What does § 20-871 say?", "What does § 20-872 say?"]
    assert all(words in text_of(firm, answer) for words in ("audited", "500 dollars"))


FORCE = """# Boats Act

## Article 5 Names

A boat has a name.

## Article 9 Entry into force

This Act shall enter into force on 1 May 2030.

It shall apply from 1 May 2031. However, Article 5 shall apply from 1 June 2030.

Done at Berne, 3 March 2030.

The President
"""


@pytest.mark.parametrize(
    "question",
    [
        "When does Article 5 apply?",
        "From when do the rules on names apply?",
        "What does Article 5 say, and when does it apply?",
    ],
)
def test_when_a_law_applies_is_answered_by_its_provision_on_entry_into_force(
    question: str, firm: Firm, corpus: Corpus
) -> None:
    ingest(firm, corpus, "boats.md", FORCE)
    text = text_of(firm, ask(firm, corpus, question))

    assert all(day in text for day in ("1 May 2030", "1 May 2031", "1 June 2030"))
    assert "President" not in text


def contract(name: str, *, licensee: str) -> str:
    opening = f"This {name} is entered into by and between Sun Stars Ltd. (“Licensor”) and {licensee} (“Licensee”)."
    return f"# {name}\n\n{opening}\n\n1. Notices between Licensor and Licensee under this agreement are written.\n"


@pytest.mark.parametrize(
    ("question", "parties"),
    [
        ("Who are the parties to the film agreement?", ["You On Demand"]),
        ("Who are the parties to our contracts?", ["You On Demand", "Birch First"]),
        ("What does § 20-872 say, and who are the parties to the film agreement?", ["You On Demand"]),
    ],
)
def test_who_made_a_contract_is_answered_by_how_it_begins(question: str, parties: list[str], firm: Firm) -> None:
    corpus = make_corpus(firm, "Contracts")
    ingest(firm, corpus, "film.md", contract("Film Agreement", licensee="You On Demand Inc."))
    ingest(firm, corpus, "sales.md", contract("Sales Agreement", licensee="Birch First Inc."))
    if "§" in question:
        ingest(firm, corpus, "act.md", ACT)
    answer = ask(firm, corpus, question)
    text = text_of(firm, answer)

    assert [party for party in ("You On Demand", "Birch First") if party in text] == parties
    assert "Notices" not in text


@pytest.mark.parametrize("question", ["When does the late fee apply?", "When does a delegated act enter into force?"])
def test_when_something_else_applies_is_not_answered_by_the_entry_into_force(
    question: str, firm: Firm, corpus: Corpus
) -> None:
    ingest(firm, corpus, "boats.md", FORCE)

    assert not ask(firm, corpus, question).composition.get("is_named")


def test_the_parties_of_a_contract_that_is_not_there_are_not_those_of_others(firm: Firm) -> None:
    corpus = make_corpus(firm, "Contracts")
    ingest(firm, corpus, "film.md", contract("Film Agreement", licensee="You On Demand Inc."))
    ingest(firm, corpus, "sales.md", contract("Sales Agreement", licensee="Birch First Inc."))

    assert not ask(firm, corpus, "Who are the parties to the lease?").composition.get("is_named")


def test_a_provision_that_is_about_what_is_asked_of_it_is_quoted_whole(firm: Firm, corpus: Corpus) -> None:
    rules = "\n\n".join(
        f"{n}. Importers shall {act}." for n, act in ((1, "keep logs"), (2, "train staff"), (3, "tell us"))
    )
    ingest(firm, corpus, "imports.md", f"# Imports Act\n\n## Article 26 Duties of importers\n\n{rules}\n")
    text = text_of(firm, ask(firm, corpus, "What does Article 26 require of importers?"))

    assert all(act in text for act in ("keep logs", "train staff", "tell us"))


@pytest.mark.parametrize(
    "question", ["What does § 20-872 of the Privacy Code say?", "What does Section 15 of the Tools Act say?"]
)
def test_another_document_does_not_answer_for_the_one_that_is_named(question: str, firm: Firm, corpus: Corpus) -> None:
    assert not ask(firm, corpus, question).composition.get("is_named")


@pytest.mark.parametrize(
    ("question", "has"),
    [
        ("What does section 9.3 of the Fund Rules provide?", "may refuse"),
        ("What does section 9.3 of the Rogers agreement provide?", "assigned to nobody"),
    ],
)
def test_the_document_that_is_named_is_looked_in_first(question: str, has: str, firm: Firm, corpus: Corpus) -> None:
    opening = 'This Agreement is made between Rogers Cable Inc. ("Rogers") and Sun Stars Ltd. ("Licensor").'
    ingest(firm, corpus, "banks.md", "# Bank Rules\n\n## 9.3 Registers\n\nA bank must keep a register.\n")
    ingest(firm, corpus, "funds.md", "# Fund Rules\n\n## 9. Refusing\n\n9.3 The office may refuse a request.\n")
    ingest(firm, corpus, "film.md", f"# Film Agreement\n\n{opening}\n\n9.3 It may be assigned to nobody.\n")
    text = text_of(firm, ask(firm, corpus, question))

    assert (has in text, "register" in text) == (True, False)


def test_a_document_that_the_filters_leave_out_is_not_quoted(firm: Firm, corpus: Corpus) -> None:
    answer = ask(firm, corpus, "What does § 20-872 say?", filters=Filters(heading="Pets"))

    assert "500 dollars" not in text_of(firm, answer)


def test_passages_that_several_named_provisions_add_have_ranks_of_their_own(firm: Firm) -> None:
    duty = "Every keeper of a {} tells the port within {} days of its arrival, in writing, and keeps a copy of it."
    boats = ("ferry", "yacht", "barge", "canoe", "tug", "trawler", "dinghy", "liner")
    articles = [f"## Article {n} The {boat}\n\n{duty.format(boat, n)}" for n, boat in enumerate(boats, start=1)]
    corpus = make_corpus(firm, "Boats", files={"act.md": "# Boats Act\n\n" + "\n\n".join(articles) + "\n"})
    preset = preset_get("cited-or-silent", {"answer.mode": "quoted", "k": "1"})
    of: Any = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": corpus.pk, "preset": preset}
    text = "What does Article 2 say, what does Article 4 say, and what does Article 7 say?"
    answer = question_ask(question=Question(**of, text=text))
    ranks = [row["rank"] for row in answer.evidence]

    assert ("yacht" in text_of(firm, answer), "dinghy" in text_of(firm, answer)) == (True, True)
    assert len(set(ranks)) == len(ranks)


def test_a_page_never_breaks_the_number_of_a_provision_off_and_what_is_copied_has_plain_blanks(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    answer = ask(firm, corpus, "What does § 20-872 say of the fine?")
    client = client_of(firm.lawyer)
    page = client.get(reverse("answer_detail", args=(firm.organization.slug, answer.pk))).content.decode()
    pack = client.get(reverse("answer_pack_json", args=(firm.organization.slug, answer.pk))).json()
    shown = page.partition('class="evidence"')[2].partition('class="where">')[2].partition("<")[0]
    copied = page.partition("data-answer-text>")[2].partition("</pre>")[0]

    assert shown == "§\N{NO-BREAK SPACE}20-872 Penalties"
    assert "§ 20-872 Penalties" in copied
    assert "\N{NO-BREAK SPACE}" not in copied
    assert "\N{NO-BREAK SPACE}" not in str(pack)
