"""Readers that a corpus has trained on its own questions, and which of them its answers use."""

from django.db import models

from corpora.models import CorpusRow, TrainedWeights, weights_whole


class TrainedReader(TrainedWeights):
    """One trained version of the packaged reader (`legalqa.encoder.reading`)."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "number"], name="reader_number_once"),
            weights_whole("reader_ready_whole"),
        ]

    def __str__(self) -> str:
        return f"reader {self.number}"


class ReaderActivation(CorpusRow):
    """From when on the answers of a corpus use a reader; the newest row counts. None: the installation's reader."""

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
