"""Index terms of passages and sentences that this process has read: questions of one corpus read the same ones.

Cutting a passage into terms takes a hundred times as long as looking them up, and a search looks at hundreds. Every
corpus has its own, so nobody can tell by time what people behind a wall have read; questions are never kept here.
"""

from collections.abc import Hashable
from hashlib import blake2b
from threading import Lock
from uuid import UUID

from cachetools import LRUCache, cachedmethod

from corpora.tokens import TermIds, term_ids, tokens

MAX_TERMS = 4_000_000  # ours: 32 MB of each kind; about 20,000 passages of 200 terms
_OF_A_KEY = 20  # ours: memory of an entry beside its terms, counted in terms

_terms: LRUCache[Hashable, tuple[str, ...]] = LRUCache(MAX_TERMS, getsizeof=lambda terms: len(terms) + _OF_A_KEY)
_ids: LRUCache[Hashable, TermIds] = LRUCache(MAX_TERMS, getsizeof=lambda ids: len(ids) + _OF_A_KEY)
_lock = Lock()


def _key(memory: "TermMemory", text: str) -> Hashable:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return memory.corpus_id, memory.language, digest


class TermMemory:
    """The index terms of the texts of one corpus, in its language."""

    def __init__(self, *, corpus_id: UUID, language: str) -> None:
        self.corpus_id, self.language = corpus_id, language

    @cachedmethod(lambda _: _terms, key=_key, lock=lambda _: _lock)
    def terms(self, text: str) -> tuple[str, ...]:
        """As `corpora.tokens.tokens`."""
        return tuple(tokens(text, language=self.language))

    @cachedmethod(lambda _: _ids, key=_key, lock=lambda _: _lock)
    def ids(self, text: str) -> TermIds:
        """The ids of the terms, in the order of the text; for reading only."""
        return term_ids(tokens(text, language=self.language))
