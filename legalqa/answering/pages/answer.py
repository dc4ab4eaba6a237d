"""The one answer object: for the page, the API and the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from corpora.models import Position
from corpora.parsers.reasons import pages_to_check
from legalqa.answering.languages import languages_differ
from legalqa.answering.links import link_all, reader_url
from legalqa.answering.models import Answer, AnswerMode, AnswerState, Citation, Verdict
from legalqa.answering.outdated import Change, change_words, changes_by_citation
from legalqa.answering.pages.conflicts import conflict_documents, conflicts_page
from legalqa.answering.pages.settings import cost_of, settings_summary
from legalqa.answering.pages.trace import reading_words, step_document, steps_words
from legalqa.answering.selectors import ClaimView, claim_list, evidence_now
from legalqa.answering.strategies.written import CHECKED_ANYWAY

NOTICES = {
    AnswerMode.EXTRACTIVE: "Quoted from the organisation's own documents. Not legal advice.",
    AnswerMode.WRITTEN: (
        "Written by a language model from the organisation's own documents, each statement checked against the "
        "passages it cites. Not legal advice."
    ),
}
STRONG_COSINE, FAIR_COSINE = 0.62, 0.45  # ours: words for people, never a decision


def answer_document(*, answer: Answer, as_given: bool = False) -> dict[str, Any]:
    """The answer as the API and the command line give it: shown and withheld claims, each with its citations.

    Documents have the titles that they have now or, `as_given`, the ones that they had then.
    """
    views = _claims(answer, as_given=as_given)
    changes = changes_by_citation(answer_ids=[answer.pk])
    claims = [_claim_document(view, changes) for view in views]
    return {
        "id": str(answer.pk),
        "question_id": str(answer.question_id),
        "question": answer.question.text,
        "corpus_id": str(answer.question.corpus_id),
        "state": answer.state,
        "mode": answer.mode,
        "notice": NOTICES[AnswerMode(answer.mode)],
        "mode_label": answer.get_mode_display(),
        "why": answer.why,
        "text": " ".join(claim["text"] for claim in claims if claim["shown"]),
        "claims": claims,
        "outdated": _is_outdated(views, changes),
        "confidence": answer.confidence,
        "complexity": _complexity(answer),
        "contradictions": [
            *(claim for claim in claims if claim["verdict"] == Verdict.CONTRADICTED),
            *conflict_documents(answer=answer, claims=claims),
        ],
        "steps": [step_document(step) for step in answer.steps],
        "settings": {
            "preset": answer.preset,
            "strategy": answer.strategy,
            "fingerprint": answer.fingerprint,
            **answer.pipeline,
            "made_from": answer.made_from,
        },
        "seconds": answer.seconds,
        "cost": float(cost_of(answer)),
        "generation": answer.generation or None,
        "follows": str(answer.question.follows_id) if answer.question.follows_id else None,
        "created_at": answer.created_at.isoformat(),
    }


def _claims(answer: Answer, *, as_given: bool) -> list[ClaimView]:
    views = claim_list(answer=answer)
    then = {row["document_id"]: row["document"] for row in answer.evidence} if as_given else {}
    for document in (citation.paragraph.document for view in views for citation in view.citations):
        document.title = then.get(str(document.pk), document.title)
    return views


def _complexity(answer: Answer) -> int | None:
    """The class that the settings were chosen by; None where they sort no questions, or the search has not begun."""
    return next((step["class"] for step in answer.trace if step["step"] == "complexity"), None)


def _is_outdated(claims: Sequence[ClaimView], changes: Mapping[int, Change]) -> bool:
    """Whether a source of a shown claim is no longer what was read."""
    return any(citation.pk in changes for view in claims if view.claim.is_shown for citation in view.sources)


def _claim_document(view: ClaimView, changes: Mapping[int, Change]) -> dict[str, Any]:
    return {
        "text": view.claim.text,
        "verdict": view.claim.verdict,
        "shown": view.claim.is_shown,
        "reason": view.claim.reason,
        "citations": [_citation_document(citation, changes) for citation in view.sources],
        "also_in": [_citation_document(citation, changes) for citation in view.also_in],
    }


def _citation_document(citation: Citation, changes: Mapping[int, Change]) -> dict[str, Any]:
    paragraph = citation.paragraph
    return {
        "paragraph_id": paragraph.external_id or paragraph.public_id,
        "document_id": str(paragraph.document_id),
        "document": paragraph.document.title,
        "version": citation.version.number,
        "page": citation.page,
        "page_label": citation.page_label,
        "needs_a_look": citation.page in pages_to_check(citation.version.warnings),
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
        "changed": changes.get(citation.pk),
    }


def answer_page(*, answer: Answer, slug: str, as_given: bool = False) -> dict[str, Any]:
    """The context of the answer's page and, `as_given` with the titles of documents then, of its printable pack."""
    views = _claims(answer, as_given=as_given)
    changes = changes_by_citation(answer_ids=[answer.pk])
    of_page = _Page(answer.pk, slug, _numbers(views), _positions(views), changes)
    claims = [_claim_page(view, of_page) for view in views]
    shown = [claim for claim in claims if claim["shown"]]
    link_all(_sources(shown), slug=slug, answer_id=answer.pk)
    rows = answer.evidence if as_given else evidence_now(answer=answer)
    passages = _passages(answer, rows, shown, slug)
    return {
        "answer": _head(answer) | {"is_outdated": _is_outdated(views, changes)},
        "question": answer.question,
        "follows": answer.question.follows,
        "reading": reading_words(answer.trace),
        "corpus": answer.question.corpus,
        "shown_claims": shown,
        "conflicts": conflicts_page(answer=answer, cited=_cited(views), slug=slug),
        "withheld_claims": [claim for claim in claims if not claim["shown"]],
        "n_claims": len(claims),
        "n_supported": sum(view.claim.verdict == Verdict.SUPPORTED for view in views),
        "n_sources": len(of_page.numbers),
        "sources": _sources(shown),
        "passages": passages,
        "n_uncited": sum(1 for passage in passages if not passage["citation_number"]),
        "trace": steps_words(answer.trace),
        "score_columns": _score_columns(answer),
        "settings_summary": settings_summary(answer),
    }


def _cited(views: Sequence[ClaimView]) -> list[str]:
    """The ids of the paragraphs that shown claims cite."""
    paragraphs = (citation.paragraph for view in views if view.claim.is_shown for citation in view.citations)
    return [paragraph.external_id or paragraph.public_id for paragraph in paragraphs]


def _head(answer: Answer) -> dict[str, Any]:
    return {
        "id": answer.pk,
        "state": answer.state,
        "get_state_display": answer.get_state_display(),
        "reason": answer.why,
        "preset": answer.preset,
        "is_quoted": answer.mode == AnswerMode.EXTRACTIVE,
        "label": answer.get_mode_display(),
        "notice": NOTICES[AnswerMode(answer.mode)],
        "model_note": _model_note(answer),
        "created_at": answer.created_at,
        "asked_by": answer.question.asker,
    }


def _model_note(answer: Answer) -> str:
    """What must be said of the language model: that it failed, that another one answered, or that it was checked."""
    made = answer.generation
    if not made or answer.state == AnswerState.INSUFFICIENT_EVIDENCE:
        return ""
    if answer.mode == AnswerMode.EXTRACTIVE:
        return answer.why
    if answer.why.endswith(CHECKED_ANYWAY):
        return answer.why
    return f"The first provider did not answer; {made['provider']} did." if made.get("is_fallback") else ""


def _numbers(views: Sequence[ClaimView]) -> dict[int, int]:
    """Source numbers by paragraph, in the order in which the shown claims cite them."""
    numbers: dict[int, int] = {}
    for view in views:
        for citation in view.sources if view.claim.is_shown else ():
            numbers.setdefault(citation.paragraph_id, len(numbers) + 1)
    return numbers


@dataclass(frozen=True, slots=True)
class _Page:
    """What every citation of a page needs: numbers by paragraph, positions by version and paragraph, later changes."""

    answer_id: UUID
    slug: str
    numbers: Mapping[int, int]
    positions: Mapping[tuple[UUID, int], Position]
    changes: Mapping[int, Change]


def _positions(views: Sequence[ClaimView]) -> dict[tuple[UUID, int], Position]:
    """Where each cited paragraph stands in the version it was read in."""
    citations = [c for view in views for c in view.citations]
    positions = Position.objects.filter(
        version_id__in={c.version_id for c in citations}, paragraph_id__in={c.paragraph_id for c in citations}
    )
    return {(p.version_id, p.paragraph_id): p for p in positions}


def _claim_page(view: ClaimView, page: _Page) -> dict[str, Any]:
    sources = [_citation_page(citation, page) for citation in view.sources]
    for main in sources[:1]:
        main["also_in"] = [_citation_page(citation, page) for citation in view.also_in]
    return {
        "text": view.claim.text,
        "verdict": view.claim.verdict,
        "shown": view.claim.is_shown,
        "reason": view.claim.reason,
        "citations": sources,
    }


def _citation_page(citation: Citation, page: _Page) -> dict[str, Any]:
    position = page.positions.get((citation.version_id, citation.paragraph_id))
    place = f"{position.ordinal}:{citation.start}-{citation.end}" if position else ""
    return {
        "number": page.numbers.get(citation.paragraph_id, 0),
        "quote": " ".join(citation.quote.split()),
        "stands_at": (
            str(citation.paragraph.document_id),
            citation.version.number,
            position.ordinal if position else None,
        ),
        "document_title": citation.paragraph.document.title,
        "heading": position.heading_path[-1] if position and position.heading_path else "",
        "page_label": citation.page_label if citation.version.kind == "pdf" else "",
        "needs_a_look": citation.page in pages_to_check(citation.version.warnings),
        "version_number": citation.version.number,
        "changed": change_words(page.changes.get(citation.pk), number=citation.version.number),
        "sha256": citation.version.sha256,
        "place": place,
        "url": reader_url(
            slug=page.slug,
            document_id=citation.paragraph.document_id,
            version=citation.version.number,
            places=[place],
            answer_id=page.answer_id,
        ),
    }


def _sources(shown: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [citation for claim in shown for citation in claim["citations"]]


def _passages(
    answer: Answer, rows: Sequence[dict[str, Any]], shown: Sequence[dict[str, Any]], slug: str
) -> list[dict[str, Any]]:
    """The passages that were read, cited ones first, with the quoted words marked."""
    cited: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for citation in _sources(shown):
        cited.setdefault(citation["stands_at"], []).append(citation)
    is_silent = answer.state == AnswerState.INSUFFICIENT_EVIDENCE
    languages = languages_differ(answer) if is_silent else ""
    passages = [
        _passage(row, cited.get((row["document_id"], row["version"], row["ordinal"]), []), answer, slug)
        | {"shortfall": (languages or _shortfall(row)) if is_silent else ""}
        for row in rows
    ]
    return sorted(passages, key=lambda p: (p["citation_number"] or 999, p["rank"]))


def _passage(row: dict[str, Any], citations: list[dict[str, Any]], answer: Answer, slug: str) -> dict[str, Any]:
    place = f"{row['ordinal']}:0-{len(row['text'])}"
    url = reader_url(
        slug=slug, document_id=row["document_id"], version=row["version"], places=[place], answer_id=answer.pk
    )
    return {
        "rank": row["rank"],
        "is_read": row.get("read", True),
        "changed": next((c["changed"] for c in citations if c["changed"]), ""),
        "paragraph_id": row["paragraph_id"],
        "citation_number": citations[0]["number"] if citations else None,
        "document_title": row["document"],
        "heading": row["heading"].rsplit(" › ", 1)[-1],
        "page_label": row["page_label"] if row["kind"] == "pdf" else "",
        "text": row["text"],
        "segments": _marked(row["text"], [c["quote"] for c in citations]),
        "strength": _strength(row),
        "url": citations[0]["url"] if citations else url,
        "also_in": citations[0].get("also_in", []) if citations else [],
        "scores": [row["stages"].get(name, "–") for name in _score_columns(answer)],
        "node": _node(row),
    }


def _node(row: dict[str, Any]) -> list[tuple[str, Any]]:
    """Where a passage comes from and what the search made of it, for those who look behind it."""
    facts = [
        ("Document", row["document"]),
        ("Version", row["version"]),
        ("Page", row["page_label"] if row["kind"] == "pdf" else ""),
        ("Headings", row["heading"]),
        ("Paragraph", row["paragraph_id"]),
        ("Rank and score", f"{row['rank']}, {row['score']}"),
    ]
    return [(name, value) for name, value in facts if value]


def _marked(text: str, quotes: Sequence[str]) -> list[dict[str, Any]]:
    flat = " ".join(text.split())
    spans = sorted((flat.find(quote), len(quote)) for quote in quotes if quote and quote in flat)
    segments, at = [], 0
    for start, length in spans:
        if start < at:
            continue
        segments += [
            {"text": flat[at:start], "is_highlighted": False},
            {"text": flat[start : start + length], "is_highlighted": True},
        ]
        at = start + length
    return [*segments, {"text": flat[at:], "is_highlighted": False}]


def _strength(row: dict[str, Any]) -> str:
    cosine = row["cosine"] or 0.0
    return "states this directly" if cosine >= STRONG_COSINE else "implies" if cosine >= FAIR_COSINE else "mentions"


def _shortfall(row: dict[str, Any]) -> str:
    missing = row.get("missing") or []
    if missing:
        return f"does not mention {', '.join(f'“{word}”' for word in missing[:3])}."
    return "covers the topic but does not answer the question."


def _score_columns(answer: Answer) -> list[str]:
    return sorted({name for row in answer.evidence for name in row["stages"]})
