"""Encoders that the operator put on this server: each a folder of sentence-transformers under LEGALQA_ENCODERS.

A folder's name for vectors holds the SHA-256 of its files: one that changes is another encoder, and vectors that it
made before are not compared with those that it makes now. Nothing is fetched, and nothing but safetensors is loaded.
"""

import hashlib
import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from tokenizers import Tokenizer

from legalqa.encoder.local import unit
from legalqa.encoder.reading import FloatMatrix
from legalqa.encoder.weights import FILES, WeightsMissing, WeightsWrong

FOLDER = "folder:"
CARD = "encoder.json"
LOADED_MAX = 2  # ours: folders' models held at once
BATCH = 32
_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_POOLING = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "first token",
    "pooling_mode_max_tokens": "maximum",
    "pooling_mode_lasttoken": "last token",
}


@dataclass(frozen=True, slots=True)
class EncoderCard:
    """The card of an encoder in a folder; fields as of `corpora.models.AddedEncoder`."""

    slug: str
    name: str
    title: str
    dimensions: int
    window_tokens: int
    pooling: str
    cue_query: str
    cue_passage: str
    licence: str
    n_bytes: int


def folder_cards() -> list[EncoderCard]:
    """The encoders in the folders under LEGALQA_ENCODERS, by name; a folder without an encoder is left out."""
    root = Path(settings.ENCODERS) if settings.ENCODERS else None
    if root is None or not root.is_dir():
        return []
    cards = []
    for folder in sorted(root.iterdir()):
        if _SLUG.fullmatch(folder.name) and all((folder / name).is_file() for name in FILES):
            with suppress(OSError, ValueError):
                cards.append(folder_card(folder.name))
    return cards


def folder_card(slug: str) -> EncoderCard:
    """What is known of the encoder in a folder.

    Raises:
        WeightsMissing: there is no such folder, or it lacks a file.
        WeightsWrong: what it says of itself cannot be read.
    """
    folder = _folder(slug)
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and not file.name.startswith(".")]
    return _card(folder, tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files))


def folder_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of a folder's encoder, without truncation."""
    return tokenizer_in(_folder(_slug(name)))


@dataclass(frozen=True, slots=True)
class FolderEncoder:
    """The encoder of a folder, in this process."""

    name: str

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:  # noqa: ARG002 - nobody waits in this process
        """Vectors by the folder's model.

        Returns:
            float32 matrix [n, d], rows of length 1; d is what the folder's card says.

        Raises:
            WeightsMissing: its folder is not there, or holds another encoder by now.
            WeightsWrong: its folder cannot be loaded.
        """
        return _model(self.name)(texts)


def _folder(slug: str) -> Path:
    folder = Path(settings.ENCODERS or "/nonexistent") / slug
    if not _SLUG.fullmatch(slug) or not all((folder / name).is_file() for name in FILES):
        raise WeightsMissing(f"The encoder's folder {slug[:40]!r} is not under LEGALQA_ENCODERS, or lacks a file.")
    return folder


def _slug(name: str) -> str:
    return name.removeprefix(FOLDER).partition("+")[0]


@lru_cache(maxsize=64)
def _card(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> EncoderCard:
    """The card of a folder whose files have these times and sizes."""
    digest = hashlib.sha256()
    for file, _, _ in stamps:
        with Path(file).open("rb") as handle:
            digest.update(f"{Path(file).relative_to(folder)} ".encode())
            digest.update(hashlib.file_digest(handle, "sha256").digest())
    own, config, sentences = (_json(folder / name) for name in (CARD, "config.json", "sentence_bert_config.json"))
    pooling = _json(folder / "1_Pooling" / "config.json")
    prompts = _json(folder / "config_sentence_transformers.json").get("prompts") or {}
    try:
        dense = [int(_json(file)["out_features"]) for file in sorted(folder.glob("*_Dense/config.json"))]
        natural = dense[-1] if dense else int(pooling.get("word_embedding_dimension") or config["hidden_size"])
        window = int(own.get("window") or sentences.get("max_seq_length") or config["max_position_embeddings"])
        dimensions = int(own.get("dimensions") or natural)
    except (KeyError, TypeError, ValueError) as error:
        raise WeightsWrong(
            f"The encoder's folder {folder.name!r} does not say its size: {error}. Copy the folder again."
        ) from None
    if not 1 <= dimensions <= natural:
        raise WeightsWrong(
            f"The encoder {folder.name!r} has {natural} dimensions, and {CARD} names {dimensions}. Name fewer there."
        )
    marks = tokenizer_in(folder).num_special_tokens_to_add(is_pair=False)
    return EncoderCard(
        slug=folder.name,
        name=f"{FOLDER}{folder.name}+{digest.hexdigest()[:16]}",
        title=str(own.get("title") or folder.name)[:120],
        dimensions=dimensions,
        window_tokens=window - marks,
        pooling=next((word for key, word in _POOLING.items() if pooling.get(key)), "mean"),
        cue_query=str(own.get("cue_query", prompts.get("query", "")))[:300],
        cue_passage=str(own.get("cue_passage", prompts.get("passage", prompts.get("document", ""))))[:300],
        licence=str(own.get("licence") or _licence(folder))[:60],
        n_bytes=sum(size for _, _, size in stamps),
    )


def _json(file: Path) -> dict[str, Any]:
    """A JSON object of a file; empty where there is no file.

    Raises:
        WeightsWrong: it is not a JSON object.
    """
    if not file.is_file():
        return {}
    try:
        document = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise WeightsWrong(
            f"{file.name} of the encoder {file.parent.name!r} is not JSON. Copy the encoder's folder again."
        ) from error
    return document if isinstance(document, dict) else {}


def _licence(folder: Path) -> str:
    """What the model card's head says."""
    readme = folder / "README.md"
    head = readme.read_text("utf-8", errors="replace")[:2000] if readme.is_file() else ""
    match = re.search(r"^license:\s*(\S+)", head, re.MULTILINE)
    return match[1] if match else ""


def tokenizer_in(folder: Path) -> Tokenizer:
    """The tokenizer of a folder, without truncation; read again once its file has changed."""
    file = folder / "tokenizer.json"
    return _tokenizer_read(file, file.stat().st_mtime_ns, file.stat().st_size)


@lru_cache(maxsize=8)
def _tokenizer_read(file: Path, mtime_ns: int, size: int) -> Tokenizer:  # noqa: ARG001 - another file, another entry
    loaded = Tokenizer.from_file(str(file))
    loaded.no_truncation()
    loaded.no_padding()
    return loaded


class _FolderModel:
    """A folder's model, in this process."""

    def __init__(self, folder: Path, card: EncoderCard) -> None:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer

        self._model = SentenceTransformer(
            str(folder),
            device="cpu",
            truncate_dim=card.dimensions,
            local_files_only=True,
            model_kwargs={"use_safetensors": True},
        )
        self._model.max_seq_length = card.window_tokens + tokenizer_in(folder).num_special_tokens_to_add(is_pair=False)
        self._dimensions = card.dimensions

    def __call__(self, texts: Sequence[str]) -> FloatMatrix:
        if not texts:
            return np.zeros((0, self._dimensions), np.float32)
        # No prompt of the folder's own: the cue is in the text already, and would come twice.
        vectors = self._model.encode(list(texts), batch_size=BATCH, prompt="", show_progress_bar=False)
        return unit(np.asarray(vectors, np.float32))


@lru_cache(maxsize=LOADED_MAX)
def _model(name: str) -> _FolderModel:
    """The model of an encoder's name, loaded once; it stays the same, whatever becomes of its folder."""
    card = folder_card(_slug(name))
    if card.name != name:
        raise WeightsMissing(f"The folder of the encoder {name} holds another model by now.")
    try:
        return _FolderModel(_folder(card.slug), card)
    except (OSError, ValueError, RuntimeError) as error:
        raise WeightsWrong(
            f"The encoder's folder {card.slug!r} cannot be loaded: {type(error).__name__}. Copy it again."
        ) from error
