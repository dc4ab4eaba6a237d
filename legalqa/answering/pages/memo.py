"""An answer as a memo that can be forwarded: question, contradictions, answer, quotes, what was not found.

One list of lines; `memo_files` writes them as DOCX or PDF. Documents have the titles that they had then.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.text import Truncator, slugify

from legalqa.answering.models import Answer
from legalqa.answering.pages.answer import answer_page
from legalqa.answering.pages.asked import asked_lines
from legalqa.answering.pages.wording import Line, answer_lines
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
    """The memo of an answer, also of a declined one, as a file of a kind of MEMO_KINDS."""
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
    yield from answer_lines(page)
    yield from _withheld(page)
    yield "heading", "How this was made"
    yield "fact", f"{answer.get_mode_display()}. Answer {answer.pk}; created by LegalQA on {_day(timezone.now())}."
    yield "fact", NO_ADVICE


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
