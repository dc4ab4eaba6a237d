"""An answer as a memo that can be forwarded: question, contradictions, answer, quotes, what was not found.

One list of lines; `memo_files` writes them as DOCX or PDF. Documents have the titles that they had then.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.text import Truncator, slugify

from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.pages.answer import answer_page
from legalqa.answering.pages.asked import asked_lines
from legalqa.answering.pages.layout import UNANSWERED, answer_text
from legalqa.answering.pages.wording import Line, conflict_lines
from legalqa.answering.places import place_words
from legalqa.common.downloads import download

MEMO_KINDS = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
}
MAX_NAME = 60  # ours: characters of the question in the name of the file
MAX_TITLE = 120  # ours: characters of the question in the properties of the file
NO_ADVICE = "Not legal advice. Check every quotation against its source before you rely on it."


def memo_file(*, answer: Answer, kind: str) -> bytes:
    """The memo of an answer, of a silence too, as a file of a kind of MEMO_KINDS."""
    from legalqa.answering.pages.memo_files import WRITERS, About  # its libraries would make each start of ours slower

    about = About(f"Memo: {answer.question.text[:MAX_TITLE]}", str(answer.question.asker or ""))
    return WRITERS[kind](list(memo_lines(answer=answer)), about)


def memo_response(*, answer: Answer, kind: str) -> HttpResponse:
    """The same file as a download."""
    return download(memo_file(answer=answer, kind=kind), name=f"{_file_name(answer)}.{kind}", kind=MEMO_KINDS[kind])


def _file_name(answer: Answer) -> str:
    """The first words of the question in plain letters, and the day: "memo-who-pays-the-rent-2026-05-04"."""
    words = Truncator(slugify(answer.question.text).replace("-", " ")).chars(MAX_NAME, truncate=" ").split()
    return "-".join(["memo", *words, f"{timezone.localdate(answer.created_at)}"])


def memo_lines(*, answer: Answer) -> Iterator[Line]:
    """What the memo says, line by line, each with its style."""
    page = answer_page(answer=answer, slug=answer.organization.slug, as_given=True)
    yield "title", "Memo"
    yield "heading", "Question"
    yield "text", answer.question.text
    if page["reading"]:  # a follow-up means nothing without it
        yield "fact", page["reading"]
    yield (
        "fact",
        f"Asked by {answer.question.asker or 'a program'} on {_day(answer.created_at)} in {page['corpus'].name}",
    )
    yield from (("fact", line) for line in asked_lines(page["asked"]))
    yield from conflict_lines(page["conflicts"])
    yield "heading", "Answer"
    if page["shown_claims"]:
        yield from _state(answer, page)
        facts = [page["promises"]["fact"], page["promises"]["judgment"]]
        yield "fact", ". ".join(filter(None, facts)) + "."
        for paragraph in answer_text(page["shown_claims"], answer.composition, without=UNANSWERED).splitlines():
            yield ("text", paragraph) if paragraph else ("gap", "")
    else:
        is_silent = answer.state == AnswerState.INSUFFICIENT_EVIDENCE
        yield "text", " ".join(filter(None, [answer.silence_title if is_silent else "", answer.why]))
        yield from _likeliest(page["passages"])
    yield from _sources(page["sources"])
    yield from _withheld(page)
    yield "heading", "How this was made"
    yield "fact", f"{answer.get_mode_display()}. Answer {answer.pk}; created by LegalQA on {_day(timezone.now())}."
    yield "fact", NO_ADVICE


def _state(answer: Answer, page: dict[str, Any]) -> Iterator[Line]:
    """That an answer is one in part, and which parts of the question have none."""
    if answer.state == AnswerState.PARTIAL:
        yield "state", f"{answer.get_state_display()}."
    for part in page["parts"]:
        if part["note"] in UNANSWERED:
            yield "text", f"{part['text']} – {part['note']}"


def _likeliest(passages: list[dict[str, Any]]) -> Iterator[Line]:
    """The provision that most likely answers, where none clearly does."""
    for passage in passages:
        if lines := passage.get("lines"):
            yield "heading", passage["label"].capitalize()
            yield from (("quote", piece["text"]) for _, pieces in lines for piece in pieces)
            yield "fact", place_words(passage)


def _sources(sources: list[dict[str, Any]]) -> Iterator[Line]:
    if sources:
        yield "heading", "Sources"
    for source in sorted(sources, key=lambda source: int(source["number"])):
        yield "text", f"[{source['number']}] {place_words(source)}, version {source['version_number']}"
        yield "quote", f"“{source['quote']}”"
        if source["changed"]:
            yield "fact", source["changed"]
        for other in source.get("also_in", ()):
            yield "fact", f"Also in {place_words(other)}"


def _withheld(page: dict[str, Any]) -> Iterator[Line]:
    """The statements that were withheld, each with its reason and what it was compared with."""
    lines = []
    for claim in page["withheld_claims"]:
        lines.append(f"Withheld: {claim['text']} ({claim['reason']})")
        lines += [f"Compared with “{citation['quote']}” – {place_words(citation)}" for citation in claim["citations"]]
    if lines:
        yield "heading", "Not shown"
        yield from (("text", line) for line in lines)


def _day(when: datetime) -> str:
    local = timezone.localtime(when)
    return f"{local.day} {local:%B %Y, %H:%M}"
