"""Vectors of a question by other encoders than the corpus's, which may not be asked while a transaction is open."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from corpora.models import Corpus
from corpora.services.encoding import EncoderAway, question_encoder
from legalqa.encoder.client import WeightsMissing

Vector = NDArray[np.float32]


class Vectors:
    """What was encoded for one search so far; `lacking` is what its last run needed and did not have."""

    def __init__(self) -> None:
        self._vectors = dict[tuple[str, str], Vector]()
        self._missing = dict[tuple[str, str], None]()

    @property
    def lacking(self) -> Collection[tuple[str, str]]:
        """Names of encoders, each with a text."""
        return tuple(self._missing)

    def of(self, encoder: str, text: str) -> Vector | None:
        """The vector of a text by an encoder; None, and noted as lacking, where it was not requested yet."""
        vector = self._vectors.get((encoder, text))
        if vector is None:
            self._missing[encoder, text] = None
        return vector

    def put(self, encoder: str, text: str, vector: Vector) -> None:
        self._vectors[encoder, text] = vector
        self._missing.pop((encoder, text), None)


def vectors_ask(*, corpus: Corpus, vectors: Vectors) -> None:
    """Encode what is lacking, as questions; call it outside any scope.

    Raises:
        EncoderAway: an encoder is not there, or does not answer.
    """
    for name, text in vectors.lacking:
        try:
            by = question_encoder(organization_id=corpus.organization_id, corpus_id=corpus.pk, name=name)
            vectors.put(name, text, np.asarray(by.encode([text], is_urgent=True)[0], np.float32))
        except WeightsMissing as error:
            raise EncoderAway(
                f"The encoder {name} of the case base is not on this server: {error} Choose another one for the cases.",
                code="encoder_away",
            ) from None
