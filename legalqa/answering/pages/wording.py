"""An answer and what belongs to it as lines of text, for the memo and for copying."""

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from legalqa.answering.models import AnswerState, Verdict
from legalqa.answering.pages.asked import asked_lines
from legalqa.answering.pages.layout import UNANSWERED
from legalqa.answering.places import place_words

Line = tuple[str, str]  # a style of the memo, and its text
_INSIDE = str.maketrans("“”", "‘’")


def conflict_lines(conflicts: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """The contradictions of an answer (`conflicts_page`): both passages, what differs, and which of them holds."""
    for conflict in conflicts:
        yield "heading", conflict["title"]
        for side in conflict["sides"]:
            place = place_words(side | {"document_title": side["document"]})
            yield "text", f"{place}, version {side['version_number']}"
            yield "quote", quoted(" ".join((side["before"] + side["words"] + side["after"]).split()))
        if conflict["difference"]:
            yield "text", conflict["difference"]
        yield "text", conflict["outcome"]


def answer_lines(page: Mapping[str, Any]) -> Iterator[Line]:
    """The content of the memo and of a copy: contradictions, what the answer promises, answer, sources.

    Args:
        page: The context of the answer's page.
    """
    yield from conflict_lines(page["conflicts"])
    yield "heading", "Answer"
    if page["shown_claims"]:
        yield from _told_first(page)
        for line in page["text"].splitlines():
            yield ("text", line) if line else ("gap", "")
    else:
        yield from _silence(page)
    yield from _sources(page["sources"])


def copy_text(page: Mapping[str, Any]) -> str:
    """The answer, or the silence, as it is copied and as a command prints it: what was asked, and `answer_lines`.

    Args:
        page: The context of the answer's page.
    """
    lines = [
        ("text", " ".join(filter(None, [page["question"].text, page["reading"]]))),
        ("fact", f"Asked in {page['corpus'].name}"),
        *(("fact", line) for line in asked_lines(page["asked"])),
        *answer_lines(page),
    ]
    if page["suggestion"]:
        lines += [("gap", ""), ("text", f"Ask instead: {quoted(page['suggestion'])}")]
    if n_withheld := len(page["withheld_claims"]):
        lines += [("gap", ""), ("fact", f"{n_withheld} statement{'s' if n_withheld > 1 else ''} withheld.")]
    lines += [("gap", ""), ("fact", page["answer"]["notice"])]
    shapes = {"heading": "\n{}", "quote": "    {}"}
    return "\n".join(shapes.get(style, "{}").format(text) for style, text in lines)


def _told_first(page: Mapping[str, Any]) -> Iterator[Line]:
    """That an answer is partial, which parts of the question have no answer, and what is promised of the rest."""
    answer, promises = page["answer"], page["promises"]
    if answer["state"] == AnswerState.PARTIAL:
        yield "state", f"{AnswerState.PARTIAL.label}."
    if all(claim["verdict"] == Verdict.PARTLY for claim in page["shown_claims"]):
        yield "state", "Every statement is only partly supported by its source."
    for part in page["parts"]:
        if part["note"] in UNANSWERED:
            yield "text", f"{part['text']} – {part['note']}"
    yield "fact", ". ".join(filter(None, [promises["fact"], promises["judgment"]])) + "."
    if promises["judgment"]:
        yield "fact", promises["help"]
    yield from (("fact", note) for note in answer["notes"])
    yield "gap", ""


def _silence(page: Mapping[str, Any]) -> Iterator[Line]:
    """Why the question is declined, and the provision that most likely answers, if none clearly does."""
    answer = page["answer"]
    is_silent = answer["state"] == AnswerState.INSUFFICIENT_EVIDENCE
    title = answer["silence_title"] if is_silent else f"{AnswerState(answer['state']).label}."
    yield "text", f"{title} {answer['reason']}".strip()
    for passage in page["passages"]:
        if lines := passage.get("lines"):
            yield "heading", passage["label"].capitalize()
            yield from (("quote", piece["text"]) for _, pieces in lines for piece in pieces)
            yield "fact", place_words(passage)


def _sources(sources: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """Each source under its number, every line once: its place, its quotes, and what happened to its document."""
    quotes: dict[tuple[int, str], dict[Line, None]] = {}
    facts: dict[tuple[int, str], dict[Line, None]] = {}
    for source in sources:
        key = source["number"], f"[{source['number']}] {place_words(source)}, version {source['version_number']}"
        told = [source["changed"], *(f"Also in {place_words(other)}" for other in source.get("also_in", ()))]
        quotes.setdefault(key, {})["quote", quoted(source["quote"])] = None
        facts.setdefault(key, {}).update((("fact", line), None) for line in told if line)
    if quotes:
        yield "heading", "Sources"
    for number, place in sorted(quotes, key=itemgetter(0)):
        yield from (("text", place), *quotes[number, place], *facts[number, place])


def quoted(text: str) -> str:
    """A text in quotation marks, those inside it single.

    >>> quoted("“Commission” means the European Commission.")
    '“‘Commission’ means the European Commission.”'
    """
    return f"“{text.translate(_INSIDE)}”"
