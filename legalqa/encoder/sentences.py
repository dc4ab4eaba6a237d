"""Sentences to vectors, many at a time and of any length."""

from collections.abc import Sequence

import numpy as np

from legalqa.encoder import client as encoder

SENTENCES_A_CALL = 256  # sentences sent to the encoder at once


def sentences_encode(texts: Sequence[str]) -> encoder.FloatMatrix:
    """Unit vectors [n, 384] of sentences by the packaged encoder, in batches; what a window holds of each counts."""
    batches = [
        encoder.encoder().encode([_beginning(text) for text in texts[at : at + SENTENCES_A_CALL]])
        for at in range(0, len(texts), SENTENCES_A_CALL)
    ]
    return np.concatenate(batches) if batches else np.zeros((0, encoder.DIMENSIONS), np.float32)


def _beginning(text: str) -> str:
    if len(text) <= encoder.WINDOW_TOKENS:  # a token is a character at least
        return text
    offsets = encoder.token_offsets([text])[0]
    return text if len(offsets) <= encoder.WINDOW_TOKENS else text[: offsets[encoder.WINDOW_TOKENS - 1][1]]
