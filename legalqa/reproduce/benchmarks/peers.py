"""Hybrid retrievers of other libraries over our own chunks and vectors, with their defaults: a query in, ids out.

They get our chunks and our vectors of them; of a long chunk, the vector of as much as fits into the encoder's window,
as they would cut it. Queries are encoded by LlamaIndex's own wrapper for both, with the same weights.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.models import Corpus, Embedding, Position
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.reproduce.benchmarks.ingest import peer_encoder

Peer = Callable[[str], list[str]]
TOP_K = 10  # hits of each list and the fused one; both peers look further where they fuse


@dataclass(frozen=True, slots=True)
class Pieces:
    """The chunks of a corpus: their texts, the ids of their paragraphs, and the vectors of their first windows."""

    texts: list[str]
    ids: list[str]
    vectors: NDArray[np.float32]


def pieces_of(*, organization: Organization, corpus: Corpus) -> Pieces:
    """All chunks that a search of the corpus reads; of a chunk over several paragraphs, the first names it."""
    with organization_scope(organization, user=None):
        embeddings = Embedding.objects.filter(corpus=corpus, is_live=True, window=0, encoder=corpus.encoder)
        rows = embeddings.order_by("chunk_id").values_list(
            "chunk__text", "chunk__version_id", "chunk__first_paragraph", "vector"
        )
        texts, versions, ordinals, vectors = zip(*rows, strict=True)
        places = Position.objects.filter(version__in=set(versions)).values_list(
            "version_id", "ordinal", "paragraph__external_id"
        )
        names = {(version, ordinal): name for version, ordinal, name in places}
    ids = [names[key] for key in zip(versions, ordinals, strict=True)]
    return Pieces(list(texts), ids, np.asarray(vectors, np.float32))


def peers_of(pieces: Pieces) -> dict[str, Peer]:
    """Each peer's hybrid retriever over the pieces, by name; both encode queries with the same model."""
    encoder = peer_encoder()
    return {"llamaindex": llamaindex(pieces, encoder), "txtai": txtai(pieces, encoder)}


def llamaindex(pieces: Pieces, encoder: Any) -> Peer:
    """LlamaIndex's QueryFusionRetriever: its vector index and BM25, fused by reciprocal ranks, no rewritten query.

    Its own BM25 retriever is a wrapper of bm25s that cannot be installed beside PyStemmer 3; the same wrapping is
    here, with its defaults: English stems, English stop words.
    """
    import bm25s
    import Stemmer
    from llama_index.core import VectorStoreIndex
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
    from llama_index.core.schema import NodeWithScore, TextNode

    triples = zip(pieces.texts, pieces.ids, pieces.vectors, strict=True)
    nodes = [
        TextNode(id_=str(place), text=text, metadata={"paragraph": name}, embedding=vector.tolist())
        for place, (text, name, vector) in enumerate(triples)
    ]
    stemmer = Stemmer.Stemmer("english")

    def terms(texts: Sequence[str]) -> Any:
        return bm25s.tokenize(list(texts), stopwords="en", stemmer=stemmer, show_progress=False)

    words = bm25s.BM25()
    words.index(terms(pieces.texts), show_progress=False)

    class Words(BaseRetriever):  # type: ignore[misc]  # the package is not typed here
        def _retrieve(self, query_bundle: Any) -> list[Any]:
            places, scores = words.retrieve(terms([query_bundle.query_str]), k=TOP_K, show_progress=False)
            pairs = zip(places[0], scores[0], strict=True)
            return [NodeWithScore(node=nodes[int(place)], score=float(score)) for place, score in pairs]

    index = VectorStoreIndex(nodes, embed_model=encoder)
    retriever = QueryFusionRetriever(
        [index.as_retriever(similarity_top_k=TOP_K), Words()],
        llm=MockLLM(),
        mode="reciprocal_rerank",
        similarity_top_k=TOP_K,
        num_queries=1,
        use_async=False,
    )
    return lambda text: [str(hit.node.metadata["paragraph"]) for hit in retriever.retrieve(text)]


def txtai(pieces: Pieces, encoder: Any) -> Peer:
    """txtai's hybrid index: faiss and its own BM25, scores joined half and half."""
    from txtai import Embeddings

    cache = dict(zip(pieces.texts, pieces.vectors, strict=True))

    def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray([cache[t] if t in cache else encoder.get_query_embedding(t) for t in texts], np.float32)

    index = Embeddings(method="external", transform=vectors, hybrid=True)
    index.index(enumerate(pieces.texts))
    return lambda text: [pieces.ids[int(place)] for place, _ in index.search(text, TOP_K)]
