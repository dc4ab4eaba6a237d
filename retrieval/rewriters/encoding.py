"""Vectors of what is searched."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.models import Corpus
from corpora.services.encoding import EncoderAway, encoder_by_name, window_by_name
from legalqa.encoder.client import Encoder, TextWindow, WeightsMissing

Vector = NDArray[np.float32]


def queries_encoded(texts: Sequence[str], corpus: Corpus) -> list[Vector]:
    """The unit vector of each text by the corpus's encoder, all in one batch; call it outside any scope.

    Of a text that is longer than the encoder's window, the mean over its windows.

    Raises:
        EncoderAway: the encoder is not there, or does not answer.
    """
    of: dict[str, Any] = {
        "organization_id": corpus.organization_id,
        "corpus_id": corpus.pk,
        "name": corpus.encoder,
    }
    try:
        return _encoded(texts, encoder_by_name(**of), window_by_name(**of))
    except WeightsMissing as error:
        raise EncoderAway(
            f"The encoder {corpus.encoder} is not on this server: {error} Switch the corpus to another encoder.",
            code="encoder_away",
        ) from None


def _encoded(texts: Sequence[str], by: Encoder, window: TextWindow) -> list[Vector]:
    step = max(1, window.room(window.cue_query))
    windows: list[str] = []
    bounds = [0]
    for text, offsets in zip(texts, window.offsets(list(texts)), strict=True):
        own = [
            text[offsets[at][0] : offsets[min(at + step, len(offsets)) - 1][1]] for at in range(0, len(offsets), step)
        ]
        windows += own or [text]
        bounds.append(len(windows))
    every = by.encode([window.cue_query + text for text in windows], is_urgent=True)
    means = [every[start:end].mean(axis=0) for start, end in pairwise(bounds)]
    return [np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32) for mean in means]
