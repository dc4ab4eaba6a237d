"""The searched units: chunks of a version made by one chunker, and their embeddings."""

from django.db import models
from pgvector.django import VectorField

from corpora.models.corpus import Corpus
from corpora.models.document import Document, DocumentVersion
from legalqa.accounts.scoping import OrganizationModel, SameOrganizationKey, UuidModel


class ChunkSet(UuidModel):
    """All chunks of a corpus made by one chunker configuration.

    One set a corpus is live, and one more may be building beside it. Further ones are kept, to be compared with it by
    searches that name them. A retired set is never searched again; its chunks are removed in the background.

    Attributes:
        is_kept: It is not live, and stays to be compared. One that was made live is kept no more.
        filled_at: When a kept set last held every document with its vectors; part of what caches know it by.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    chunker = models.JSONField()
    fingerprint = models.CharField(max_length=64)
    context = models.CharField(max_length=10, default="heading")  # one of corpora.configs.CONTEXTS
    is_live = models.BooleanField(default=True)
    is_kept = models.BooleanField(default=False)
    filled_at = models.DateTimeField(null=True)
    retired_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "corpus"], condition=models.Q(is_live=True), name="chunk_set_live_once"
            ),
            models.UniqueConstraint(
                fields=["organization", "corpus"],
                condition=models.Q(is_live=False, is_kept=False, retired_at=None),
                name="chunk_set_building_once",
            ),
            models.UniqueConstraint(
                fields=["organization", "corpus", "fingerprint", "context"],
                condition=models.Q(is_kept=True, retired_at=None),
                name="chunk_set_kept_once",
            ),
        ]

    def __str__(self) -> str:
        return str(self.chunker.get("kind", ""))

    @property
    def name(self) -> str:
        """Its name in the settings of a search: the chunker, the beginning of its fingerprint, an uncommon context."""
        chunker = str(self.chunker.get("kind", "")).partition(".")[0]
        context = "" if self.context == "heading" else f"-{self.context}"
        return f"{chunker}-{self.fingerprint[:8]}{context}"


class Chunk(OrganizationModel):
    """One indexed unit. `terms`, `counts`, `length` are its BM25 row, the transactional truth of sparse search.

    `is_live` is set in the transaction that publishes its version, so a search never sees half a document. Those of a
    replaced version stay, not live, for searches as of a day on which it was in force.
    `context` is embedded before the text in the place of the heading; "" for the heading.
    `parent_ordinal` names the larger piece it is in: a row of the same version and set with `is_parent`, which is
    never searched and keeps no text of its own (its span in the version's text says what it holds).
    """

    id = models.BigAutoField(primary_key=True)
    corpus = SameOrganizationKey(Corpus)
    chunk_set = models.ForeignKey(ChunkSet, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    version = models.ForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    ordinal = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    first_paragraph = models.PositiveIntegerField()
    last_paragraph = models.PositiveIntegerField()
    heading = models.TextField(default="")
    context = models.TextField(default="")
    text = models.TextField()
    is_parent = models.BooleanField(default=False)
    parent_ordinal = models.PositiveIntegerField(null=True)
    is_live = models.BooleanField(default=False)
    terms = models.BinaryField()
    counts = models.BinaryField()
    length = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "version", "chunk_set", "ordinal"], name="chunk_once"),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="chunk_span_ordered"),
        ]
        indexes = [
            models.Index(fields=["organization", "chunk_set", "is_live"], name="chunk_live"),
            models.Index(
                fields=["organization", "version", "chunk_set", "parent_ordinal"],
                condition=models.Q(parent_ordinal__isnull=False),
                name="chunk_by_parent",
            ),
        ]

    def __str__(self) -> str:
        return f"chunk {self.ordinal}"


class Embedding(OrganizationModel):
    """The vector of one window of a chunk by one encoder; unit length. `text_hash` lets a re-upload reuse it.

    All vectors of one encoder have one number of dimensions; those of two encoders need not.
    """

    id = models.BigAutoField(primary_key=True)
    corpus = SameOrganizationKey(Corpus)
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    encoder = models.CharField(max_length=80)
    window = models.PositiveSmallIntegerField()
    text_hash = models.CharField(max_length=64)
    is_live = models.BooleanField(default=False)
    vector = VectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "chunk", "encoder", "window"], name="embedding_once")
        ]
        indexes = [
            models.Index(fields=["organization", "encoder", "text_hash"], name="embedding_by_text"),
            models.Index(fields=["organization", "corpus", "encoder", "is_live"], name="embedding_live"),
        ]

    def __str__(self) -> str:
        return f"{self.encoder} window {self.window}"


class ChunkAdvice(OrganizationModel):
    """A language model's reply while documents of a corpus were split; `key` is the hash of the request.

    `value` is a margin, a place or a line; None where its reply could not be used.
    """

    id = models.BigAutoField(primary_key=True)
    corpus = SameOrganizationKey(Corpus)
    key = models.CharField(max_length=64)
    value = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "corpus", "key"], name="chunk_advice_once")]

    def __str__(self) -> str:
        return str(self.value)
