"""Vectors of a question by other encoders than the corpus's, which may not be asked while a transaction is open."""

import numpy as np
from numpy.typing import NDArray

from corpora.models import Corpus
from corpora.services.encoding import EncoderAway, encoder_by_name, question_encoder
from legalqa.encoder.client import NAME, WeightsMissing
from retrieval.scores import Brought

Vector = NDArray[np.float32]


class Vectors(Brought[tuple[str, str], Vector | None]):
    """Vectors of the texts of a search by other encoders, by the name of an encoder and a text.

    Attributes:
        needed: Those without which the search cannot go on; of others, None says that the encoder is away.
    """

    def __init__(self) -> None:
        super().__init__()
        self.needed = set[tuple[str, str]]()

    @property
    def without(self) -> set[str]:
        """The texts that have no vector, because an encoder that is not needed is away."""
        return {text for (_, text), vector in self._brought.items() if vector is None}


def question_vector(
    *,
    corpus: Corpus,
    text: str,
    encoder: str,
    own: Vector,
    vectors: Vectors | None,
    cue: str = "",
    is_needed: bool = True,
) -> Vector | None:
    """A question's vector by an encoder: the search's own, unless another encoder or a cue is asked for.

    An added encoder may be over the network, and the weights of a trained one may have to be read by another
    transaction: both are asked outside this one; None until that was done, and where the encoder is away.

    Args:
        corpus: As it is searched.
        text: The question.
        encoder: Its name.
        own: The question's vector by the corpus's encoder.
        vectors: Of the question by other encoders; what is lacking is noted there.
        cue: What goes before the question.
        is_needed: Whether the search stops where the encoder is away.
    """
    if encoder == corpus.encoder and not cue:
        return own
    if encoder != NAME:
        if vectors is None:
            return None
        if is_needed:
            vectors.needed.add((encoder, cue + text))
        return vectors.asked((encoder, cue + text))
    by = encoder_by_name(organization_id=corpus.organization_id, corpus_id=corpus.pk, name=encoder)
    return np.asarray(by.encode([cue + text], is_urgent=True)[0], np.float32)


def vectors_ask(*, corpus: Corpus, vectors: Vectors) -> None:
    """Encode what is lacking, as questions; call it outside any scope.

    Raises:
        EncoderAway: an encoder that is needed is not there, or does not answer.
    """
    for name, text in vectors.lacking:
        try:
            vectors.put((name, text), _asked(corpus, name, text))
        except EncoderAway:
            if (name, text) in vectors.needed:
                raise
            vectors.put((name, text), None)


def _asked(corpus: Corpus, name: str, text: str) -> Vector:
    """A question's vector by an encoder of the corpus.

    Raises:
        EncoderAway: it is not there, or does not answer.
    """
    try:
        by = question_encoder(organization_id=corpus.organization_id, corpus_id=corpus.pk, name=name)
        return np.asarray(by.encode([text], is_urgent=True)[0], np.float32)
    except WeightsMissing as error:
        raise EncoderAway(
            f"The encoder {name} of the case base is not on this server: {error} Choose another one for the cases.",
            code="encoder_away",
        ) from None
