"""Paragraphs with ids that outlive re-uploads, the place of each in a version, and its vector as answers read it."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from pgvector.django import HalfVectorField

from corpora.models.corpus import Corpus
from corpora.models.document import Document, DocumentVersion
from corpora.provisions.types import Role
from legalqa.accounts.scoping import OrganizationModel, SameOrganizationKey
from legalqa.encoder.client import DIMENSIONS


class Paragraph(OrganizationModel):
    """A paragraph of a document in all its versions; `public_id` is `doc_id::page::index::hash` of first sight."""

    id = models.BigAutoField(primary_key=True)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    public_id = models.CharField(max_length=120)
    external_id = models.CharField(max_length=200, blank=True, default="")
    hash = models.CharField(max_length=12)
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "public_id"], name="paragraph_public_id_once")]
        indexes = [models.Index(fields=["organization", "document"], name="paragraph_by_document")]

    def __str__(self) -> str:
        return self.public_id

    @property
    def shown_id(self) -> str:
        """The id by which answers and files name it: that of the uploaded file, where it has one."""
        return self.external_id or self.public_id


class Position(OrganizationModel):
    """The place of a paragraph in one version: spans are offsets in that version's text."""

    id = models.BigAutoField(primary_key=True)
    version = models.ForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    paragraph = models.ForeignKey(Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    ordinal = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page = models.PositiveIntegerField()
    page_label = models.CharField(max_length=40)
    kind = models.CharField(max_length=10)
    level = models.PositiveSmallIntegerField(default=0)
    heading_path = ArrayField(models.TextField(), default=list)
    label = models.CharField(max_length=60, blank=True, default="")
    role = models.CharField(max_length=12, blank=True, default="")  # a corpora.provisions.types.Role

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "version", "ordinal"], name="position_once"),
            models.UniqueConstraint(fields=["organization", "version", "paragraph"], name="position_of_paragraph_once"),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="position_span_ordered"),
        ]

    def __str__(self) -> str:
        return f"paragraph {self.ordinal} on page {self.page_label}"

    @property
    def headings(self) -> list[str]:
        """The headings above it as it is cited, the innermost last; of a numbered recital its number: "Recital 134"."""
        number = self.label.strip("()[].")
        return [*self.heading_path, f"Recital {number}"] if self.role == Role.RECITAL and number else self.heading_path


class PassageVector(OrganizationModel):
    """The packaged encoder's vector of a paragraph with what is read before it; `digest` is of the text that was read.

    Answers compare passages with the question by it. It is made in the background and only saves time: where it is
    missing, or its text is read otherwise by now, the answer encodes the passage itself.
    """

    id = models.BigAutoField(primary_key=True)
    corpus = SameOrganizationKey(Corpus)
    position = SameOrganizationKey(Position)
    digest = models.CharField(max_length=32)
    vector = HalfVectorField(dimensions=DIMENSIONS)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "position"], name="passage_vector_once")]
        indexes = [models.Index(fields=["organization", "corpus", "digest"], name="passage_vector_by_text")]

    def __str__(self) -> str:
        return self.digest
