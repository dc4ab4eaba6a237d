"""Vectors of a question by other encoders than the corpus's, which may not be asked while a transaction is open."""

import numpy as np
from numpy.typing import NDArray

from corpora.models import Corpus
from corpora.services.encoding import EncoderAway, question_encoder
from legalqa.encoder.client import WeightsMissing
from retrieval.scores import Brought

Vector = NDArray[np.float32]
Vectors = Brought[tuple[str, str], Vector]  # by the name of an encoder and a text


def vectors_ask(*, corpus: Corpus, vectors: Vectors) -> None:
    """Encode what is lacking, as questions; call it outside any scope.

    Raises:
        EncoderAway: an encoder is not there, or does not answer.
    """
    for name, text in vectors.lacking:
        try:
            by = question_encoder(organization_id=corpus.organization_id, corpus_id=corpus.pk, name=name)
            vectors.put((name, text), np.asarray(by.encode([text], is_urgent=True)[0], np.float32))
        except WeightsMissing as error:
            raise EncoderAway(
                f"The encoder {name} of the case base is not on this server: {error} Choose another one for the cases.",
                code="encoder_away",
            ) from None
