"""The indexes that an experiment's configurations search: what each is, as it was when the experiment began."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict
from typing import Any

from corpora.forms.chunking import chunker_words
from corpora.indexed import chunk_set_rows, encoder_rows
from corpora.models import Corpus
from corpora.services import corpus_compared
from judging.experiments.settings import Cell
from retrieval.pipelines.presets import Preset

NAMES = ("chunk_set", "encoder")
OF_SET = ("n_chunks", "mean_chars", "n_vectors", "n_bytes")
OF_ENCODER = ("title", "dimensions", "window_tokens", "pooling", "licence", "n_bytes", "vector_bytes")


def indexes_check(*, corpus: Corpus, presets: Sequence[Preset]) -> None:
    """Refuse presets whose chunk set or encoder the corpus has not, or not whole.

    Raises:
        ApplicationError, Conflict: as `corpora.services.corpus_compared`.
    """
    for preset in presets:
        if preset.compared:
            corpus_compared(corpus=copy(corpus), **preset.compared.model_dump())


def indexes_document(*, corpus: Corpus, cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """A row for each configuration with what it searches; none where no configuration names an index.

    Bytes are those of what is stored: of a chunk set its texts, words and vectors; of an encoder `n_bytes` of its
    files and `vector_bytes` of its vectors, which take as much memory while they are compared one by one.
    """
    if not any(name in cell.overrides for cell in cells for name in NAMES):
        return []
    sets = chunk_set_rows(corpus=corpus)
    encoders = {row.name: row for row in encoder_rows(corpus=corpus)}
    named = {row.name: row for row in sets}
    live = next((row.name for row in sets if row.is_live), "")
    return [
        {
            "cell": cell.key,
            "chunk_set": _row(named, cell.overrides.get("chunk_set", live), OF_SET),
            "encoder": _row(encoders, cell.overrides.get("encoder", corpus.encoder), OF_ENCODER),
        }
        for cell in cells
    ]


def _row(rows: Mapping[str, Any], name: str, fields: Sequence[str]) -> dict[str, Any]:
    row = asdict(rows[name]) if name in rows else {}
    words = {"words": chunker_words(row["chunker"])} if "chunker" in row else {}
    return {"name": name} | words | {field: row.get(field) for field in fields}
