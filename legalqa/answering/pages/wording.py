"""An answer and what belongs to it as lines of text, for the memo and for what is copied."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legalqa.answering.pages.asked import asked_lines
from legalqa.answering.pages.layout import answer_text
from legalqa.answering.places import place_words

Line = tuple[str, str]  # a style of the memo, and its text


def conflict_lines(conflicts: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """The contradictions of an answer (`conflicts_page`): both passages, what differs, and which of them holds."""
    for conflict in conflicts:
        yield "heading", conflict["title"]
        for side in conflict["sides"]:
            place = place_words(side | {"document_title": side["document"]})
            yield "text", f"{place}, version {side['version_number']}"
            yield "quote", f"“{' '.join((side['before'] + side['words'] + side['after']).split())}”"
        if conflict["difference"]:
            yield "text", conflict["difference"]
        yield "text", conflict["outcome"]


def copy_text(page: Mapping[str, Any], composition: Mapping[str, Any]) -> str:
    """The answer as it is copied: what was asked, contradictions, answer with its marks, sources with place and quotes.

    Args:
        page: The context of the answer's page.
        composition: How the answer was put together.
    """
    sources = [citation for claim in page["shown_claims"] for citation in claim["citations"]]
    parts = [
        " ".join(filter(None, [page["question"].text, page["reading"]])),
        "\n".join([f"Asked in {page['corpus'].name}", *asked_lines(page["asked"])]),
        *filter(None, [page["answer"]["unmentioned"]]),
        *_indented(conflict_lines(page["conflicts"])),
        answer_text(page["shown_claims"], composition),
        "Sources",
        "\n".join(_quotes(sources)),
        page["answer"]["notice"],
    ]
    return "\n\n".join(parts)


def _indented(lines: Iterator[Line]) -> Iterator[str]:
    """What is under one heading as one paragraph, its quotes indented."""
    paragraph: list[str] = []
    for style, text in lines:
        if style == "heading" and paragraph:
            yield "\n".join(paragraph)
            paragraph = []
        paragraph.append(f"    {text}" if style == "quote" else text)
    if paragraph:
        yield "\n".join(paragraph)


def _quotes(sources: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Each source under its number with its place, and every quote from it once."""
    lines: dict[int, dict[str, None]] = {}
    places: dict[int, str] = {}
    for source in sources:
        places.setdefault(source["number"], place_words(source))
        lines.setdefault(source["number"], {})[f"    {source['quote']}"] = None
    for number, quotes in sorted(lines.items()):
        yield "\n".join([f"[{number}] {places[number]}", *quotes])
