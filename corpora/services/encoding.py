"""The encoders of a corpus as code that encodes takes them: by name, with their weights where they are read."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from corpora.models import Corpus, TrainedEncoder
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.encoder import client as encoder
from legalqa.encoder.client import Encoder, FloatMatrix, WeightsMissing


@dataclass(frozen=True, slots=True)
class StoredEncoder:
    """A trained encoder of a corpus. Where the encoder finds no file of its weights, they come from the database."""

    organization_id: UUID
    corpus_id: UUID
    name: str

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
        try:
            return encoder.encoder(self.name).encode(texts, is_urgent=is_urgent)
        except WeightsMissing:
            self._weights_write()
            return encoder.encoder(self.name).encode(texts, is_urgent=is_urgent)

    def _weights_write(self) -> None:
        """Put the weights where the encoder reads them.

        Raises:
            WeightsMissing: the encoder was removed.
        """
        with organization_scope(self.organization_id, user=None):
            known = encoder_rows(corpus_id=self.corpus_id, name=self.name)
            artefact = known.exclude(artefact=None).values_list("artefact", flat=True).first()
        connection_give_back()
        if artefact is None:
            raise WeightsMissing(f"The encoder {self.name} was removed.")
        encoder.weights_keep(bytes(artefact))


def encoder_load(*, corpus: Corpus) -> Encoder:
    """The encoder that searches of a corpus use now; encode with it outside any transaction."""
    return encoder_by_name(organization_id=corpus.organization_id, corpus_id=corpus.pk, name=corpus.encoder)


def encoder_by_name(*, organization_id: UUID, corpus_id: UUID, name: str) -> Encoder:
    """The packaged encoder, or one that the corpus trained; encode with it outside any transaction.

    Encoding raises WeightsMissing where the corpus has no such encoder.
    """
    return encoder.encoder() if name == encoder.NAME else StoredEncoder(organization_id, corpus_id, name)


def encoder_rows(*, corpus_id: UUID, name: str) -> QuerySet[TrainedEncoder]:
    """The trained encoders of a corpus with that name: one, or more where the same weights came out twice."""
    _, _, mark = name.partition("+")
    found = TrainedEncoder.objects.filter(corpus_id=corpus_id)
    return found.filter(fingerprint__startswith=mark) if mark else found.none()
