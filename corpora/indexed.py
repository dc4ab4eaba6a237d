"""The indexes of a corpus: its chunk sets and its encoders, with their sizes and what they lack."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Func, IntegerField, QuerySet, Sum

from corpora.in_force import chunks_kept
from corpora.models import AddedEncoder, Chunk, ChunkSet, Corpus, Embedding, EncoderSource
from corpora.selectors import encoder_list
from corpora.services.indexing import chunks_lacking
from corpora.services.reindexing import documents_behind
from legalqa.encoder.client import DIMENSIONS, NAME, WINDOW_TOKENS, model_folder
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject

PACKAGED = "The packaged encoder"


@dataclass(frozen=True, slots=True)
class SetRow:
    """A chunk set: `n_behind` are the documents that it lacks by the encoder in use, `n_bytes` what it stores."""

    id: UUID
    name: str
    chunker: dict[str, Any]
    is_live: bool
    n_chunks: int
    mean_chars: float
    n_vectors: int
    n_bytes: int
    n_behind: int
    job: Job | None


@dataclass(frozen=True, slots=True)
class EncoderRow:
    """An encoder of a corpus; `id` is None for the packaged one.

    `n_bytes` are those of its files, `vector_bytes` of its vectors of this corpus, on disk and, while they are
    compared one by one, in memory. `n_lacking` are the passages that are searched and have no vector by it.
    """

    id: UUID | None
    name: str
    title: str
    source: str
    dimensions: int
    window_tokens: int
    pooling: str
    cue_query: str
    cue_passage: str
    licence: str
    n_bytes: int
    n_vectors: int
    vector_bytes: int
    n_lacking: int
    is_in_use: bool
    job: Job | None


def chunk_set_rows(*, corpus: Corpus) -> list[SetRow]:
    """The live chunk set and those that are kept, the live one first."""
    sets = list(ChunkSet.objects.filter(corpus=corpus, retired_at=None).order_by("-is_live", "created_at"))
    sets = [one for one in sets if one.is_live or one.is_kept]
    jobs = job_latest_by_subject(organization=corpus.organization, subject_ids=[one.pk for one in sets])
    chunks = Chunk.objects.filter(chunk_set__in=sets, is_parent=False).order_by().values("chunk_set_id")
    sums = {f"{name}_bytes": Sum(_bytes(name)) for name in ("text", "heading", "terms", "counts")}
    bytes_by_set = {row["chunk_set_id"]: row for row in chunks.annotate(n=Count("pk"), **sums)}
    sizes = _sizes(Embedding.objects.filter(chunk__chunk_set__in=sets), "chunk__chunk_set_id")
    rows = []
    for one in sets:
        mine: Any = bytes_by_set.get(one.pk, {"n": 0})
        n, stored = mine["n"], sum(mine.get(name) or 0 for name in sums)
        n_vectors, vector_bytes = sizes.get(one.pk, (0, 0))
        behind = 0 if one.is_live else documents_behind(chunk_set=one, encoder_name=corpus.encoder)
        mean = mine["text_bytes"] / n if n else 0.0
        job = jobs.get(one.pk)
        rows.append(
            SetRow(one.pk, one.name, one.chunker, one.is_live, n, mean, n_vectors, stored + vector_bytes, behind, job)
        )
    return rows


def _bytes(name: str, function: str = "octet_length") -> Func:
    return Func(F(name), function=function, output_field=IntegerField())


def _sizes(vectors: QuerySet[Embedding], by: str) -> dict[Any, tuple[int, int]]:
    """How many vectors there are of each kind, and their bytes; `by` tells the kinds apart."""
    rows = vectors.order_by().values(by).annotate(n=Count("pk"), size=Sum(_bytes("vector", "pg_column_size")))
    return {row[by]: (row["n"], row["size"] or 0) for row in rows}


def encoder_titles(*, corpus: Corpus) -> dict[str, str]:
    """The names that people see for the encoders of a corpus: the packaged one, added ones, trained ones."""
    added = AddedEncoder.objects.filter(corpus=corpus).order_by("created_at").values_list("name", "title")
    trained = {one.name: f"Trained version {one.number}" for one in encoder_list(corpus=corpus) if one.is_ready}
    return {NAME: PACKAGED, **dict(added), **trained}


def encoder_rows(*, corpus: Corpus) -> list[EncoderRow]:
    """Every encoder of a corpus: the packaged one, added ones, and trained ones that are ready."""
    sizes = _sizes(Embedding.objects.filter(corpus=corpus), "encoder")
    added = list(AddedEncoder.objects.filter(corpus=corpus).order_by("created_at"))
    trained = [one for one in encoder_list(corpus=corpus) if one.is_ready]
    jobs = job_latest_by_subject(organization=corpus.organization, subject_ids=[one.pk for one in added])
    own: dict[str, Any] = {"dimensions": DIMENSIONS, "window_tokens": WINDOW_TOKENS, "pooling": "mean"}
    own |= {"cue_query": "", "cue_passage": "", "licence": "Apache-2.0", "source": ""}
    size = (model_folder() / "model.safetensors").stat().st_size

    chunks = chunks_kept(corpus_id=corpus.pk)
    n_kept = chunks.count()

    def row(name: str, **facts: Any) -> EncoderRow:
        n, vector_bytes = sizes.get(name, (0, 0))
        lacking = chunks_lacking(chunks=chunks, encoder_name=name).count() if n else n_kept
        is_in_use = corpus.encoder == name
        return EncoderRow(
            name=name, n_vectors=n, vector_bytes=vector_bytes, n_lacking=lacking, is_in_use=is_in_use, **facts
        )

    columns = ("dimensions", "window_tokens", "pooling", "cue_query", "cue_passage", "licence", "n_bytes", "title")
    return [
        row(NAME, id=None, title=PACKAGED, n_bytes=size, job=None, **own),
        *(
            row(
                one.name,
                id=one.pk,
                source=EncoderSource(one.source).label,
                job=jobs.get(one.pk),
                **{column: getattr(one, column) for column in columns},
            )
            for one in added
        ),
        *(
            row(one.name, id=one.pk, title=f"Trained version {one.number}", n_bytes=size, job=None, **own)
            for one in trained
        ),
    ]
