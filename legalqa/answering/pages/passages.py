"""The passages that were read for an answer, as its page shows them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import Truncator

from legalqa.answering.languages import languages_differ
from legalqa.answering.links import reader_url
from legalqa.answering.models import Answer, AnswerState, ClaimPart
from legalqa.answering.pages.layout import Line, flat, layout_of
from legalqa.answering.pages.promises import reader_word
from legalqa.answering.places import heading_name
from legalqa.answering.types import WordsAt

FIRST_WORDS = 8  # ours: of a provision without a heading, in the outline
LIKELIEST = "most likely passage, but uncertain"


def passages_of(
    answer: Answer, rows: Sequence[dict[str, Any]], sources: Sequence[dict[str, Any]], slug: str
) -> list[dict[str, Any]]:
    """The passages that were read, cited ones first, with the quoted words marked.

    Args:
        answer: The answer.
        rows: Its evidence.
        sources: The citations of its shown claims, as the page has them.
        slug: Of the organisation.
    """
    by_place: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for citation in sources:
        by_place.setdefault(citation["stands_at"], []).append(citation)
    is_silent = answer.state == AnswerState.INSUFFICIENT_EVIDENCE
    languages = languages_differ(answer) if is_silent else ""
    passages = [
        _passage(row, by_place.get((row["document_id"], row["version"], row["ordinal"]), []), answer, slug)
        | {"shortfall": (languages or _shortfall(row)) if is_silent else ""}
        for row in rows
    ]
    ordered = sorted(passages, key=lambda p: (p["citation_number"] or 999, p["read_rank"] or 999, p["rank"]))
    return _likeliest_whole(ordered, answer.composition.get("likeliest", ()))


def likeliest_document(answer: Answer) -> dict[str, Any] | None:
    """The likeliest provision of a silence, whole, as the API and the command line give it; None where none is near."""
    if (likeliest := _likeliest(answer.evidence, answer.composition.get("likeliest", ()))) is None:
        return None
    row = likeliest.answering
    return {
        "text": "\n".join(piece["text"] for _, pieces in likeliest.lines for piece in pieces),
        "probability": answer.confidence,
        "heading": row["heading"],
        **{key: row[key] for key in ("document", "document_id", "version", "page_label", "paragraph_id")},
    }


def _likeliest_whole(passages: list[dict[str, Any]], words: Sequence[WordsAt]) -> list[dict[str, Any]]:
    """The passages; of a silence the likeliest first, with the whole of its provision in "lines"."""
    if (likeliest := _likeliest(passages, words)) is None:
        return passages
    best = likeliest.answering
    whole = {"lines": likeliest.lines, "shortfall": "", "label": LIKELIEST}
    beside = likeliest.texts - {best["text"]}  # in another document, too
    return [best | whole, *(p for p in passages if p is not best and p["text"] not in beside)]


@dataclass(frozen=True, slots=True)
class _Likeliest:
    """A provision: the row of the passage that most likely answers, its lines, and the texts of all its passages."""

    answering: dict[str, Any]
    lines: Sequence[Line]
    texts: frozenset[str]


def _likeliest(rows: Sequence[dict[str, Any]], words: Sequence[WordsAt]) -> _Likeliest | None:
    by_rank = {row["rank"]: row for row in rows}
    pairs = [(by_rank[one["rank"]], one) for one in words if one["rank"] in by_rank]
    if not pairs:
        return None
    claims = [
        {
            "text": row["text"][one["start"] : one["end"]],
            "part": one["part"],
            "provision": 1,
            "citations": [{"paragraph_id": row["paragraph_id"], "start": one["start"]}],
        }
        for row, one in pairs
    ]
    answering = next((row for row, one in pairs if one["part"] == ClaimPart.ANSWER), pairs[0][0])
    (part,) = layout_of(claims, {})
    return _Likeliest(answering, part.blocks[0].lines, frozenset(row["text"] for row, _ in pairs))


def _passage(row: dict[str, Any], citations: list[dict[str, Any]], answer: Answer, slug: str) -> dict[str, Any]:
    place = f"{row['ordinal']}:0-{len(row['text'])}"
    url = reader_url(
        slug=slug, document_id=row["document_id"], version=row["version"], places=[place], answer_id=answer.pk
    )
    return passage_words(row) | {
        "read_rank": row.get("read_rank"),
        "is_read": row.get("read", True),
        "paragraph_id": row["paragraph_id"],
        "citation_number": citations[0]["number"] if citations else None,
        "segments": _marked(row["text"], [c["quote"] for c in citations]),
        "strength": reader_word(row),
        "url": citations[0]["url"] if citations else url,
        "also_in": citations[0].get("also_in", []) if citations else [],
        "scores": [row["stages"].get(name, "–") for name in score_columns(answer)],
        "node": _node(row),
    }


def passage_words(row: dict[str, Any]) -> dict[str, Any]:
    """The words of a passage, and where they are."""
    return {
        "rank": row["rank"],
        "document_title": row["document"],
        "heading": heading_name(row["heading"].split(" › ")),
        "page_label": row["page_label"] if row["kind"] == "pdf" else "",
        "text": row["text"],
    }


def _node(row: dict[str, Any]) -> list[tuple[str, Any]]:
    """Where a passage comes from and how the search scored it, for people who want the details."""
    facts = [
        ("Document", row["document"]),
        ("Version", row["version"]),
        ("Page", row["page_label"] if row["kind"] == "pdf" else ""),
        ("Headings", row["heading"]),
        ("Paragraph", row["paragraph_id"]),
        ("Rank and score", f"{row['rank']}, {row['score']}"),
        ("Matched question", row.get("matched_question", "")),
    ]
    return [(name, value) for name, value in facts if value]


def _marked(text: str, quotes: Sequence[str]) -> list[dict[str, Any]]:
    line = flat(text)
    spans = sorted((line.find(quote), len(quote)) for quote in quotes if quote and quote in line)
    segments, at = [], 0
    for start, length in spans:
        if start < at:
            continue
        segments += [
            {"text": line[at:start], "is_highlighted": False},
            {"text": line[start : start + length], "is_highlighted": True},
        ]
        at = start + length
    return [*segments, {"text": line[at:], "is_highlighted": False}]


def _shortfall(row: dict[str, Any]) -> str:
    missing = row.get("missing") or []
    if missing:
        return f"Does not mention {', '.join(f'“{word}”' for word in missing[:3])}."
    return "On the subject, but no clear answer."


def score_columns(answer: Answer) -> list[str]:
    return sorted({name for row in answer.evidence for name in row["stages"]})


def also_on(answer: Answer, passages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The passages on the subject that are shown apart from the answer, each with what it is."""
    by_rank = {passage["rank"]: passage for passage in passages if not passage["citation_number"]}
    also = answer.composition.get("also", ())
    return [by_rank[row["rank"]] | {"label": row["label"]} for row in also if row["rank"] in by_rank]


def outline(answer: Answer, passages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A passage of each provision that an overview is about, in the order of the documents, each with a "name".

    It is the heading; where two have the same one or none, the first words with their number.
    """
    by_rank = {passage["rank"]: passage for passage in passages}
    rows = [by_rank[rank] for rank in answer.composition.get("outline", ()) if rank in by_rank]
    headings = Counter((row["document_title"], row["heading"]) for row in rows)
    return [row | {"name": _outline_name(row, headings[row["document_title"], row["heading"]])} for row in rows]


def _outline_name(passage: dict[str, Any], n_alike: int) -> str:
    if passage["heading"] and n_alike == 1:
        return str(passage["heading"])
    words = Truncator(flat(passage["text"])).words(FIRST_WORDS, truncate=" …")
    return f"{passage['heading']}: {words}" if passage["heading"] else words


def document_of_all(passages: Sequence[dict[str, Any]]) -> str:
    """The title of the document that all passages are of; "" where they are of several."""
    titles = {passage["document_title"] for passage in passages}
    return str(titles.pop()) if len(titles) == 1 else ""
