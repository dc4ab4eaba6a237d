"""A search as the API and the command line give it."""

from typing import Any

from retrieval.services.search import Passage, SearchResult
from retrieval.types import SideEvidence


def search_document(*, result: SearchResult, k: int) -> dict[str, Any]:
    """The best k paragraphs with each stage's part, times and notes of the stages, and the settings that made them."""
    preset = result.request.preset
    return {
        "query": result.request.text,
        "rewriting": result.rewriting.as_step(),
        "hits": [hit_document(passage) for passage in result.passages[:k]],
        "side": [side_document(side) for side in result.side],
        "times": {timed.stage: round(timed.milliseconds, 2) for timed in result.times},
        "notes": [{"stage": timed.stage, "note": timed.note} for timed in result.times if timed.note],
        "settings": {"fingerprint": preset.fingerprint(), **preset.model_dump(mode="json")},
    }


def side_document(side: SideEvidence) -> dict[str, Any]:
    return {
        "kind": side.source.kind,
        "key": side.source.key,
        "text": side.text,
        "score": side.score,
        "stage": side.stage,
    }


def hit_document(passage: Passage) -> dict[str, Any]:
    return {
        "rank": passage.rank,
        "paragraph_id": passage.paragraph_id,
        "document_id": str(passage.document.pk),
        "document": passage.document.title,
        "version": passage.version_number,
        "page": passage.position.page,
        "page_label": passage.position.page_label,
        "heading": passage.heading,
        "score": passage.score,
        "stages": passage.stages,
        "text": passage.text,
        "matched_question": passage.question,
    }
