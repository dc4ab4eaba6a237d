"""The names of documents that a person may ask, for the form of a question."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Literal
from uuid import UUID

from django.db.models import Q

from corpora.models import Document
from legalqa.accounts.models import Organization


def field_values(
    *, organization: Organization, corpus_id: str, field: Literal["jurisdiction", "authority"]
) -> list[str]:
    """The values of a field among the documents of a corpus, by name; none if the id names no corpus."""
    documents = Document.objects.filter(organization=organization, removed_at=None).exclude(**{field: ""})
    documents = documents.filter(corpus_id__in=ids_in([corpus_id]))
    return list(documents.order_by(field).values_list(field, flat=True).distinct())


def document_choices(
    *, organization: Organization, corpus_id: str, words: str, ticked: Sequence[str], limit: int
) -> list[tuple[str, str]]:
    """Searchable documents of a corpus as (id, title): the ticked ones first, then those that the words find, by title.

    Args:
        organization: Whose documents.
        corpus_id: The corpus, as a form names it; what is not an id names none.
        words: Every one must be in the title or the file name.
        ticked: Ids of documents that are shown whatever the words are.
        limit: Most documents that are found.
    """
    documents = Document.objects.filter(organization=organization, removed_at=None).exclude(current=None)
    documents = documents.filter(corpus_id__in=ids_in([corpus_id])).order_by("title", "pk")
    rows = list(documents.filter(pk__in=ids_in(ticked)).values_list("pk", "title"))
    for word in words.split():
        documents = documents.filter(Q(title__icontains=word) | Q(name__icontains=word))
    others = documents.exclude(pk__in=[pk for pk, _ in rows]).values_list("pk", "title")[:limit]
    return [(str(pk), title) for pk, title in (*rows, *others)]


def ids_in(texts: Sequence[str]) -> list[UUID]:
    """The ids among texts, in order."""
    ids = []
    for text in texts:
        with suppress(ValueError):
            ids.append(UUID(str(text)))
    return ids
