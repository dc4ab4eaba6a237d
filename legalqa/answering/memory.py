"""Vectors of sentences that this process has read, kept by corpus: many questions read the same ones.

Encoding them is most of the work of a quoted answer. A corpus has its own, so nobody can tell by time what people
behind a wall have read; the words of a question are never kept.
"""

from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b
from threading import Lock
from uuid import UUID

import numpy as np
from cachetools import LRUCache

from corpora.term_memory import TermMemory
from corpora.tokens import tokens
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix

MAX_BYTES = 96 * 1024 * 1024  # ours: about 60,000 sentences, or the words of 1,500
_Key = tuple[UUID, bool, bytes]

_vectors: LRUCache[_Key, FloatMatrix] = LRUCache(MAX_BYTES, getsizeof=lambda vectors: int(vectors.nbytes))
_lock = Lock()


class SentenceEncoder:
    """The packaged encoder for one question of one corpus; what it read before it does not read again."""

    def __init__(self, *, corpus_id: UUID, language: str, question: Collection[str]) -> None:
        """What is kept is the corpus's, in its language; `question` are the person's texts, which are not kept."""
        self._corpus_id, self._question = corpus_id, question
        self._memory = TermMemory(corpus_id=corpus_id, language=language)

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Unit vectors [n, d] of n texts."""

        def read(missing: list[str]) -> list[FloatMatrix]:
            return list(encoder.encoder().encode(missing, is_urgent=True))

        return np.stack(self._remembered(texts, read, is_tokens=False))

    def encode_tokens(self, texts: Sequence[str]) -> list[FloatMatrix]:
        """For each text the unit vectors [tokens, d] of its tokens."""

        def read(missing: list[str]) -> list[FloatMatrix]:
            return encoder.encoder().encode_tokens(missing, is_urgent=True)

        return self._remembered(texts, read, is_tokens=True)

    def terms(self, text: str) -> tuple[str, ...]:
        """The index terms of a text."""
        if any(text in asked for asked in self._question):  # a part or a word of it
            return tuple(tokens(text, language=self._memory.language))
        return self._memory.terms(text)

    def _remembered(
        self, texts: Sequence[str], read: Callable[[list[str]], list[FloatMatrix]], *, is_tokens: bool
    ) -> list[FloatMatrix]:
        keys = {text: (self._corpus_id, is_tokens, _digest(text)) for text in texts}
        with _lock:
            known = {text: _vectors[key] for text, key in keys.items() if key in _vectors}
        missing = [text for text in keys if text not in known]
        if missing:
            known |= dict(zip(missing, read(missing), strict=True))
            with _lock:
                for text in missing:
                    if text not in self._question and known[text].nbytes <= MAX_BYTES:
                        _vectors[keys[text]] = known[text].copy()
        return [known[text] for text in texts]


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()
