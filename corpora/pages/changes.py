"""The page that shows two versions of a document in one."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from corpora.differences import Difference, counts
from corpora.models import DocumentVersion
from corpora.versions import version_comparison
from legalqa.accounts.models import Organization, User


def changes_page(*, organization: Organization, user: User, document_id: UUID, query: Any) -> dict[str, Any]:
    """The context of the page that shows two versions in one."""
    comparison = version_comparison(
        organization=organization,
        user=user,
        document_id=document_id,
        old=query.get("old", ""),
        new=query.get("new", ""),
    )
    document, old, new, differences = comparison.document, comparison.old, comparison.new, comparison.differences
    shows_all = query.get("all") == "1"
    reader = reverse("document_detail", args=(organization.slug, document.pk))
    rows: list[dict[str, Any]] = []
    number = 0
    for difference in differences:
        if difference.origin == "same" and not shows_all:
            if rows and "n_same" in rows[-1]:
                rows[-1]["n_same"] += 1
            else:
                rows.append({"n_same": 1})
            continue
        number += difference.origin != "same"
        rows.append(_row(difference, number, reader, old, new))
    base = reverse("document_changes", args=(organization.slug, document.pk))
    return {
        "document": document,
        "corpus": document.corpus,
        "old": old,
        "new": new,
        "versions": comparison.readable,
        "is_short": comparison.is_short,
        "rows": rows,
        "counts": counts(differences),
        "n_changes": number,
        "shows_all": shows_all,
        "old_url": f"{reader}?v={old.number}",
        "new_url": f"{reader}?v={new.number}",
        "other_url": f"{base}?{urlencode({'old': old.number, 'new': new.number} | ({} if shows_all else {'all': 1}))}",
    }


def _row(
    difference: Difference, number: int, reader: str, old: DocumentVersion, new: DocumentVersion
) -> dict[str, Any]:
    paragraph = difference.new or difference.old
    assert paragraph is not None
    version = new if difference.new is not None else old
    words = " ".join(paragraph.text.split())
    mark = f"{paragraph.ordinal}:0-{len(paragraph.text.rstrip()) or 1}"
    return {
        "origin": difference.origin,
        "number": number if difference.origin != "same" else 0,
        "text": words,
        "words": difference.words,
        "url": f"{reader}?{urlencode({'v': version.number, 'at': mark})}",
        "from": difference.old.ordinal + 1 if difference.origin == "moved" and difference.old else 0,
    }
