"""The one answer object: for the page, the API and the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from corpora.models import Position
from corpora.parsers.reasons import pages_to_check
from legalqa.answering.links import link_all, reader_url
from legalqa.answering.models import Answer, AnswerMode, AnswerState, Citation, Question, Verdict
from legalqa.answering.outdated import Change, change_words, changes_by_citation
from legalqa.answering.pages.asked import asked_page
from legalqa.answering.pages.conflicts import conflict_documents, conflicts_page
from legalqa.answering.pages.layout import (
    TOLD_ABOVE,
    UNANSWERED,
    Part,
    answer_text,
    flat,
    layout_of,
    more_words,
    segments,
)
from legalqa.answering.pages.passages import (
    also_on,
    document_of_all,
    likeliest_document,
    outline,
    passages_of,
    score_columns,
)
from legalqa.answering.pages.promises import promises
from legalqa.answering.pages.settings import cost_of, settings_summary
from legalqa.answering.pages.similar import similar_cases, similar_document
from legalqa.answering.pages.trace import reading_words, step_document, steps_words
from legalqa.answering.pages.wording import copy_text
from legalqa.answering.places import heading_name
from legalqa.answering.selectors import ClaimView, answer_again, claim_list, evidence_now
from legalqa.answering.strategies.quoted import NOT_SET_UP
from legalqa.answering.strategies.written import CHECKED_ANYWAY
from legalqa.answering.taking_effect import TakingEffect, taking_effect
from legalqa.answering.types import question_notice, silence_title

Positions = Mapping[tuple[UUID, int], Position]  # by version and paragraph

NOTICES = {
    AnswerMode.EXTRACTIVE: "Quoted from the organisation's own documents. Not legal advice.",
    AnswerMode.WRITTEN: (
        "Written by a language model from the organisation's own documents, each statement checked against the "
        "passages it cites. Not legal advice."
    ),
}


def answer_document(*, answer: Answer, as_given: bool = False) -> dict[str, Any]:
    """The answer as the API and the command line give it: shown and withheld claims, each with its citations.

    Documents have the titles that they have now or, `as_given`, the ones that they had then.
    """
    views = _claims(answer, as_given=as_given)
    changes = changes_by_citation(answer_ids=[answer.pk])
    positions = _positions(views)
    claims = [_claim_document(view, changes, positions) for view in views]
    is_outdated = _is_outdated(views, changes)
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
        "text": answer_text([claim for claim in claims if claim["shown"]], answer.composition),
        "claims": claims,
        "composition": {key: value for key, value in answer.composition.items() if key != "likeliest"},
        "likeliest": likeliest_document(answer),
        "outdated": is_outdated,
        "taking_effect": [_effect_document(effect) for effect in _effects(answer, views)],
        "word_for_word": answer.mode == AnswerMode.EXTRACTIVE and not is_outdated,
        "confidence": answer.confidence,
        # None where the settings detect none, or the search has not begun.
        "complexity": next((step["class"] for step in answer.trace if step["step"] == "complexity"), None),
        "contradictions": [
            *(claim for claim in claims if claim["verdict"] == Verdict.CONTRADICTED),
            *conflict_documents(answer=answer, claims=claims),
        ],
        "similar": similar_document(answer),
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
        "again_of": answer.asked.get("again_of"),
        "as_of": answer.as_of,
        "filters": answer.asked.get("filters", {}),
        "created_at": answer.created_at.isoformat(),
    }


def _claims(answer: Answer, *, as_given: bool) -> list[ClaimView]:
    views = claim_list(answer=answer)
    then = {row["document_id"]: row["document"] for row in answer.evidence} if as_given else {}
    for document in (citation.paragraph.document for view in views for citation in view.citations):
        document.title = then.get(str(document.pk), document.title)
    return views


def _effects(answer: Answer, views: Sequence[ClaimView]) -> list[TakingEffect]:
    """The versions of the cited documents that take effect on a later day."""
    citations = [citation for view in views if view.claim.is_shown for citation in view.sources]
    return taking_effect(answer=answer, citations=citations)


def _effect_document(effect: TakingEffect) -> dict[str, Any]:
    return {
        "document_id": str(effect.document_id),
        "version": effect.version,
        "effective_date": effect.effective.isoformat(),
        "version_until_then": effect.until,
        "is_cited": effect.is_cited,
        "text": effect.words,
    }


def _is_outdated(claims: Sequence[ClaimView], changes: Mapping[int, Change]) -> bool:
    """Whether a source of a shown claim is no longer what was read."""
    return any(citation.pk in changes for view in claims if view.claim.is_shown for citation in view.sources)


def _claim_document(view: ClaimView, changes: Mapping[int, Change], positions: Positions) -> dict[str, Any]:
    return {
        "text": view.claim.text,
        "verdict": view.claim.verdict,
        "shown": view.claim.is_shown,
        "reason": view.claim.reason,
        "part": view.claim.part,
        "provision": view.claim.provision,
        "answer_start": view.claim.answer_start,
        "answer_end": view.claim.answer_end,
        "citations": [_citation_document(citation, changes, positions) for citation in view.sources],
        "also_in": [_citation_document(citation, changes, positions) for citation in view.also_in],
    }


def _citation_document(citation: Citation, changes: Mapping[int, Change], positions: Positions) -> dict[str, Any]:
    paragraph = citation.paragraph
    position = positions.get((citation.version_id, citation.paragraph_id))
    return {
        "paragraph_id": paragraph.shown_id,
        "document_id": str(paragraph.document_id),
        "document": paragraph.document.title,
        "version": citation.version.number,
        "heading": " › ".join(position.headings) if position else "",
        "page": citation.page,
        "page_label": citation.page_label,
        "needs_a_look": citation.page in pages_to_check(citation.version.warnings),
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
        "changed": changes.get(citation.pk),
    }


def turn_page(*, answer: Answer, slug: str, as_given: bool = False) -> dict[str, Any]:
    """The context of an answer as one turn of its conversation: question and answer."""
    views = _claims(answer, as_given=as_given)
    changes = changes_by_citation(answer_ids=[answer.pk])
    of_page = _Page(answer.pk, slug, _numbers(views), _positions(views), changes)
    claims = [_claim_page(place, view, of_page) for place, view in enumerate(views, start=1)]
    shown = [claim for claim in claims if claim["shown"]]
    link_all(_sources(shown), slug=slug, answer_id=answer.pk)
    is_outdated = _is_outdated(views, changes)
    return {
        "answer": _head(answer) | {"is_outdated": is_outdated},
        "promises": promises(answer, is_outdated=is_outdated),
        "question": answer.question,
        "asked": asked_page(answer=answer, effects=_effects(answer, views), as_given=as_given),
        "corpus": answer.question.corpus,
        "shown_claims": shown,
        "conflicts": conflicts_page(answer=answer, cited=_cited(views), slug=slug),
        "withheld_claims": [claim for claim in claims if not claim["shown"]],
        "parts": [_part_page(part) for part in layout_of(shown, answer.composition)],
        "more": more_words(answer.composition),
        "n_claims": len(claims),
        "n_supported": sum(view.claim.verdict == Verdict.SUPPORTED for view in views),
        "n_sources": len(of_page.numbers),
    }


def _follows(answer: Answer) -> Question | None:
    """The question that this one follows up; not one of another corpus, as older versions allowed."""
    former = answer.question.follows
    return former if former and former.corpus_id == answer.question.corpus_id else None


def answer_page(*, answer: Answer, slug: str, as_given: bool = False) -> dict[str, Any]:
    """The context of the answer's page and, `as_given` with the titles of documents then, of its printable pack."""
    context = turn_page(answer=answer, slug=slug, as_given=as_given)
    claims = context["shown_claims"]
    rows = answer.evidence if as_given else evidence_now(answer=answer)
    passages = passages_of(answer, rows, _sources(claims), slug)
    also = also_on(answer, passages)
    apart = {passage["rank"] for passage in also}
    provisions = outline(answer, passages)
    context |= {
        "reading": reading_words(answer.trace),
        "suggestion": answer.composition.get("suggestion", ""),
        "text": answer_text(claims, answer.composition, without=UNANSWERED),
        "sources": _sources(claims),
        "passages": passages,
    }
    return context | {
        "follows": _follows(answer),
        "copy_text": copy_text(context),
        "also": also,
        "outline": provisions,
        "outline_document": document_of_all(provisions),
        "uncited": [p for p in passages if not p["citation_number"] and p["rank"] not in apart],
        "trace": steps_words(answer.trace),
        "score_columns": score_columns(answer),
        "settings_summary": settings_summary(answer, context["asked"]),
        "similar": similar_cases(answer),
    }


def _cited(views: Sequence[ClaimView]) -> list[str]:
    """The ids of the paragraphs that shown claims cite."""
    paragraphs = (citation.paragraph for view in views if view.claim.is_shown for citation in view.citations)
    return [paragraph.shown_id for paragraph in paragraphs]


def _head(answer: Answer) -> dict[str, Any]:
    return {
        "id": answer.pk,
        "state": answer.state,
        "reason": answer.why,
        "silence_title": silence_title(answer.composition),
        "is_quoted": answer.mode == AnswerMode.EXTRACTIVE,
        "label": answer.get_mode_display(),
        "notice": NOTICES[AnswerMode(answer.mode)],
        "notes": [note for note in (_model_note(answer), question_notice(answer.composition)) if note],
        "created_at": answer.created_at,
        "asked_by": answer.question.asker,
        "as_of": answer.as_of,
        "again_of": answer.asked.get("again_of"),
        "asked_again": answer_again(answer=answer),
    }


def _model_note(answer: Answer) -> str:
    """What must be said of the language model: that none is set up, that it failed, that another one answered, …"""
    generation = answer.generation
    if answer.state == AnswerState.INSUFFICIENT_EVIDENCE or not (generation or answer.why == NOT_SET_UP):
        return ""
    if answer.mode == AnswerMode.EXTRACTIVE:
        return answer.why
    if answer.why.endswith(CHECKED_ANYWAY):
        return answer.why
    return f"The first provider did not answer; {generation['provider']} did." if generation.get("is_fallback") else ""


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
    positions: Positions
    changes: Mapping[int, Change]


def _positions(views: Sequence[ClaimView]) -> Positions:
    """Where each cited paragraph is in the version it was read in."""
    citations = [c for view in views for c in view.citations]
    positions = Position.objects.filter(
        version_id__in={c.version_id for c in citations}, paragraph_id__in={c.paragraph_id for c in citations}
    )
    return {(p.version_id, p.paragraph_id): p for p in positions}


def _claim_page(place: int, view: ClaimView, page: _Page) -> dict[str, Any]:
    claim = view.claim
    sources = [_citation_page(citation, page) for citation in view.sources]
    for main in sources[:1]:
        main["also_in"] = [_citation_page(citation, page) for citation in view.also_in]
    return {
        "place": place,
        "text": claim.text,
        "segments": segments(claim.text, claim.answer_start, claim.answer_end),
        "part": claim.part,
        "provision": claim.provision,
        "marks": [source["number"] for source in sources],
        "verdict": claim.verdict,
        "shown": claim.is_shown,
        "reason": claim.reason,
        "citations": sources,
    }


def _citation_page(citation: Citation, page: _Page) -> dict[str, Any]:
    position = page.positions.get((citation.version_id, citation.paragraph_id))
    place = f"{position.ordinal}:{citation.start}-{citation.end}" if position else ""
    return {
        "number": page.numbers.get(citation.paragraph_id, 0),
        "quote": flat(citation.quote),
        "paragraph_id": citation.paragraph.shown_id,
        "start": citation.start,
        "stands_at": (
            str(citation.paragraph.document_id),
            citation.version.number,
            position.ordinal if position else None,
        ),
        "document_title": citation.paragraph.document.title,
        "heading": heading_name(position.headings) if position else "",
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


def _sources(claims: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [citation for claim in claims for citation in claim["citations"]]


def _part_page(part: Part) -> dict[str, Any]:
    """A part of the question with its provisions, each with the place of its first claim and what became of it."""
    blocks = [
        {
            "lines": block.lines,
            "source": next((source for claim in block.claims for source in claim["citations"]), None),
            "changes": list(dict.fromkeys(s["changed"] for c in block.claims for s in c["citations"] if s["changed"])),
        }
        for block in part.blocks
    ]
    icon = "state-ok" if part.note == TOLD_ABOVE else "state-none"
    return {"text": part.text, "note": part.note, "icon": icon, "blocks": blocks}
