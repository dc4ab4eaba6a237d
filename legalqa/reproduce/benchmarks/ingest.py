"""From a file to searchable, beside LlamaIndex on the identical list of pieces: same model, batch and number format."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from corpora.models import Chunk, DocumentVersion
from corpora.parsers.sandbox import parse_file
from corpora.services.indexing import window_texts
from corpora.services.recognition import reading_limits
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.encoder import client as encoder
from legalqa.reproduce.intake import Note, corpus_own, file_parts, file_take_in

SLUG = "bench-ingest"
ACT = Path("public_law/eu_ai_act/eu_ai_act_ep_corrigendum_2024-04-19.pdf")
PEER = "LlamaIndex"
ROUNDS = 3  # rounds in turn, so that anything that slows the machine slows both


@dataclass(frozen=True, slots=True)
class IngestTiming:
    """Seconds of both sides on the same pieces, each the median of the rounds.

    Attributes:
        n_pages: Pages of the file.
        n_pieces: Texts that were embedded, of at most 256 tokens each.
        total_s: Ours, from the file's bytes to the committed publication.
        parse_s: Reading the file alone, in its sandboxed process.
        encode_s: Encoding the pieces alone.
        peer_encode_s: The peer's encoding of the pieces.
        peer_store_s: The peer's in-memory index over them.
    """

    n_pages: int
    n_pieces: int
    total_s: float
    parse_s: float
    encode_s: float
    peer_encode_s: float
    peer_store_s: float

    @property
    def store_s(self) -> float:
        """Everything of ours that is neither reading nor encoding: chunks, words, rows, publication."""
        return max(0.0, self.total_s - self.parse_s - self.encode_s)

    @property
    def peer_total_s(self) -> float:
        return self.peer_encode_s + self.peer_store_s

    @property
    def ratio(self) -> float:
        """From pieces to searchable, ours over the peer's, which has no file to read."""
        return (self.total_s - self.parse_s) / self.peer_total_s

    @property
    def whole_ratio(self) -> float:
        """The same with our reading of the file counted."""
        return self.total_s / self.peer_total_s

    @property
    def pages_per_second(self) -> float:
        return self.n_pages / self.total_s


def bench_ingest(*, data: Path, note: Note) -> IngestTiming:
    """Take the AI Act in as an upload, then give its pieces to the peer; ROUNDS times in turn, medians of each.

    Raises:
        ApplicationError: the file is missing or was not ingested.
    """
    file = data / ACT
    if not file.is_file():
        raise ApplicationError(f"There is no {file}. Set LEGALQA_DATA to the folder of the data sets.", code="no_data")
    encoder.encoder().encode(["warm up"] * 64)
    peer = peer_encoder()
    rounds = []
    for at in range(1, ROUNDS + 1):
        note(f"round {at} of {ROUNDS}")
        rounds.append(_round(file, peer, note))
    seconds = (median(getattr(one, field.name) for one in rounds) for field in fields(IngestTiming))
    return IngestTiming(*seconds)


def _round(file: Path, peer: Any, note: Note) -> IngestTiming:
    """Both sides once."""
    note("reading")
    parse_s = _seconds(lambda: parse_file(file, name=file.name, limits=reading_limits(kind="html")))
    organization, corpus = corpus_own(slug=SLUG, title="Benchmark of ingestion", name="EU AI Act", is_fresh=True)
    started = perf_counter()
    upload = file_take_in(organization=organization, corpus=corpus, name=file.name, parts=file_parts(file), note=note)
    total_s = perf_counter() - started
    with organization_scope(organization, user=None):
        version = DocumentVersion.objects.defer("text").get(pk=upload.ready().version_id)
    pieces = _pieces(organization, version)
    note("encoding alone")
    encode_s = _seconds(lambda: encoder.encoder().encode(pieces))
    note(f"{PEER} on {len(pieces):,} pieces")
    return IngestTiming(version.n_pages, len(pieces), total_s, parse_s, encode_s, *peer_seconds(peer, pieces))


def _pieces(organization: Organization, version: DocumentVersion) -> list[str]:
    """The texts that were embedded, in reading order."""
    with organization_scope(organization, user=None):
        chunks = list(Chunk.objects.filter(version=version).order_by("ordinal").only("heading", "text"))
    return [text for chunk in chunks for text in window_texts(heading=chunk.heading, text=chunk.text)]


def peer_encoder() -> Any:
    """LlamaIndex's own wrapper of sentence-transformers, loaded and warm.

    It runs the same weights, in batches of the same size and number format, on the same threads.
    """
    import torch
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding

    dtype: Any = getattr(torch, encoder.batch_dtype())
    model = HuggingFaceEmbedding(
        model_name=str(encoder.model_folder()),
        device="cpu",
        embed_batch_size=encoder.BATCH,
        max_length=encoder.WINDOW_TOKENS + 2,
        model_kwargs={"dtype": dtype},
    )
    model.get_text_embedding_batch(["warm up"] * 64)
    return model


def peer_seconds(peer: Any, pieces: Sequence[str]) -> tuple[float, float]:
    """Seconds that LlamaIndex takes to embed the pieces and to put them into its vector index in memory."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.schema import TextNode

    started = perf_counter()
    vectors = peer.get_text_embedding_batch(list(pieces))
    encoded = perf_counter()
    nodes = [TextNode(text=text, embedding=vector) for text, vector in zip(pieces, vectors, strict=True)]
    VectorStoreIndex(nodes, embed_model=peer)
    return encoded - started, perf_counter() - encoded


def _seconds(call: Callable[[], object]) -> float:
    started = perf_counter()
    call()
    return perf_counter() - started
