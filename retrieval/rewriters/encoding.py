"""Vectors of what is searched."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from legalqa.encoder import client as encoder

Vector = NDArray[np.float32]


def queries_encoded(texts: Sequence[str], by: encoder.Encoder) -> list[Vector]:
    """The unit vector of each text, all in one batch: the mean over its windows, where it is longer than one."""
    step = encoder.WINDOW_TOKENS
    windows: list[str] = []
    bounds = [0]
    for text, offsets in zip(texts, encoder.token_offsets(list(texts)), strict=True):
        own = [
            text[offsets[at][0] : offsets[min(at + step, len(offsets)) - 1][1]] for at in range(0, len(offsets), step)
        ]
        windows += own or [text]
        bounds.append(len(windows))
    every = by.encode(windows, is_urgent=True)
    means = [every[start:end].mean(axis=0) for start, end in pairwise(bounds)]
    return [np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32) for mean in means]
