"""Readers that a corpus has trained on its own questions, and which of them its answers use."""

from django.db import models

from corpora.models import CorpusRow, TrainedVersion


class TrainedReader(TrainedVersion):
    """One trained version of the packaged reader.

    Attributes:
        data: Gzipped JSON: the questions with the passages that it learned from, and those that were held out.
        data_fingerprint: SHA-256 of `data`.
        artefact: What was trained, safetensors of `legalqa.encoder.reading`: reading it runs nothing.
    """

    data = models.BinaryField()
    data_fingerprint = models.CharField(max_length=64)
    artefact = models.BinaryField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "number"], name="reader_number_once"),
            models.CheckConstraint(
                condition=models.Q(state="building")
                | models.Q(artefact__isnull=False, finished_at__isnull=False) & ~models.Q(fingerprint=""),
                name="reader_ready_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"reader {self.number}"


class ReaderActivation(CorpusRow):
    """From when on the answers of a corpus use a reader; the newest row holds. None: the installation's."""

    id = models.BigAutoField(primary_key=True)
    reader = models.ForeignKey(
        TrainedReader,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )

    class Meta:
        indexes = [
            models.Index(fields=["organization", "corpus", "-id"], name="reader_in_use"),
        ]

    def __str__(self) -> str:
        return f"reader from {self.created_at:%Y-%m-%d %H:%M}"
