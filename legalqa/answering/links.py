"""Links from an answer into the reader, which leads back to it, and those that narrow a list."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from corpora.pages.reader import MAX_MARKS


def reader_url(*, slug: str, document_id: UUID | str, version: int, places: Sequence[str], answer_id: UUID) -> str:
    """The reader, open at the version and the first of the words that were cited, with the way back to the answer."""
    query = [("v", version), *(("at", place) for place in places[:MAX_MARKS] if place), ("answer", answer_id)]
    return f"{reverse('document_detail', args=(slug, document_id))}?{urlencode(query)}"


def filter_link(label: str, n: int, *, is_active: bool, **query: str) -> dict[str, Any]:
    """A link that narrows a list, with the number of rows that remain; empty parameters are left out of its query."""
    url = f"?{urlencode({name: value for name, value in query.items() if value})}"
    return {"url": url, "label": label, "count": n, "is_active": is_active}


def link_all(sources: Sequence[dict[str, Any]], *, slug: str, answer_id: UUID) -> None:
    """Let each citation open its document with all cited passages marked, its own first."""
    places: dict[tuple[str, int], list[str]] = {}
    for source in sources:
        own = places.setdefault(source["stands_at"][:2], [])
        if source["place"] and source["place"] not in own:
            own.append(source["place"])
    for source in sources:
        document_id, version, _ = source["stands_at"]
        others = places[document_id, version]
        at = others.index(source["place"]) if source["place"] else 0
        source["url"] = reader_url(
            slug=slug,
            document_id=document_id,
            version=version,
            places=others[at:] + others[:at] if source["place"] else [],
            answer_id=answer_id,
        )
