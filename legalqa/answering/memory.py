"""What this process has read: vectors of passages, by corpus, and what the reader said of them, by person.

Both are most of the work of a quoted answer. Many questions open the same passages; a person asks the same question
again with other settings, and an experiment puts it to every preset. A corpus has its own vectors and a person their
own readings, so nobody can tell by time what people behind a wall have read, or what a colleague has asked. The words
of a question are never kept.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from secrets import token_bytes
from threading import Lock
from uuid import UUID

import numpy as np
from cachetools import LRUCache

from corpora.services.passages import passage_digest
from legalqa.answering.composing.types import ReadPairs
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix, Read

MAX_READINGS = 50_000  # ours: about 20 MB
MAX_BYTES = 96 * 1024 * 1024  # ours: about 60,000 passages
_Key = tuple[UUID, str]

_vectors: LRUCache[_Key, FloatMatrix] = LRUCache(MAX_BYTES, getsizeof=lambda vectors: int(vectors.nbytes))
_ReadingKey = tuple[UUID, UUID | None, bytes]
_readings: LRUCache[_ReadingKey, Read] = LRUCache(MAX_READINGS)
_SECRET = token_bytes(32)  # the digest of a question says nothing to anyone who does not know the question
_lock = Lock()


class PassageEncoder:
    """The encoder of passages for one question of one corpus; what it read before it does not read again."""

    def __init__(
        self, *, corpus_id: UUID, keeps_asked: bool = False, stored: Mapping[str, FloatMatrix] | None = None
    ) -> None:
        """It keeps vectors of the corpus's passages; those of questions only with `keeps_asked`.

        `stored` are vectors that were made in the background, by digest of their texts.
        """
        self._corpus_id, self._keeps_asked, self._stored = corpus_id, keeps_asked, stored or {}

    def encode(self, asked: Sequence[str], passages: Sequence[str]) -> FloatMatrix:
        """Unit vectors [n, d] of what is asked, and then of the passages."""
        texts = [*asked, *passages]
        keys = {text: (self._corpus_id, passage_digest(text=text)) for text in texts}
        vectors = {text: self._stored[digest] for text, (_, digest) in keys.items() if digest in self._stored}
        with _lock:
            vectors |= {text: _vectors[key] for text, key in keys.items() if text not in vectors and key in _vectors}
        missing = [text for text in keys if text not in vectors]
        if missing:
            vectors |= dict(
                zip(missing, encoder.encoder(encoder.PASSAGES).encode(missing, is_urgent=True), strict=True)
            )
            with _lock:
                for text in missing:
                    if self._keeps_asked or text not in asked:
                        _vectors[keys[text]] = vectors[text].copy()
        return np.stack([vectors[text] for text in texts])


def readings_kept(reads: ReadPairs, *, corpus_id: UUID, user_id: UUID | None, reader: str = "") -> ReadPairs:
    """A reader that reads no pair twice for one person and corpus; None is the system.

    `reader` is its name: what one made of a pair says nothing of another.
    """

    def read_new(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        keys = {pair: (corpus_id, user_id, _digest(pair, reader)) for pair in pairs}
        with _lock:
            readings = {pair: _readings[key] for pair, key in keys.items() if key in _readings}
        missing = [pair for pair in keys if pair not in readings]
        if missing:
            new = dict(zip(missing, reads(missing), strict=True))
            readings |= new
            with _lock:
                _readings.update({keys[pair]: one for pair, one in new.items()})
        return [readings[pair] for pair in pairs]

    return read_new


def _digest(pair: tuple[str, str], reader: str) -> bytes:
    question, passage = pair
    return blake2b(f"{reader}\n{len(question)}\n{question}{passage}".encode(), digest_size=16, key=_SECRET).digest()
