"""Reading pairs of texts: the file of a reader, and the model in the encoder's process that reads with it.

A reader is the packaged encoder with its layers trained further and three heads. Its file holds what was trained; the
embeddings of words and positions are those of the packaged encoder and are in memory once.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from legalqa.encoder.classifier import metadata_read
from legalqa.encoder.deltas import deltas_packed, deltas_unpacked
from legalqa.encoder.reader import HEADS, heads_scores, pairs_read
from legalqa.encoder.weights import WEIGHTS_SHA256, WeightsWrong, model_with

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

FORMAT = 1
PACKAGED = Path(__file__).with_name("reader.v1.safetensors")
MAX_TOKENS = 256  # tokens of a text or a pair, the model's own marks counted
SPAN_TOKENS = 80  # ours: longest span; clauses that answer are long
COLUMNS = ("answers", "supported", "contradicted", "not_mentioned", "span_odds", "start", "end")

FloatMatrix = NDArray[np.float32]


class Read(NamedTuple):
    """The reader's verdict on a question and a passage, or on a claim and its evidence.

    Attributes:
        answers: Probability that the passage answers the question.
        span: Characters of the second text that answer best; None where nothing of it was read.
        span_odds: Log-odds of that span over "nowhere"; above 0 the span head says that the passage answers.
        support: Probabilities that the evidence supports, contradicts, and does not mention the claim.
    """

    answers: float
    span: tuple[int, int] | None
    span_odds: float
    support: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """From scores to probabilities: those of a logistic regression, and the temperature of the support head.

    The answer's log-odds are `bias + answer * score + span * span_odds`.
    Source: Platt 1999; Guo et al. 2017 for the temperature.
    """

    bias: float = 0.0
    answer: float = 1.0
    span: float = 0.0
    temperature: float = 1.0

    def probabilities(self, scores: FloatMatrix) -> FloatMatrix:
        """The rows of COLUMNS with probabilities in the place of scores."""
        odds = self.bias + self.answer * scores[:, 0] + self.span * scores[:, 4]
        support = np.exp((scores[:, 1:4] - scores[:, 1:4].max(axis=1, keepdims=True)) / self.temperature)
        answers = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        rows = [answers[:, None], support / support.sum(axis=1, keepdims=True), scores[:, 4:]]
        return np.concatenate(rows, axis=1).astype(np.float32)


def reads_of(rows: FloatMatrix) -> list[Read]:
    """The rows of COLUMNS, as the encoder process sends them."""
    reads = []
    for answers, supported, contradicted, not_mentioned, odds, start, end in rows.tolist():
        span = (int(start), int(end)) if start >= 0 else None
        reads.append(Read(answers, span, odds, (supported, contradicted, not_mentioned)))
    return reads


def reader_pack(
    tensors: "Mapping[str, torch.Tensor]", *, base: "Mapping[str, torch.Tensor]", about: Mapping[str, Any]
) -> bytes:
    """The file of a reader.

    Args:
        tensors: What was trained under BERT's names, and the heads under `heads.`.
        base: The packaged encoder's tensors, in float32.
        about: Calibration, threshold and so on; `ReaderModel` reads it.
    """
    from safetensors.torch import save

    document = {"format": FORMAT, "base": WEIGHTS_SHA256, **about}
    return save(deltas_packed(tensors, base=base), metadata={"reader": json.dumps(document, sort_keys=True)})


def reader_unpack(artefact: bytes, base: "Mapping[str, torch.Tensor]") -> "dict[str, torch.Tensor]":
    """The tensors of a reader's file, in float32."""
    from safetensors.torch import load

    return deltas_unpacked(load(artefact), base=base)


def reader_about(artefact: bytes) -> dict[str, Any]:
    """What a reader's file says of itself.

    Raises:
        WeightsWrong: it is not a reader of this version over the packaged encoder.
    """
    try:
        about = metadata_read(artefact, "reader")
    except ValueError:
        raise WeightsWrong(
            "This is not a reader: the file does not describe one. Train it again, or name the file of one."
        ) from None
    if (about.get("format"), about.get("base")) != (FORMAT, WEIGHTS_SHA256):
        raise WeightsWrong("The reader is of another version, or was trained from other weights. Train it again.")
    return about


class ReaderModel:
    """A reader in this process, over the packaged encoder's model."""

    def __init__(
        self, artefact: bytes, base: Any, packaged: "Mapping[str, torch.Tensor]", tokenizer: "Tokenizer", run: "Side"
    ) -> None:
        """Read the file of a reader.

        Args:
            artefact: Its bytes.
            base: The packaged encoder, in the number format of batches; it is not changed.
            packaged: Its tensors in float32.
            tokenizer: The packaged encoder's, for this reader alone.
            run: Runs batches of places, given the lengths of the texts, side by side.

        Raises:
            WeightsWrong: the file is not a reader of this version over the packaged encoder.
        """
        about, tensors = reader_about(artefact), reader_unpack(artefact, packaged)
        self._calibration = Calibration(**about.get("calibration", {}))
        self._max_tokens = int(about.get("max_tokens", MAX_TOKENS))
        parts = [f"{head}.{part}" for head in HEADS for part in ("weight", "bias")]
        if missing := [name for name in parts if f"heads.{name}" not in tensors]:
            raise WeightsWrong(f"The reader lacks heads.{missing[0]}. Train it again.")
        self._heads = {name: tensors.pop(f"heads.{name}").float() for name in parts}
        self._encoder = model_with(base, tensors, what="reader")
        self._tokenizer, self._run = tokenizer, run

    def rows(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        """The rows of COLUMNS of n pairs, [n, 7], in probabilities."""
        return self._calibration.probabilities(self.scores(pairs))

    def scores(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        """The rows of COLUMNS of n pairs, [n, 7], as the heads give them."""
        scores = np.empty((len(pairs), len(COLUMNS)), dtype=np.float32)
        lengths = [len(first) + len(second) for first, second in pairs]
        for places, rows in self._run(lengths, lambda batch: self._forward([pairs[place] for place in batch])):
            scores[places] = rows
        return scores

    def _forward(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        import torch

        batch = pairs_read(self._tokenizer, pairs, max_tokens=self._max_tokens)
        with torch.inference_mode():
            states = self._encoder(**batch.tensors).last_hidden_state.float()
            scores = heads_scores(states, batch, self._heads)
            first, last, odds = _best_spans(scores.start, scores.end)
            rows = torch.cat([scores.answers[:, None], scores.support, odds[:, None]], dim=1).numpy()
        spans = [
            (offsets[a][0], offsets[b][1]) if sides[a] == 1 else (-1, -1)
            for offsets, sides, a, b in zip(batch.offsets, batch.sides, first, last, strict=True)
        ]
        return np.concatenate([rows, np.array(spans)], axis=1).astype(np.float32)


class CrossReader:
    """Another cross-encoder in the place of the answers' head; spans and support stay the packaged reader's."""

    def __init__(self, folder: Path, reader: ReaderModel | None) -> None:
        """Take the cross-encoder of a folder; without a reader beside it there are no spans, and support is unknown.

        Raises:
            WeightsWrong: the folder holds none.
        """
        from sentence_transformers import CrossEncoder

        try:
            self._model = CrossEncoder(str(folder), device="cpu", num_labels=1, local_files_only=True)
        except (OSError, ValueError, RuntimeError) as error:
            raise WeightsWrong(f"The folder {folder} holds no cross-encoder. Name one in LEGALQA_READER.") from error
        self._reader = reader

    def rows(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        """The rows of COLUMNS of n pairs, [n, 7]."""
        from torch.nn import Sigmoid

        unknown = np.tile(np.array([0, 1 / 3, 1 / 3, 1 / 3, 0, -1, -1], dtype=np.float32), (len(pairs), 1))
        rows = self._reader.rows(pairs) if self._reader else unknown
        rows[:, 0] = self._model.predict(list(pairs), activation_fn=Sigmoid(), show_progress_bar=False)
        return rows


Batch = list[int]
Side = Callable[[Sequence[int], Callable[[Batch], FloatMatrix]], Iterable[tuple[Batch, FloatMatrix]]]


def _best_spans(start: "torch.Tensor", end: "torch.Tensor") -> "tuple[list[int], list[int], torch.Tensor]":
    """First and last token of each pair's best span of the second text, and its log-odds over [CLS]."""
    import torch

    n_tokens = start.shape[1]
    places = torch.arange(n_tokens)
    ahead = places[None, :] - places[:, None]
    allowed = (ahead >= 0) & (ahead < SPAN_TOKENS) & (places[:, None] > 0)
    both = (start[:, :, None] + end[:, None, :]).masked_fill(~allowed, float("-inf"))
    best, place = both.flatten(1).max(dim=1)
    odds = best - (start[:, 0] + end[:, 0])
    return (place // n_tokens).tolist(), (place % n_tokens).tolist(), odds
