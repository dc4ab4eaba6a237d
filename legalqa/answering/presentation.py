"""The one answer object in words: for the page, the printable pack, the JSON pack, the API and the command line."""

from collections.abc import Sequence
from itertools import islice
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, QuerySet
from django.urls import reverse

from corpora.models import Corpus, Position
from corpora.parsers.reasons import pages_to_check
from corpora.selectors import document_rows, section_titles
from legalqa.accounts.models import Organization, User
from legalqa.answering.models import Answer, AnswerState, Citation, Verdict
from legalqa.answering.selectors import ClaimView, answer_list, claim_list, version_list_of_evidence
from retrieval.presets import PRESETS
from retrieval.selectors import corpus_size

NOT_LEGAL_ADVICE = "Quoted from the organisation's own documents. Not legal advice."
STEP_NAMES = {
    "encode": "Question encoded",
    "bm25.v1": "Searched by words",
    "dense.v1": "Searched by meaning",
    "paragraphs": "Passages opened",
    "sentences": "Sentences weighed",
    "gate": "Enough evidence?",
    "verify": "Statements checked",
}
NEAREST_SHOWN = 5
STRONG_COSINE, FAIR_COSINE = 0.62, 0.45  # ours: words for people, never a decision


def answer_document(*, answer: Answer) -> dict[str, Any]:
    """The answer as the API and the command line give it: shown and withheld claims, each with its citations."""
    claims = claim_list(answer=answer)
    return {
        "id": str(answer.pk),
        "question": answer.question.text,
        "corpus_id": str(answer.question.corpus_id),
        "state": answer.state,
        "mode": answer.mode,
        "notice": NOT_LEGAL_ADVICE,
        "why": answer.why,
        "text": " ".join(view.claim.text for view in claims if view.claim.is_shown),
        "claims": [_claim_document(view) for view in claims],
        "confidence": answer.confidence,
        "complexity": None,
        "contradictions": [],
        "settings": {"preset": answer.preset, "fingerprint": answer.fingerprint, **answer.pipeline},
        "seconds": answer.seconds,
        "cost": 0.0,
        "created_at": answer.created_at.isoformat(),
    }


def _claim_document(view: ClaimView) -> dict[str, Any]:
    return {
        "text": view.claim.text,
        "verdict": view.claim.verdict,
        "shown": view.claim.is_shown,
        "reason": view.claim.reason,
        "citations": [_citation_document(citation) for citation in view.citations[:1]],
        "also_in": [_citation_document(citation) for citation in view.citations[1:]],
    }


def _citation_document(citation: Citation) -> dict[str, Any]:
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
    }


def answer_pack(*, answer: Answer) -> dict[str, Any]:
    """The evidence pack: the answer, every candidate with its scores, and each step; for refusals too."""
    return {
        "answer": answer_document(answer=answer),
        "evidence": answer.evidence,
        "trace": answer.trace,
        "prompts": [],
        "files": [
            {
                "document_id": str(version.document_id),
                "document": version.document.name,
                "version": version.number,
                "sha256": version.sha256,
                "bytes": version.size,
            }
            for version in version_list_of_evidence(answer=answer)
        ],
    }


def answer_page(*, answer: Answer, slug: str) -> dict[str, Any]:
    """The context of the answer's page and of its printable pack."""
    views = claim_list(answer=answer)
    numbers = _numbers(views)
    ordinals = _ordinals(views)
    claims = [_claim_page(view, numbers, ordinals, answer, slug) for view in views]
    shown = [claim for claim in claims if claim["shown"]]
    passages = _passages(answer, shown, slug)
    return {
        "answer": _head(answer),
        "question": answer.question,
        "corpus": answer.question.corpus,
        "shown_claims": shown,
        "withheld_claims": [claim for claim in claims if not claim["shown"]],
        "n_claims": len(claims),
        "n_supported": sum(view.claim.verdict == Verdict.SUPPORTED for view in views),
        "n_sources": len(numbers),
        "sources": _sources(shown),
        "passages": passages,
        "n_uncited": sum(1 for passage in passages if not passage["citation_number"]),
        "trace": [_step(step) for step in answer.trace],
        "score_columns": _score_columns(answer),
        "settings_summary": _settings(answer),
    }


def _head(answer: Answer) -> dict[str, Any]:
    return {
        "id": answer.pk,
        "state": answer.state,
        "get_state_display": answer.get_state_display(),
        "reason": answer.why,
        "preset": answer.preset,
        "is_quoted": answer.mode == "extractive",
        "created_at": answer.created_at,
        "asked_by": answer.question.asker,
    }


def _numbers(views: Sequence[ClaimView]) -> dict[int, int]:
    """Source numbers by paragraph, in the order in which the shown claims cite them."""
    numbers: dict[int, int] = {}
    for view in views:
        for citation in view.citations[:1] if view.claim.is_shown else ():
            numbers.setdefault(citation.paragraph_id, len(numbers) + 1)
    return numbers


def _ordinals(views: Sequence[ClaimView]) -> dict[tuple[UUID, int], Position]:
    """Where each cited paragraph stands in the version it was read in."""
    citations = [c for view in views for c in view.citations]
    positions = Position.objects.filter(
        version_id__in={c.version_id for c in citations}, paragraph_id__in={c.paragraph_id for c in citations}
    )
    return {(p.version_id, p.paragraph_id): p for p in positions}


def _claim_page(
    view: ClaimView,
    numbers: dict[int, int],
    positions: dict[tuple[UUID, int], Position],
    answer: Answer,
    slug: str,
) -> dict[str, Any]:
    citations = [_citation_page(c, numbers, positions, answer, slug) for c in view.citations]
    for main in citations[:1]:
        main["also_in"] = citations[1:]
    return {
        "text": view.claim.text,
        "verdict": view.claim.verdict,
        "shown": view.claim.is_shown,
        "reason": view.claim.reason,
        "citations": citations[:1],
    }


def _citation_page(
    citation: Citation,
    numbers: dict[int, int],
    positions: dict[tuple[UUID, int], Position],
    answer: Answer,
    slug: str,
) -> dict[str, Any]:
    position = positions.get((citation.version_id, citation.paragraph_id))
    place = f"{position.ordinal}:{citation.start}-{citation.end}" if position else ""
    return {
        "number": numbers.get(citation.paragraph_id, 0),
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
        "sha256": citation.version.sha256,
        "url": reader_url(
            slug=slug,
            document_id=citation.paragraph.document_id,
            version=citation.version.number,
            place=place,
            answer_id=answer.pk,
        ),
    }


def reader_url(*, slug: str, document_id: UUID | str, version: int, place: str, answer_id: UUID) -> str:
    """The reader, open at the version and words that were cited, with the way back to the answer."""
    query = {"v": version, "at": place, "answer": answer_id}
    return f"{reverse('document_detail', args=(slug, document_id))}?{urlencode({k: v for k, v in query.items() if v})}"


def _sources(shown: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [citation for claim in shown for citation in claim["citations"]]


def _passages(answer: Answer, shown: Sequence[dict[str, Any]], slug: str) -> list[dict[str, Any]]:
    """The passages that were read, cited ones first, with the quoted words marked."""
    cited: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for citation in _sources(shown):
        cited.setdefault(citation["stands_at"], []).append(citation)
    passages = [
        _passage(row, cited.get((row["document_id"], row["version"], row["ordinal"]), []), answer, slug)
        for row in answer.evidence
    ]
    return sorted(passages, key=lambda p: (p["citation_number"] or 999, p["rank"]))


def _passage(row: dict[str, Any], citations: list[dict[str, Any]], answer: Answer, slug: str) -> dict[str, Any]:
    place = f"{row['ordinal']}:0-{len(row['text'])}"
    url = reader_url(
        slug=slug, document_id=row["document_id"], version=row["version"], place=place, answer_id=answer.pk
    )
    return {
        "rank": row["rank"],
        "citation_number": citations[0]["number"] if citations else None,
        "document_title": row["document"],
        "heading": row["heading"].rsplit(" › ", 1)[-1],
        "page_label": row["page_label"] if row["kind"] == "pdf" else "",
        "text": row["text"],
        "segments": _marked(row["text"], [c["quote"] for c in citations]),
        "strength": _strength(row),
        "shortfall": _shortfall(row) if answer.state == AnswerState.INSUFFICIENT_EVIDENCE else "",
        "url": citations[0]["url"] if citations else url,
        "also_in": citations[0]["also_in"] if citations else [],
        "scores": [row["stages"].get(name, "–") for name in _score_columns(answer)],
    }


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
        return f"does not speak of {', '.join(f'“{word}”' for word in missing[:3])}."
    return "speaks of the subject, but does not state what was asked."


def _step(step: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": STEP_NAMES.get(step["step"], step["step"]),
        "detail": _step_detail(step),
        "milliseconds": step.get("milliseconds"),
    }


def _step_detail(step: dict[str, Any]) -> str:
    match step["step"]:
        case "encode":
            return ""
        case "gate":
            return "yes" if step["open"] else "no"
        case "verify":
            return f"{step['shown']} of {step['checked']} shown"
    return f"{step['hits']} found"


def _score_columns(answer: Answer) -> list[str]:
    return sorted({name for row in answer.evidence for name in row["stages"]})


def _settings(answer: Answer) -> list[dict[str, Any]]:
    preset = PRESETS.get(answer.preset)
    return [
        {"label": "Method", "value": preset.title if preset else answer.preset},
        {"label": "Settings", "value": answer.fingerprint[:12]},
        {"label": "Took", "value": f"{answer.seconds:.2f} s"},
    ]


def history_rows(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """Rows of the history and of "recent questions"."""
    return [
        {
            "answer_id": answer.pk,
            "text": answer.question.text,
            "state": answer.state,
            "created_at": answer.created_at,
            "corpus_name": answer.question.corpus.name,
        }
        for answer in answers
    ]


def recent(*, organization: Organization, user: User) -> list[dict[str, Any]]:
    return history_rows(list(answer_list(organization=organization, user=user)[:12]))


def silence(*, organization: Organization, corpus: Corpus, answer: Answer) -> dict[str, Any]:
    """What the page of an unanswered question adds: what was searched, other words, what may be missing."""
    rows = document_rows(organization=organization, corpus=corpus)
    n_ready = sum(row.document.current_id is not None for row in rows)
    unknown = sorted({word for row in answer.evidence for word in row.get("unknown", ())})
    missing = [f"A document that speaks of “{word}”: no document of this corpus does." for word in unknown[:3]]
    return {
        "searched": {
            "n_documents": n_ready,
            "n_passages": corpus_size(corpus=corpus),
            "n_unread": len(rows) - n_ready,
        },
        "suggestions": _suggestions(answer),
        "missing_documents": missing,
    }


def nearest(passages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The few nearest passages of an unanswered question; the same words in another file are told as "also in"."""
    shown: dict[str, dict[str, Any]] = {}
    for passage in passages:
        words = "".join(c for c in passage["text"].lower() if c.isalnum())
        if words in shown:
            shown[words]["also_in"].append({key: passage[key] for key in ("document_title", "page_label", "url")})
        else:
            shown[words] = passage | {"also_in": []}
    return list(shown.values())[:NEAREST_SHOWN]


def _suggestions(answer: Answer) -> list[str]:
    """Questions after the headings of the nearest passages: words that the documents themselves use."""
    headings = []
    for row in answer.evidence:
        heading = row["heading"].rsplit(" › ", 1)[-1].strip(" .:")
        if heading and heading not in headings:
            headings.append(heading)
    return [f"What is said under “{heading}”?" for heading in headings[:3]]


def history_filters(answers: QuerySet[Answer], *, active: str) -> list[dict[str, Any]]:
    """Links that show answers in one state, each with its count."""
    counts = dict(answers.order_by().values_list("state").annotate(n=Count("pk")))
    if not counts:
        return []
    chips = [{"url": "?", "label": "All", "count": sum(counts.values()), "is_active": not active}]
    return chips + [
        {
            "url": f"?state={s.value}",
            "label": s.label,
            "count": counts[s.value],
            "is_active": active == s.value,
        }
        for s in AnswerState
        if s.value in counts
    ]


def examples(corpora: Sequence[Corpus]) -> list[dict[str, Any]]:
    """Questions to try, from what the ready documents call their own sections."""
    questions = (
        {"corpus_id": corpus.pk, "text": f"What is said about “{title}”?", "kind": corpus.name}
        for corpus in corpora
        for title in section_titles(corpus=corpus, limit=3)
    )
    return list(islice(questions, 6))
