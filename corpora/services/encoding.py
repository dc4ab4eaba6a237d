"""The encoders of a corpus for code that encodes: by name, with their weights from the database if needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

import numpy as np
from django.db.models import QuerySet

from corpora.models import AddedEncoder, Corpus, EncoderSource, TrainedEncoder
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.common.errors import ResourceDown, Unavailable
from legalqa.encoder import client as encoder
from legalqa.encoder.client import PACKAGED_WINDOW, Encoder, FloatMatrix, TextWindow, WeightsMissing
from legalqa.encoder.weights import with_weights
from legalqa.llm import gateway
from legalqa.llm.types import Outcome

TEXTS_A_CALL = 64  # ours: texts that servers of embedding models take in one call
ENDPOINT = "endpoint:"


class EncoderAway(Unavailable, ResourceDown):
    """An embedding model over the network gave no vectors: background work waits, a person is told why."""


@dataclass(frozen=True, slots=True)
class StoredEncoder:
    """A trained encoder of a corpus. Where the encoder finds no file of its weights, they come from the database."""

    organization_id: UUID
    corpus_id: UUID
    name: str

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
        """Vectors by the packaged model with the trained weights.

        Returns:
            float32 matrix [n, DIMENSIONS], rows of length 1 in the order of the texts.

        Raises:
            WeightsMissing: the encoder was removed.
            WeightsWrong: the weights are not of this model.
            EncoderDown: the encoder process does not come back.
        """
        return with_weights(lambda: encoder.encoder(self.name).encode(texts, is_urgent=is_urgent), self._artefact)

    def _artefact(self) -> bytes:
        """The weights, from the database.

        Raises:
            WeightsMissing: the encoder was removed.
        """
        with organization_scope(self.organization_id, user=None):
            rows = encoder_rows(corpus_id=self.corpus_id, name=self.name)
            artefact = rows.exclude(artefact=None).values_list("artefact", flat=True).first()
        connection_give_back()
        if artefact is None:
            raise WeightsMissing(f"The encoder {self.name} was removed.")
        return bytes(artefact)


@dataclass(frozen=True, slots=True)
class EndpointEncoder:
    """An embedding model of the organisation's, asked through the gateway: its budgets, keys and receipts hold.

    Attributes:
        organization_id: Whose model it is.
        model: Its name.
        dimensions: Numbers in a vector, as the stored ones have; None while nothing is stored.
    """

    organization_id: UUID
    model: str
    dimensions: int | None = None

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:  # noqa: ARG002 - the server has its own queue
        """Unit vectors of texts; no transaction of an organisation may be open.

        Returns:
            float32 matrix [n, d], rows of length 1 in the order of the texts; d is the model's.

        Raises:
            EncoderAway: the model is not set up any more, did not answer, or may not be paid for; or its vectors have
                another number of dimensions than those that are stored.
        """
        organization = Organization.objects.get(pk=self.organization_id)
        connection_give_back()
        parts = [np.zeros((0, self.dimensions or 0), np.float32)] if not texts else []
        for at in range(0, len(texts), TEXTS_A_CALL):
            batch = texts[at : at + TEXTS_A_CALL]
            reply = gateway.embed(organization=organization, user=None, texts=batch, model=self.model)
            if reply.outcome is not Outcome.OK:
                raise EncoderAway(
                    f"The embedding model {self.model} returned no vectors: {reply.reason or reply.outcome.value} "
                    "Check it under Language models, or switch the corpus to another encoder.",
                    code="encoder_away",
                )
            parts.append(self._checked(np.asarray(reply.vectors, np.float32)))
        return np.concatenate(parts)

    def _checked(self, matrix: FloatMatrix) -> FloatMatrix:
        """Rows of length 1.

        Raises:
            EncoderAway: another number of dimensions, or numbers that no vector has.
        """
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        if self.dimensions not in (None, matrix.shape[1]) or not np.isfinite(matrix).all() or not lengths.all():
            raise EncoderAway(
                f"The embedding model {self.model} returned vectors of {matrix.shape[1]} dimensions; the stored "
                "ones have another number. Add it again as another encoder.",
                code="encoder_changed",
            )
        unit: FloatMatrix = matrix / lengths
        return unit


@dataclass(frozen=True, slots=True)
class QuestionEncoder:
    """An encoder with the cue that it takes before questions."""

    inner: Encoder
    cue: str

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
        """Vectors of questions, each read behind the cue.

        Returns:
            float32 matrix [n, d], rows of length 1, as of the encoder inside; it raises what that raises.
        """
        return self.inner.encode([self.cue + text for text in texts], is_urgent=is_urgent)


def encoder_load(*, corpus: Corpus) -> Encoder:
    """The encoder of questions that are asked of a corpus now; encode with it outside any transaction."""
    return question_encoder(organization_id=corpus.organization_id, corpus_id=corpus.pk, name=corpus.encoder)


def encoder_by_name(*, organization_id: UUID, corpus_id: UUID, name: str) -> Encoder:
    """The packaged encoder, or one that the corpus trained or was given; encode with it outside any transaction.

    Texts are encoded as they come: `window_by_name` says which cues it takes.

    Encoding raises WeightsMissing where the corpus has no such encoder, EncoderAway where a model does not answer.
    """
    if name == encoder.NAME:
        return encoder.encoder()
    if not is_added(name=name):
        return StoredEncoder(organization_id, corpus_id, name)
    row = _added(organization_id, corpus_id, name)
    if row.source == EncoderSource.ENDPOINT:
        return EndpointEncoder(row.organization_id, row.model, row.dimensions)
    return encoder.encoder(row.name)


def question_encoder(*, organization_id: UUID, corpus_id: UUID, name: str) -> Encoder:
    """As `encoder_by_name`, for questions: each gets the encoder's cue before it."""
    key = {"organization_id": organization_id, "corpus_id": corpus_id, "name": name}
    return QuestionEncoder(encoder_by_name(**key), window_by_name(**key).cue_query)  # type: ignore[arg-type]  # a dictionary's values have one type


def window_by_name(*, organization_id: UUID, corpus_id: UUID, name: str) -> TextWindow:
    """How an encoder of a corpus reads texts.

    Raises:
        WeightsMissing: the corpus has no such encoder.
    """
    if not is_added(name=name):
        return PACKAGED_WINDOW
    row = _added(organization_id, corpus_id, name)
    tokenizer = row.name if row.source == EncoderSource.FOLDER else encoder.NAME
    return TextWindow(row.window_tokens, row.cue_query, row.cue_passage, tokenizer)


def is_added(*, name: str) -> bool:
    """Whether that is the name of an encoder that somebody added, no packaged or trained one."""
    return name.startswith((encoder.FOLDER, ENDPOINT))


@lru_cache(maxsize=256)
def _added(organization_id: UUID, corpus_id: UUID, name: str) -> AddedEncoder:
    """The row of an added encoder; nothing of it changes under one name, so it is read once."""
    with organization_scope(organization_id, user=None):
        row = AddedEncoder.objects.filter(corpus_id=corpus_id, name=name).first()
    if row is None:
        raise WeightsMissing(f"The encoder {name} was removed.")
    return row


def encoder_rows(*, corpus_id: UUID, name: str) -> QuerySet[TrainedEncoder]:
    """The trained encoders of a corpus with that name: one, or more where the same weights came out twice."""
    _, _, mark = name.partition("+")
    encoders = TrainedEncoder.objects.filter(corpus_id=corpus_id)
    return encoders.filter(fingerprint__startswith=mark) if mark else encoders.none()
