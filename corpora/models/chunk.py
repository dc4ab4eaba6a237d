"""What is searched: chunks of a version made by one chunker, and their embeddings."""

import uuid

from django.db import models
from pgvector.django import VectorField

from corpora.models.corpus import Corpus
from corpora.models.document import Document, DocumentVersion
from legalqa.accounts.scoping import OrganizationModel


class ChunkSet(OrganizationModel):
    """All chunks of a corpus made by one chunker configuration; one set a corpus is live."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    chunker = models.JSONField()
    fingerprint = models.CharField(max_length=64)
    is_live = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "corpus"],
                condition=models.Q(is_live=True),
                name="chunk_set_live_once",
            ),
        ]

    def __str__(self) -> str:
        return str(self.chunker.get("kind", ""))


class Chunk(OrganizationModel):
    """One indexed unit. `terms`, `counts`, `length` are its BM25 row, the transactional truth of sparse search.

    `is_live` is set in the transaction that publishes its version, so a search never sees half a document.
    """

    id = models.BigAutoField(primary_key=True)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    chunk_set = models.ForeignKey(ChunkSet, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    version = models.ForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    ordinal = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    first_paragraph = models.PositiveIntegerField()
    last_paragraph = models.PositiveIntegerField()
    heading = models.TextField(default="")
    text = models.TextField()
    is_live = models.BooleanField(default=False)
    terms = models.BinaryField()
    counts = models.BinaryField()
    length = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "version", "chunk_set", "ordinal"], name="chunk_once"),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="chunk_span_ordered"),
        ]
        indexes = [models.Index(fields=["organization", "chunk_set", "is_live"], name="chunk_live")]

    def __str__(self) -> str:
        return f"chunk {self.ordinal}"


class Embedding(OrganizationModel):
    """The vector of one window of a chunk by one encoder; unit length. `text_hash` lets a re-upload reuse it."""

    id = models.BigAutoField(primary_key=True)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    encoder = models.CharField(max_length=80)
    window = models.PositiveSmallIntegerField()
    text_hash = models.CharField(max_length=64)
    is_live = models.BooleanField(default=False)
    vector = VectorField(dimensions=384)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "chunk", "encoder", "window"], name="embedding_once"),
        ]
        indexes = [
            models.Index(fields=["organization", "encoder", "text_hash"], name="embedding_by_text"),
            models.Index(fields=["organization", "corpus", "encoder", "is_live"], name="embedding_live"),
        ]

    def __str__(self) -> str:
        return f"{self.encoder} window {self.window}"
