"""Passages that an answer cites beside passages that contradict them, with the difference named."""

from collections.abc import Iterable, Sequence
from typing import Any

from legalqa.answering.conflicts.engine import Span
from legalqa.answering.conflicts.finding import Finding
from legalqa.answering.conflicts.resolving import Provision
from legalqa.answering.links import reader_url
from legalqa.answering.models import Answer
from legalqa.answering.services.beside import Row, conflicts_of_answer
from legalqa.answering.services.conflicts import finding_document

LONGEST = 80  # ours: differing words of up to so many characters are named beside the sentences
MAX_SHOWN = 12  # ours: on the page of one answer; the API gives all
HEADINGS = {
    "different deadline": "Different deadlines",
    "different duration": "Different periods",
    "different frequency": "Different frequencies",
    "different date": "Different dates",
    "different number": "Different numbers",
    "different amount": "Different amounts",
    "duty against prohibition": "One requires what the other forbids",
    "permission against prohibition": "One allows what the other forbids",
    "yes against no": "One says yes, the other no",
    "different role": "Different roles",
    "replaced": "One rule replaces the other",
}


OPEN, RESOLVED = "Your documents contradict each other", "Your documents differ here, and one gives way"
UNRESOLVED = "Not resolved: neither document is known to replace the other, to rank above it, or to be the later one."


def conflict_documents(*, answer: Answer, claims: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The contradictions of what is cited, in the evidence and in the corpus's report, as the API gives them.

    Args:
        answer: With its evidence.
        claims: Its claims as the API gives them.
    """
    paragraph_ids = (
        c["paragraph_id"] for claim in claims if claim["shown"] for c in (*claim["citations"], *claim["also_in"])
    )
    beside = conflicts_of_answer(answer=answer, cited=paragraph_ids)
    return [
        finding_document(finding=finding) | {"sides": [_side(beside.rows[side.key]) for side in (finding.a, finding.b)]}
        for finding in beside.findings
    ]


def _side(row: Row) -> dict[str, Any]:
    return {key: row[key] for key in ("paragraph_id", "document_id", "document", "version", "page", "page_label")}


def conflicts_page(*, answer: Answer, cited: Iterable[str], slug: str) -> list[dict[str, Any]]:
    """The same for the answer's page: each side with the words that differ marked, and a link to its place."""
    beside = conflicts_of_answer(answer=answer, cited=cited)
    return [
        {
            **_page_words(finding),
            "sides": [
                _page_side(answer, beside.rows[side.key], slug, side, sentence, words)
                for side, sentence, words in (
                    (finding.a, finding.conflict.sentence_a, finding.conflict.a),
                    (finding.b, finding.conflict.sentence_b, finding.conflict.b),
                )
            ],
        }
        for finding in beside.findings[:MAX_SHOWN]
    ]


def _page_words(finding: Finding) -> dict[str, str]:
    """What differs, and which of the two provisions holds; `resolution` is "" where that is open."""
    heading = HEADINGS[finding.conflict.kind]
    resolution = finding.resolution.sentence if finding.resolution else ""
    return {
        "heading": heading,
        "title": f"{RESOLVED if resolution else OPEN}: {heading.lower()}",
        "difference": difference(finding.conflict.a.words, finding.conflict.b.words),
        "resolution": resolution,
        "outcome": resolution or UNRESOLVED,
    }


def difference(one: str, other: str) -> str:
    """The words that differ, in a sentence; a long sentence that denies the other is marked, and not repeated."""
    words = [" ".join(each.split()) for each in (one, other)]
    is_short = all(0 < len(one) <= LONGEST for one in words)
    return f"The difference: “{words[0]}” and “{words[1]}”." if is_short else ""


def _page_side(answer: Answer, row: Row, slug: str, side: Provision, sentence: Span, words: Span) -> dict[str, Any]:
    place = f"{row['ordinal']}:{sentence.start}-{sentence.end}"
    heading = row["heading"].rsplit(" › ", 1)[-1]
    return {
        "document": side.title,
        "heading": "" if heading == side.title else heading,
        "version_number": row["version"],
        "page_label": row["page_label"] if row["kind"] == "pdf" else "",
        **marked(sentence, words),
        "url": reader_url(
            slug=slug, document_id=row["document_id"], version=row["version"], places=[place], answer_id=answer.pk
        ),
    }


def marked(sentence: Span, words: Span) -> dict[str, str]:
    """A sentence in three parts: before the words that differ, those words, and after them."""
    at, end = words.start - sentence.start, words.end - sentence.start
    return {"before": sentence.words[:at], "words": words.words, "after": sentence.words[end:]}
