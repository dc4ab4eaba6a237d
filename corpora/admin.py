"""Operators' pages about corpora and documents: which there are and their state, not their contents."""

from django.contrib import admin

from corpora.models import Corpus, CorpusMember, Document, DocumentVersion
from legalqa.common.admin import ReadOnlyAdmin


@admin.register(Corpus)
class CorpusAdmin(ReadOnlyAdmin[Corpus]):
    list_display = ("name", "language", "is_walled", "version", "created_at")
    ordering = ("name",)


@admin.register(CorpusMember)
class CorpusMemberAdmin(ReadOnlyAdmin[CorpusMember]):
    list_display = ("corpus", "user")
    list_select_related = ("corpus", "user")


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin[Document]):
    """By the file's name: the title is read from its text."""

    list_display = ("name", "corpus", "created_at", "removed_at")
    list_select_related = ("corpus",)
    search_fields = ("name",)


@admin.register(DocumentVersion)
class DocumentVersionAdmin(ReadOnlyAdmin[DocumentVersion]):
    list_display = ("document", "number", "state", "reason", "kind", "size", "n_pages", "n_chunks", "created_at")
    list_select_related = ("document",)
    list_filter = ("state", "kind", "reason")
