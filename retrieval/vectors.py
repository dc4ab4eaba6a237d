"""Vectors of a question by other encoders than the corpus's, which may not be asked while a transaction is open."""

import numpy as np
from numpy.typing import NDArray

from corpora.models import Corpus
from corpora.services.encoding import EncoderAway, encoder_by_name, question_encoder
from legalqa.encoder.client import NAME, WeightsMissing
from retrieval.scores import Brought

Vector = NDArray[np.float32]
Vectors = Brought[tuple[str, str], Vector]  # by the name of an encoder and a text


def question_vector(
    *, corpus: Corpus, text: str, encoder: str, own: Vector, vectors: Vectors | None, cue: str = ""
) -> Vector | None:
    """A question's vector by an encoder: the search's own, unless another encoder or a cue is asked for.

    An added encoder may be over the network, and the weights of a trained one may have to be read by another
    transaction: both are asked outside this one; None until that was done.

    Args:
        corpus: As it is searched.
        text: The question.
        encoder: Its name.
        own: The question's vector by the corpus's encoder.
        vectors: Of the question by other encoders; what is lacking is noted there.
        cue: What goes before the question.
    """
    if encoder == corpus.encoder and not cue:
        return own
    if encoder != NAME:
        return vectors.asked((encoder, cue + text)) if vectors else None
    by = encoder_by_name(organization_id=corpus.organization_id, corpus_id=corpus.pk, name=encoder)
    return np.asarray(by.encode([cue + text], is_urgent=True)[0], np.float32)


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
                f"The encoder {name} of the case base or the question index is not on this server: {error} Choose "
                "another one for the cases, or build the question index.",
                code="encoder_away",
            ) from None
