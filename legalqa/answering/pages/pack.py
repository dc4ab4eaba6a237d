"""The evidence pack: the answer with everything that was read, asked and decided for it, as a page and as JSON.

It names documents as they were called when the answer was given, whatever their titles are now.
"""

from typing import Any

from legalqa.answering.models import Answer
from legalqa.answering.pages.answer import answer_document, answer_page
from legalqa.answering.pages.settings import call_rows, calls_made, prompts_used, settings_words
from legalqa.answering.selectors import version_list_of_evidence


def answer_pack(*, answer: Answer) -> dict[str, Any]:
    """The answer, every passage that was read with its scores, each step and each call of a model; for refusals too.

    Of a passage, `read` says that the answer was drawn from it, `sent` that a model which wrote was given it.
    """
    n_sent = answer.generation.get("n_passages", 0)
    return {
        "answer": answer_document(answer=answer, as_given=True),
        "evidence": [row | {"sent": place < n_sent} for place, row in enumerate(answer.evidence)],
        "trace": answer.trace,
        "settings": settings_words(answer),
        "calls": calls_made(answer),
        "prompts": prompts_used(answer),
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


def pack_page(*, answer: Answer, slug: str) -> dict[str, Any]:
    """The context of the printable pack: the page of the answer, and what was read or sent to a model and not cited."""
    context = answer_page(answer=answer, slug=slug, as_given=True)
    rows = answer.evidence[: answer.generation.get("n_passages", 0)]
    ranks = {row["rank"] for row in rows}
    places = {(row["document_id"], row["version"], row["ordinal"]) for row in rows}
    passages = [passage | {"is_sent": passage["rank"] in ranks} for passage in context["passages"]]
    return context | {
        "n_sent": len(rows),
        "sources": [source | {"is_sent": source["stands_at"] in places} for source in context["sources"]],
        "passages": passages,
        "not_cited": [p for p in passages if (p["is_read"] or p["is_sent"]) and not p["citation_number"]],
        "settings": settings_words(answer),
        "calls": call_rows(answer),
        "prompts": prompts_used(answer),
    }
