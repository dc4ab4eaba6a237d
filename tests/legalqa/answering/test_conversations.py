"""A conversation is one page: its turns, its place in the history, its name, its end, its readers, its memo."""

import re
from collections.abc import Callable
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape, strip_tags
from docx import Document as WordDocument
from pypdf import PdfReader

from corpora.models import Corpus
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, Citation, Claim, ConversationShare, Question
from legalqa.answering.pages.answer import answer_document, answer_page
from legalqa.answering.services import question_ask
from legalqa.answering.services.conversations import conversation_delete
from legalqa.answering.strategies.base import Proposal, Work
from legalqa.answering.strategies.quoted import Quoted
from legalqa.answering.types import Question as Asked
from legalqa.common.errors import ApplicationError
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.ingestion import ingest, make_corpus
from tests.pages import one_line
from tests.people import Firm

LEASE = (
    "# Lease\n\n## Rent\n\nThe tenant pays the rent of 900 euros on the first day of each month.\n\n"
    "## Repairs\n\nThe landlord repairs the roof and the windows of the house.\n"
)
pytestmark = pytest.mark.django_db


@pytest.fixture
def leases(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Leases")
    ingest(firm, corpus, "lease.md", LEASE)
    return corpus


@pytest.fixture
def client(firm: Firm, client_of: Callable[[User], Client]) -> Client:
    return client_of(firm.lawyer)


def ask(firm: Firm, corpus: Corpus, text: str = "When is the rent paid?", **more: Any) -> Answer:
    preset = preset_get("fixed-3", {"answer.mode": "quoted"})
    of: Any = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": corpus.pk}
    return question_ask(question=Asked(**of, text=text, preset=preset, **more))


def talk(firm: Firm, corpus: Corpus) -> tuple[Answer, Answer]:
    first = ask(firm, corpus)
    return first, ask(firm, corpus, "And who repairs the roof?", follows=first.question_id)


def at(client: Client, firm: Firm, name: str, answer: Answer | None = None, **query: str) -> str:
    ids = [answer.pk] if answer else []
    return one_line(client.get(reverse(name, args=[firm.organization.slug, *ids]), query).content.decode())


def send(client: Client, firm: Firm, name: str, answer: Answer, **data: str) -> int:
    return client.post(reverse(name, args=[firm.organization.slug, answer.pk]), data).status_code


def test_a_question_begins_a_conversation_and_those_that_follow_it_up_join_it(firm: Firm, leases: Corpus) -> None:
    first, second = talk(firm, leases)
    third = ask(firm, leases, "And the windows?", follows=second.question_id)

    assert {answer.question.conversation for answer in (first, second, third)} == {first.question_id}
    assert ask(firm, leases).question.conversation != first.question_id


def test_every_turn_is_on_the_page_of_each_answer_and_the_box_follows_the_last(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    first, second = talk(firm, leases)

    for answer in (first, second):
        html = at(client, firm, "answer_detail", answer)
        words = ("When is the rent paid?", "And who repairs the roof?", "follow-up-help")
        places = [html.index(part, html.index('class="answer-main')) for part in words]
        assert places == sorted(places)
        assert f'name="follows" value="{second.question_id}"' in html
        assert html.count('id="question"') == 1


def test_a_long_conversation_leads_to_the_turns_that_one_page_does_not_show(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    first = ask(firm, leases)
    with organization_scope(firm.organization, user=firm.lawyer):
        of: Any = {"organization": firm.organization, "corpus": leases, "asker": firm.lawyer}
        of["conversation"] = first.question_id
        asked = Question.objects.bulk_create(Question(**of, text=f"Question {n}?") for n in range(2, 45))
        kept = {name: getattr(first, name) for name in ("organization", "asked", "preset", "pipeline", "fingerprint")}
        more = [Answer(question=question, state="insufficient_evidence", **kept) for question in asked]
        turns = [first, *Answer.objects.bulk_create(more)]

    def hidden(at_turn: int) -> list[tuple[str, str]]:
        html = at(client, firm, "answer_detail", turns[at_turn])
        return re.findall(r'(\d+ \w+ questions?) not shown:\s+<a href="[^"]*/answers/([0-9a-f-]+)/">open</a>', html)

    assert hidden(0) == [("23 later questions", str(turns[20].pk))]
    assert hidden(20) == [("3 later questions", str(turns[40].pk))]
    assert hidden(22) == [("2 earlier questions", str(turns[2].pk)), ("1 later question", str(turns[42].pk))]


def test_the_history_has_one_row_a_conversation_and_is_searched_by_words(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    talk(firm, leases)
    ask(firm, leases, "Who mows the lawn?")

    html = at(client, firm, "question_list")
    assert html.count("data-conversation") == 2
    assert "2 questions" in html
    found = at(client, firm, "question_list", q="roof repairs")
    assert "When is the rent paid?" in found
    assert "lawn" not in found.split('id="question-list"')[1]
    assert "Nothing was found" in at(client, firm, "question_list", q="zeppelin")


def test_the_filters_of_the_history_keep_the_words_that_were_searched(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    ask(firm, leases)
    ask(firm, leases, "Who mows the lawn?")

    html = at(client, firm, "question_list", q="rent paid")
    assert 'href="?state=answered&amp;q=rent+paid"' in html
    assert 'href="?q=rent+paid" aria-current="true">All <span class="num">1</span>' in html
    both = at(client, firm, "question_list", q="rent paid", state="answered")
    assert "lawn" not in both.split('id="question-list"')[1]
    assert '<input type="hidden" name="state" value="answered">' in both


def test_a_conversation_gets_a_name_of_its_askers_own(firm: Firm, leases: Corpus, client: Client) -> None:
    _, second = talk(firm, leases)

    assert send(client, firm, "conversation_rename", second, title="  Rent  of the flat ") == 302
    assert "Rent of the flat" in at(client, firm, "question_list", q="flat")
    assert send(client, firm, "conversation_rename", second, title="x" * 201) == 400
    assert send(client, firm, "conversation_rename", second, title="") == 302
    assert "Rent of the flat" not in at(client, firm, "question_list")


def test_a_follow_up_is_asked_of_the_corpus_of_its_question(firm: Firm, leases: Corpus, client: Client) -> None:
    other = make_corpus(firm, "Sales")
    ingest(firm, other, "sales.md", LEASE)
    first = ask(firm, leases)

    with pytest.raises(ApplicationError, match="another corpus"):
        ask(firm, other, "And who repairs the roof?", follows=first.question_id)
    sent = {"text": "And the roof?", "corpus": str(other.pk), "follows": str(first.question_id), "method": "fixed-3"}
    page = client.post(reverse("question_ask", args=[firm.organization.slug]), sent)
    assert (page.status_code, "another corpus" in page.content.decode()) == (422, True)


def test_words_of_another_corpus_in_an_old_conversation_are_shown_to_nobody(
    firm: Firm, leases: Corpus, client: Client, client_of: Callable[[User], Client]
) -> None:
    """As older versions stored it: a follow-up in an open corpus of a question that was asked behind a wall."""
    walled = make_corpus(firm, "Project Phoenix", is_walled=True, user=firm.manager)
    _, second = talk(firm, leases)
    with organization_scope(firm.organization, user=None):
        Question.objects.filter(pk=second.question.conversation).update(
            corpus=walled, text="What does Zebrafinch pay?", title="Merger with Quillback"
        )
    assert send(client, firm, "conversation_share", second, member=str(firm.annotator.pk)) == 302

    colleague = client_of(firm.annotator)
    pages = at(colleague, firm, "answer_detail", second) + at(colleague, firm, "question_list", shared="1")
    assert "And who repairs the roof?" in pages
    assert "Zebrafinch" not in pages
    assert "Quillback" not in pages
    assert "And who repairs" not in at(colleague, firm, "question_list", shared="1", q="Quillback")


def test_a_name_is_kept_when_the_first_question_is_gone(firm: Firm, leases: Corpus, client: Client) -> None:
    first, second = talk(firm, leases)
    with organization_scope(firm.organization, user=None):
        Question.objects.filter(pk=first.question_id).delete()

    assert send(client, firm, "conversation_rename", second, title="The roof") == 302
    assert "The roof" in at(client, firm, "question_list")


def test_a_follow_up_is_kept_where_its_conversation_is_deleted_while_it_is_answered(
    firm: Firm, leases: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ask(firm, leases)
    answer = Quoted.answer

    def deleted_meanwhile(self: Quoted, question: Asked, work: Work) -> Proposal:
        ending = answer(self, question, work)
        with organization_scope(firm.organization, user=firm.lawyer):
            conversation_delete(**firm.by_lawyer, answer_id=first.pk)
        return ending

    # The person's other window, at the moment that no row of the follow-up is there yet.
    monkeypatch.setattr(Quoted, "answer", deleted_meanwhile)
    second = ask(firm, leases, "And who repairs the roof?", follows=first.question_id)

    assert second.question.conversation == second.question_id


def test_deleting_takes_every_word_and_leaves_an_audit_row(firm: Firm, leases: Corpus, client: Client) -> None:
    _, second = talk(firm, leases)
    kept = ask(firm, leases, "Who mows the lawn?")

    assert send(client, firm, "conversation_delete", second, is_sure="yes") == 302
    with organization_scope(firm.organization, user=firm.owner):
        assert set(Question.objects.values_list("pk", flat=True)) == {kept.question_id}
        assert set(Claim.objects.values_list("answer", flat=True)) <= {kept.pk}
        assert set(Citation.objects.values_list("claim__answer", flat=True)) <= {kept.pk}
        (event,) = AuditEvent.objects.filter(action="conversation.deleted")
        assert (event.actor_id, event.details) == (firm.lawyer.pk, {})


def test_deleting_needs_to_be_confirmed_and_waits_for_an_answer_under_way(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    answer = ask(firm, leases)

    assert send(client, firm, "conversation_delete", answer) == 400
    with organization_scope(firm.organization, user=firm.lawyer):
        Answer.objects.filter(pk=answer.pk).update(state="working")
    assert send(client, firm, "conversation_delete", answer, is_sure="yes") == 409


def test_a_colleague_reads_what_is_shared_until_it_is_taken_back(
    firm: Firm, leases: Corpus, client: Client, client_of: Callable[[User], Client]
) -> None:
    first, second = talk(firm, leases)
    colleague, member = client_of(firm.annotator), str(firm.annotator.pk)
    address = reverse("answer_detail", args=[firm.organization.slug, second.pk])
    assert colleague.get(address).status_code == 404

    assert send(client, firm, "conversation_share", first, member=member) == 302
    html = at(colleague, firm, "answer_detail", second)
    assert "shares this conversation with you" in html
    assert not any(tool in html for tool in ('id="follow-up"', 'id="conversation-tools"', 'id="grade"'))
    assert "When is the rent paid?" in at(colleague, firm, "question_list", shared="1")

    assert send(client, firm, "conversation_unshare", second, member=member) == 302
    assert colleague.get(address).status_code == 404
    assert send(client, firm, "conversation_unshare", second, member=member) == 404


def test_only_the_asker_of_a_shared_answer_that_is_stale_is_led_to_ask_again(
    firm: Firm, leases: Corpus, client: Client, client_of: Callable[[User], Client]
) -> None:
    answer = ask(firm, leases)
    send(client, firm, "conversation_share", answer, member=str(firm.annotator.pk))
    ingest(firm, leases, "lease.md", LEASE.replace("900", "950"))
    assert send(client, firm, "answer_again", answer) == 302

    own, shared = (at(who, firm, "answer_detail", answer) for who in (client, client_of(firm.annotator)))
    assert 'id="ask-again"' in own and "Asked again on" in own
    assert "A document cited here has changed since." in shared
    assert escape(f"Only {firm.lawyer} can ask again here.") in shared
    assert 'id="ask-again"' not in shared and "Asked again on" not in shared


@pytest.mark.parametrize("member", ["", "nobody", "00000000-0000-4000-8000-000000000000", "self"])
def test_it_is_shared_only_with_colleagues_who_may_see_the_corpus(
    member: str, firm: Firm, leases: Corpus, client: Client
) -> None:
    answer = ask(firm, leases)

    chosen = str(firm.lawyer.pk) if member == "self" else member
    assert send(client, firm, "conversation_share", answer, member=chosen) == 400
    with organization_scope(firm.organization, user=firm.lawyer):
        assert not ConversationShare.objects.exists()


def test_programs_share_name_and_delete_too(firm: Firm, leases: Corpus) -> None:
    answer, client = ask(firm, leases), Client(headers=firm.bearer(firm.lawyer, *TokenScope))
    shares = reverse("api_share_list", args=[answer.pk])
    member = str(firm.annotator.pk)

    assert client.post(shares, {"member_id": member}, "application/json").status_code == 201
    assert [row["member_id"] for row in client.get(shares).json()] == [member]
    assert client.delete(reverse("api_share_detail", args=[answer.pk, member])).status_code == 204
    address = reverse("api_conversation", args=[answer.pk])
    assert client.put(address, {"title": "Rent"}, "application/json").json()["title"] == "Rent"
    assert [turn["answer_id"] for turn in client.get(address).json()["turns"]] == [str(answer.pk)]
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404


def memo(client: Client, firm: Firm, answer: Answer, kind: str) -> str:
    """The words of the memo on one line."""
    response = client.get(reverse(f"answer_memo_{kind}", args=[firm.organization.slug, answer.pk]))
    file = BytesIO(response.content)
    if kind == "docx":
        return one_line("\n".join(paragraph.text for paragraph in WordDocument(file).paragraphs))
    return one_line("\n".join(page.extract_text() for page in PdfReader(file).pages))


@pytest.mark.parametrize("kind", ["docx", "pdf"])
def test_the_memo_holds_what_a_colleague_needs_to_check_the_answer(
    kind: str, firm: Firm, leases: Corpus, client: Client
) -> None:
    answer = ask(firm, leases)
    with organization_scope(firm.organization, user=firm.lawyer):
        parts = [{"text": "When?", "provisions": [1]}, {"text": "By whom?", "provisions": []}]
        Claim.objects.filter(answer=answer).update(provision=1)
        Answer.objects.filter(pk=answer.pk).update(state="partial", composition={"parts": parts, "n_more": 2})
        quote = Citation.objects.filter(claim__answer=answer, rank=0).order_by("pk")[0].quote

    words = memo(client, firm, answer, kind)
    for part in ("When is the rent paid?", "Quoted word for word", f"“{one_line(quote)}”", "version 1", "[1]"):
        assert part in words, part
    unanswered = "Partly answered. By whom? – No answer to this was found in your documents."
    assert words.index(unanswered) < words.index("Quoted word for word")
    assert words.count("By whom?") == words.count("2 more provisions may answer this") == 1
    assert "Not legal advice" in words


def test_the_memo_file_is_named_after_the_question_and_the_person_who_asked(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    answer = ask(firm, leases)
    files = {
        kind: BytesIO(client.get(reverse(f"answer_memo_{kind}", args=["harding", answer.pk])).content)
        for kind in ("docx", "pdf")
    }
    word, pdf = WordDocument(files["docx"]).core_properties, PdfReader(files["pdf"]).metadata
    assert pdf is not None
    name = client.get(reverse("answer_memo_pdf", args=["harding", answer.pk]))["Content-Disposition"]
    day = timezone.localdate(answer.created_at)
    assert name == f'attachment; filename="memo-when-is-the-rent-paid-{day}.pdf"'
    title, author = "Memo: When is the rent paid?", str(firm.lawyer)
    assert (word.title, word.author, word.comments) == (title, author, "Created by LegalQA.")
    assert (pdf.title, pdf.author, pdf.creator) == (title, author, "LegalQA")


def test_no_sign_of_a_question_gets_into_the_name_of_the_memos_file(firm: Firm, leases: Corpus, client: Client) -> None:
    answer = ask(
        firm, leases, 'When is "../../rent"\r\n<paid> — и кем, exactly, under each and every lease of the house?'
    )
    name = client.get(reverse("answer_memo_docx", args=["harding", answer.pk]))["Content-Disposition"]

    assert re.fullmatch(r'attachment; filename="memo-when-is-rent-paid-[a-z-]{10,45}-\d{4}-\d\d-\d\d\.docx"', name)


def test_the_memo_of_a_follow_up_says_how_it_was_read(firm: Firm, leases: Corpus, client: Client) -> None:
    first = ask(firm, leases)
    of: Any = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": leases.pk}
    usual = preset_get(DEFAULT_PRESET, {"answer.mode": "quoted"})
    second = question_ask(question=Asked(**of, text="And the roof?", preset=usual, follows=first.question_id))
    with organization_scope(firm.organization, user=firm.lawyer):
        page = answer_page(answer=second, slug=firm.organization.slug)
    assert page["reading"].startswith("Read as “When is the rent paid")
    assert page["reading"] in memo(client, firm, second, "docx")
    assert page["reading"] in page["copy_text"]


def test_a_silence_has_a_memo_and_signs_that_a_pdf_lacks_are_told(firm: Firm, leases: Corpus, client: Client) -> None:
    answer = ask(firm, leases, "Kto płaci czynsz?")
    with organization_scope(firm.organization, user=firm.lawyer):
        Claim.objects.filter(answer=answer).delete()
        Answer.objects.filter(pk=answer.pk).update(state="insufficient_evidence", why="Another language.")

    assert "No answer was found in these documents. Another language." in memo(client, firm, answer, "docx")
    assert "Kto p¤aci czynsz?" in memo(client, firm, answer, "pdf")
    assert "the Word file has them" in memo(client, firm, answer, "pdf")


def test_the_likeliest_provision_of_a_silence_comes_first_on_the_page_and_in_the_memo(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    answer = ask(firm, leases)
    stem, item = answer.evidence[1], answer.evidence[0]
    words = [
        {"rank": row["rank"], "start": 0, "end": len(row["text"]), "part": part}
        for row, part in ((stem, "answer"), (item, "item"))
    ]
    with organization_scope(firm.organization, user=firm.lawyer):
        Claim.objects.filter(answer=answer).delete()
        composition = {"silence": "unsure", "likeliest": words}
        Answer.objects.filter(pk=answer.pk).update(state="insufficient_evidence", composition=composition)

    html = at(client, firm, "answer_detail", answer)
    quotes = (part.split(">", 1)[1].split("</blockquote>")[0] for part in html.split('<blockquote class="law')[1:])
    first, *others = [unescape(one_line(strip_tags(quote))) for quote in quotes]
    assert first == one_line(f"{stem['text']} {item['text']}")
    assert one_line(item["text"]) not in others
    assert "Most likely passage, but uncertain" in html
    written = memo(client, firm, answer, "docx")
    assert "Most likely passage, but uncertain" in written
    assert one_line(stem["text"]) in written
    with organization_scope(firm.organization, user=firm.lawyer):
        told = answer_document(answer=Answer.objects.get(pk=answer.pk))
    assert told["likeliest"]["text"] == f"{stem['text']}\n{item['text']}"
    assert told["likeliest"]["paragraph_id"] == stem["paragraph_id"]
    assert "likeliest" not in told["composition"], "ranks mean nothing without the evidence"


def test_the_page_ties_items_and_exception_to_their_stem_and_marks_the_words_that_answer(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    answer = ask(firm, leases)
    with organization_scope(firm.organization, user=firm.lawyer):
        claim = Claim.objects.filter(answer=answer, is_shown=True).order_by("ordinal")[0]
        Claim.objects.exclude(pk=claim.pk).delete()
        Claim.objects.filter(pk=claim.pk).update(provision=1, answer_start=4, answer_end=10)
        of: Any = {"organization": firm.organization, "answer": answer, "verdict": "supported", "is_shown": True}
        for ordinal, (part, text) in enumerate(
            [("item", "(a) in cash;"), ("exception", "Not in a leap year.")], start=90
        ):
            Claim.objects.create(**of, provision=1, ordinal=ordinal, part=part, text=text)
        Answer.objects.filter(pk=answer.pk).update(
            composition={"kind": "list", "also": [{"rank": 2, "label": "recital"}]}
        )
        told = answer_document(answer=Answer.objects.get(pk=answer.pk))

    html = at(client, firm, "answer_detail", answer)
    assert f"<mark>{claim.text[4:10]}</mark>" in html
    assert '<ul class="provision-items plain">' in html
    assert '<p class="eyebrow">Exception</p>' in html
    assert told["text"] == f"{claim.text}\n(a) in cash;\nException: Not in a leap year."
    assert [row["part"] for row in told["claims"]] == ["answer", "item", "exception"]
    assert "checked" not in html.split('class="verdict promises"')[1].split("</div>")[0]


def test_a_silence_offers_what_to_ask_instead_as_one_press(firm: Firm, leases: Corpus, client: Client) -> None:
    answer = ask(firm, leases, "Wen is the rennt paid?")
    with organization_scope(firm.organization, user=firm.lawyer):
        Claim.objects.filter(answer=answer).delete()
        composition = {"silence": "misspelt", "suggestion": "When is the rent paid?"}
        Answer.objects.filter(pk=answer.pk).update(state="insufficient_evidence", composition=composition)

    html = at(client, firm, "answer_detail", answer)
    assert 'name="text" value="When is the rent paid?"' in html
    assert 'id="ask-suggestion"' in html
