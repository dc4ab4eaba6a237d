"""Filters of the lists of corpora, for pages and endpoints."""

from typing import Any, ClassVar

from django.db.models import F, OrderBy, Q, QuerySet
from django.db.models.functions import Lower
from django_filters import CharFilter

from corpora.models import Document
from legalqa.common.filters import ListFilter, one_of

NOT_SEARCHED = "not_searched"
GROUPS = {"ready": "Ready", "working": "In progress", "attention": "Needs attention"}


class DocumentFilter(ListFilter):
    """Narrows and sorts `documents_in_groups`; documents with equal sort keys stay in the order of their names."""

    KEYS: ClassVar[dict[str, Any]] = {
        "title": Lower("title"),
        "state": F("group"),
        "date": F("newest_at"),
        "pages": F("newest_pages"),
    }

    state = one_of(
        [*GROUPS, NOT_SEARCHED],
        method="in_state",
        words="`attention`: not ready, and no work on it is under way. `not_searched`: no version is searched yet.",
    )
    search = CharFilter(method="with_words", max_length=100, help_text="Words in the title or the file name.")
    order = one_of(
        [sign + key for key in KEYS for sign in ("", "-")],
        method="sorted",
        words="`date` is when the newest version was added. A leading `-` reverses the order. Default: by name.",
    )

    def in_state(self, documents: QuerySet[Document], _: str, state: str) -> QuerySet[Document]:
        if state == NOT_SEARCHED:
            return documents.filter(current=None)
        return documents.filter(group=state)  # type: ignore[misc]  # annotated by documents_in_groups

    def with_words(self, documents: QuerySet[Document], _: str, words: str) -> QuerySet[Document]:
        for word in words.split():
            documents = documents.filter(Q(title__icontains=word) | Q(name__icontains=word))
        return documents

    def sorted(self, documents: QuerySet[Document], _: str, order: str) -> QuerySet[Document]:
        key = OrderBy(self.KEYS[order.removeprefix("-")], descending=order.startswith("-"))
        return documents.order_by(key, *documents.query.order_by)
