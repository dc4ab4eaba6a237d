"""Vectors of passages that this process has read, kept by corpus: many questions open the same ones.

Encoding them is most of the work of a quoted answer. A corpus has its own, so nobody can tell by time what people
behind a wall have read; the words of a question are never kept.
"""

from collections.abc import Collection, Mapping, Sequence
from threading import Lock
from uuid import UUID

import numpy as np
from cachetools import LRUCache

from corpora.services.passages import passage_digest
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix

MAX_BYTES = 96 * 1024 * 1024  # ours: about 60,000 passages
_Key = tuple[UUID, str]

_vectors: LRUCache[_Key, FloatMatrix] = LRUCache(MAX_BYTES, getsizeof=lambda vectors: int(vectors.nbytes))
_lock = Lock()


class PassageEncoder:
    """The encoder of passages for one question of one corpus; what it read before it does not read again."""

    def __init__(
        self, *, corpus_id: UUID, question: Collection[str], stored: Mapping[str, FloatMatrix] | None = None
    ) -> None:
        """What is kept is the corpus's; `question` are the person's texts, which are not kept.

        `stored` are vectors that were made in the background, by digest of their texts.
        """
        self._corpus_id, self._question, self._stored = corpus_id, question, stored or {}

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Unit vectors [n, d] of n texts."""
        keys = {text: (self._corpus_id, passage_digest(text)) for text in texts}
        known = {text: self._stored[digest] for text, (_, digest) in keys.items() if digest in self._stored}
        with _lock:
            known |= {text: _vectors[key] for text, key in keys.items() if text not in known and key in _vectors}
        missing = [text for text in keys if text not in known]
        if missing:
            known |= dict(zip(missing, encoder.encoder(encoder.PASSAGES).encode(missing, is_urgent=True), strict=True))
            with _lock:
                for text in missing:
                    if text not in self._question:
                        _vectors[keys[text]] = known[text].copy()
        return np.stack([known[text] for text in texts])
