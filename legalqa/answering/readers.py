"""The reader that a corpus has trained and that its answers use, asked in the encoder's process."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from corpora.models import Corpus
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.answering.models import ReaderActivation, TrainedReader
from legalqa.encoder.client import Read, WeightsMissing, reading
from legalqa.encoder.weights import reader_name, with_weights


@dataclass(frozen=True, slots=True)
class StoredReader:
    """A trained reader of a corpus. Where the encoder finds no file of its weights, they come from the database."""

    organization_id: UUID
    corpus_id: UUID
    fingerprint: str

    @property
    def name(self) -> str:
        return reader_name(self.fingerprint)

    def read(self, pairs: Sequence[tuple[str, str]], *, is_urgent: bool = False) -> list[Read]:
        """What it makes of pairs of a question and a passage; outside any transaction.

        Raises:
            WeightsMissing: it was removed.
        """
        return with_weights(lambda: reading(pairs, is_urgent=is_urgent, reader=self.name), self._artefact)

    def _artefact(self) -> bytes:
        with organization_scope(self.organization_id, user=None):
            versions = TrainedReader.objects.filter(corpus_id=self.corpus_id, fingerprint=self.fingerprint)
            artefact = versions.exclude(artefact=None).values_list("artefact", flat=True).first()
        connection_give_back()
        if artefact is None:
            raise WeightsMissing(f"The reader {self.name} was removed.")
        return bytes(artefact)


def reader_in_use(*, corpus: Corpus) -> StoredReader | None:
    """The reader that answers of a corpus use; None for the installation's reader."""
    activations = ReaderActivation.objects.filter(corpus=corpus).order_by("-pk")
    fingerprint = activations.values_list("reader__fingerprint", flat=True).first()
    return StoredReader(corpus.organization_id, corpus.pk, fingerprint) if fingerprint else None
