"""The encoder's model in this process, with the trained encoders that share most of it."""

import gc
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from django.conf import settings
from tokenizers import Tokenizer

from legalqa.encoder.classifier import has_bfloat16
from legalqa.encoder.deltas import deltas_unpacked
from legalqa.encoder.reading import MAX_TOKENS, FloatMatrix, ReaderModel
from legalqa.encoder.weights import (
    NAME,
    PASSAGES,
    PASSAGES_FILE,
    model_folder,
    model_with,
    weights_read,
    weights_unpack,
)

if TYPE_CHECKING:
    import torch

DIMENSIONS = 384
BATCH = 32  # texts that go through the model together
TRAINED_MAX = 3  # ours: trained encoders held at once, 65 MB each where batches are bfloat16


class LocalEncoder:
    """The model in this process; in bfloat16 only where the processor computes it natively.

    There a batch takes half as long as in float32, and a single short text half or twice as long, by processor: a
    second copy costs 90 MB. Vectors of the two agree to about a thousandth.

    Trained encoders are copies that share this one's embeddings of words and positions, its tokenizer and its threads;
    the TRAINED_MAX that were used last stay loaded.
    """

    FEW = 2  # texts up to which float32 may be faster
    QUESTION, PASSAGES = (1, 16), (4, 96)  # ours: texts and tokens of each by which the number formats are compared
    TRIALS = 5  # ours
    CLEARLY = 0.9  # ours: share of float32's time from which on another format is taken, at each start alike
    LEAST, ROUNDS = 3, 3  # ours: texts worth a forward pass of their own, and batches that a thread does of few texts

    def __init__(self) -> None:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        import torch
        from transformers import BertModel
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        dtype = batch_dtype()
        folder = str(model_folder())
        # sentence-transformers would run the same model, but loads scikit-learn and SciPy before.
        models: dict[str, Any] = {
            kind: BertModel.from_pretrained(folder, dtype=getattr(torch, kind)).eval() for kind in {dtype, "float32"}
        }
        self._for_batches, self._exact = models[dtype], models["float32"]
        self._for_few = self._sooner(*self.QUESTION)
        self._tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        # Two batches on one core each are done sooner than one after the other on both: nothing waits between layers.
        self._n_threads = torch.get_num_threads()
        self._threads = ThreadPoolExecutor(self._n_threads, "encoder", initializer=lambda: torch.set_num_threads(1))
        self._trained: OrderedDict[str, Self] = OrderedDict()
        self._lock = Lock()
        # The model and its libraries are half a million objects that stay: going through them at every collection takes
        # as long as storing a document.
        gc.collect()
        gc.freeze()

    def named(self, name: str) -> Self:
        """The encoder with that name: this one, or one with trained weights.

        Raises:
            WeightsMissing: its weights are in no file.
            WeightsWrong: they are not of this model.
        """
        if name == NAME:
            return self
        with self._lock:
            if name not in self._trained:
                self._trained[name] = self.trained(self._tensors(name))
            self._trained.move_to_end(name)
            while len(self._trained) > TRAINED_MAX:
                self._trained.popitem(last=False)
            return self._trained[name]

    def _tensors(self, name: str) -> "dict[str, torch.Tensor]":
        if name != PASSAGES:
            return weights_unpack(weights_read(name))
        from safetensors.torch import load_file

        return deltas_unpacked(load_file(PASSAGES_FILE), base=self.parameters())

    def trained(self, tensors: "Mapping[str, torch.Tensor]") -> Self:
        """An encoder like this one with some of its tensors replaced."""
        other = type(self).__new__(type(self))
        other._n_threads, other._threads, other._tokenizer = self._n_threads, self._threads, self._tokenizer
        other._for_batches = model_with(self._for_batches, tensors)
        is_one = self._for_few is self._for_batches
        other._for_few = other._for_batches if is_one else model_with(self._for_few, tensors)
        return other

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:  # noqa: ARG002 - nobody waits in this process
        """The means of the last layer over each text's tokens; what comes after MAX_TOKENS is not read.

        Returns:
            float32 matrix [n, DIMENSIONS], rows of length 1 in the order of the texts.
        """
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        tokens = [one.ids for one in self._tokenizer.encode_batch(list(texts))]
        if len(texts) <= max(self.FEW, self.LEAST * (self._n_threads - 1)):
            return unit(self._forward(self._for_few if len(texts) <= self.FEW else self._for_batches, tokens))
        matrix = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        lengths = [len(ids) for ids in tokens]
        for places, vectors in self.in_batches(
            lengths, lambda batch: self._forward(self._for_batches, [tokens[place] for place in batch])
        ):
            matrix[places] = vectors
        return unit(matrix)

    def in_batches(
        self, lengths: Sequence[int], forward: Callable[[list[int]], FloatMatrix]
    ) -> Iterator[tuple[list[int], FloatMatrix]]:
        """What `forward` makes of batches of texts, given by their places, with at least LEAST texts each.

        Batches are of texts alike in length, longest first, one a thread: what is padded is computed for nothing, and a
        thread without a batch waits. Few texts make batches for ROUNDS rounds: in one, half of the threads get the long
        texts and the others wait.
        """
        by_length = sorted(range(len(lengths)), key=lambda place: -lengths[place])
        rounds = max(self.ROUNDS, -(-len(lengths) // (BATCH * self._n_threads)))
        size = max(self.LEAST, -(-len(lengths) // (rounds * self._n_threads)))
        batches = [by_length[at : at + size] for at in range(0, len(lengths), size)]
        return zip(batches, self._threads.map(forward, batches), strict=True)

    def reader(self, artefact: bytes) -> ReaderModel:
        """A reader over this encoder: it shares words, positions and threads.

        Raises:
            WeightsWrong: the artefact belongs to another encoder.
        """
        tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
        base = self._threads.submit(self._sooner, *self.PASSAGES).result()  # on one core, as it will read
        return ReaderModel(artefact, base, self.parameters(), tokenizer, self.in_batches)

    def _sooner(self, texts: int, tokens: int) -> Any:
        """The model in the number format that reads so many texts sooner on this machine, measured.

        Of two processors that both compute bfloat16 natively, one took 1.4 times as long as in float32 for pairs, the
        other 0.6; for a question the one twice as long, the other 0.6.
        """
        if self._for_batches is self._exact:
            return self._exact
        models = (self._exact, self._for_batches)  # in turn: what disturbs the machine disturbs both
        times = [[_seconds_of(model, texts, tokens) for model in models] for _ in range(self.TRIALS)]
        exact, other = map(min, zip(*times, strict=True))
        return self._for_batches if other < self.CLEARLY * exact else self._exact

    def parameters(self) -> "dict[str, torch.Tensor]":
        """This encoder's tensors in float32, under BERT's names."""
        return {name: value.detach() for name, value in self._exact.named_parameters()}

    @staticmethod
    def _forward(model: Any, tokens: Sequence[Sequence[int]]) -> FloatMatrix:
        """The means of the last layer over the tokens of n texts, [n, DIMENSIONS]."""
        import torch

        ids = torch.zeros(len(tokens), max(map(len, tokens)), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, numbers in enumerate(tokens):
            ids[row, : len(numbers)] = torch.tensor(numbers)
            mask[row, : len(numbers)] = 1
        with torch.inference_mode():
            states = model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
            means: FloatMatrix = ((states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)).numpy()
        return means


def unit(matrix: FloatMatrix) -> FloatMatrix:
    """Rows of length 1; normalised in float32, because a bfloat16 norm is off by up to half a percent."""
    rows: FloatMatrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    return rows


def _seconds_of(model: Any, texts: int, tokens: int) -> float:
    """The time that a model takes over so many texts of so many tokens."""
    import torch

    ids = torch.full((texts, tokens), 1000)
    started = perf_counter()
    with torch.inference_mode():
        model(input_ids=ids, attention_mask=torch.ones_like(ids))
    return perf_counter() - started


def batch_dtype() -> str:
    """The number format of batches: as set, or bfloat16 where the processor computes it natively."""
    if settings.ENCODER_DTYPE != "auto":
        return str(settings.ENCODER_DTYPE)
    return "bfloat16" if has_bfloat16() else "float32"
