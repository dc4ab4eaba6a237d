"""Text to vectors: one packaged model, in this process or in the encoder process that all share.

The model is loaded once per machine: `manage.py up` runs `encoder_server`, and web and workers send it their texts over
a unix socket, so that neither carries half a gigabyte of its own. Without that process (a single command) the model is
loaded here. What a corpus trained is the same model with other weights (`legalqa.encoder.weights`), asked for by
its name, and so are a classifier of questions and the reader of pairs.
"""

import json
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from time import monotonic, sleep
from typing import Protocol

import numpy as np
from django.conf import settings
from tokenizers import Tokenizer

from legalqa.common.errors import ResourceDown
from legalqa.encoder.classifier import QuestionModel
from legalqa.encoder.folders import FOLDER, EncoderCard, FolderEncoder, folder_cards, folder_tokenizer, tokenizer_in
from legalqa.encoder.local import BATCH, DIMENSIONS, LocalEncoder, batch_dtype
from legalqa.encoder.reading import COLUMNS, PACKAGED, CrossReader, FloatMatrix, Read, ReaderModel, reads_of
from legalqa.encoder.weights import (
    CLASSIFIER,
    NAME,
    PASSAGES,
    READER,
    WEIGHTS_SHA256,
    WeightsMissing,
    WeightsWrong,
    classifier_folder,
    classifier_name,
    model_folder,
    trained_name,
    weights_keep,
    weights_read,
)

WINDOW_TOKENS = 254  # tokens of a text that the model reads: 256 less its own two marks
RESTART_S = 30.0  # loading the model takes 3 to 15 s
HTTP_READER = "http-rerank.v1"  # LEGALQA_READER: a rerank endpoint reads, and the packaged reader finds the words
READERS_MAX = 3  # ours: trained readers held at once, 22 MB each where batches are bfloat16
PAIRS_URGENT = 64  # pairs that a waiting person's question brings at once
CLASSIFIERS_MAX = 4  # ours: classifiers of questions held at once, 43 MB each
_HEADER = struct.Struct("!II")  # bytes that follow, and how the request went
_DONE, _MISSING = 0, 1


class Encoder(Protocol):
    """Maps texts to unit vectors, so that an inner product is a cosine."""

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
        """Encode n texts of at most WINDOW_TOKENS tokens each; longer ones must be cut into windows first.

        Args:
            texts: Any number of texts.
            is_urgent: A person waits: go before the batches of ingestion.

        Returns:
            float32 matrix [n, d], rows of length 1; d is 384 for the packaged encoder and those trained from it.
        """
        ...


@dataclass(frozen=True, slots=True)
class TextWindow:
    """How an encoder reads: its window, what it takes for a token, and the cues before a question and a passage."""

    tokens: int
    cue_query: str = ""
    cue_passage: str = ""
    tokenizer: str = NAME

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """The character span of every token of each text, the encoder's own marks and cues not counted."""
        own = folder_tokenizer(self.tokenizer) if self.tokenizer.startswith(FOLDER) else tokenizer()
        return [list(one.offsets) for one in own.encode_batch(list(texts), add_special_tokens=False)]

    def room(self, cue: str) -> int:
        """How many tokens are left for a text after a cue."""
        return self.tokens - len(self.offsets([cue])[0]) if cue else self.tokens


PACKAGED_WINDOW = TextWindow(WINDOW_TOKENS)


@cache
def tokenizer() -> Tokenizer:
    """The encoder's own tokenizer, without truncation; light enough for every process."""
    return tokenizer_in(model_folder())


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Tokens of each text, the model's own marks not counted."""
    return [len(e.ids) for e in tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)]


def token_offsets(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """The character span of every token of each text."""
    return PACKAGED_WINDOW.offsets(texts)


class EncoderDown(ResourceDown):
    """The encoder process that `up` keeps does not come back."""


class RemoteEncoder:
    """The encoder process, over its unix socket; one connection a call.

    While it restarts, calls wait for it. Under `up` they never load the model themselves: where memory ran out, a
    second and third copy of it would take the rest of the machine.
    """

    BATCH = 16  # small enough that a waiting question is served within a fraction of a second

    def __init__(self, name: str = NAME) -> None:
        self._name = name

    def encode(self, texts: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
        """Vectors by the encoder process, asked in batches of texts of alike length.

        Returns:
            float32 matrix [n, d], rows of length 1 in the order of the texts; d is that of the encoder's name.

        Raises:
            WeightsMissing: its weights are in no file.
            EncoderDown: the process does not come back.
        """
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        by_length = sorted(range(len(texts)), key=count_tokens(texts).__getitem__)  # alike together: less padding
        parts = []
        for at in range(0, len(texts), self.BATCH):
            places = by_length[at : at + self.BATCH]
            parts.append(self._call([texts[place] for place in places], is_urgent=is_urgent))
        return np.concatenate(parts)[np.argsort(by_length)]

    def read(self, pairs: Sequence[tuple[str, str]], *, is_urgent: bool = False) -> FloatMatrix:
        """A row for each pair, as the reader of this name gives it."""
        parts = [np.zeros((0, len(COLUMNS)), dtype=np.float32)]
        size = PAIRS_URGENT if is_urgent else self.BATCH
        by_length = sorted(range(len(pairs)), key=lambda place: len(pairs[place][0]) + len(pairs[place][1]))
        for at in range(0, len(pairs), size):
            firsts, seconds = zip(*(pairs[place] for place in by_length[at : at + size]), strict=True)
            parts.append(self._call(firsts, is_urgent=is_urgent, seconds=seconds))
        return np.concatenate(parts)[np.argsort(by_length)]

    def _call(self, texts: Sequence[str], *, is_urgent: bool, seconds: Sequence[str] = ()) -> FloatMatrix:
        deadline = monotonic() + RESTART_S
        while True:
            try:
                return self._ask(texts, is_urgent=is_urgent, seconds=seconds)
            except (ConnectionError, FileNotFoundError, TimeoutError):
                if monotonic() < deadline:
                    sleep(0.2)
                elif settings.ENCODER_SERVER:
                    raise EncoderDown(
                        f"The encoder process has not answered for {RESTART_S:.0f} s. Look at the log of `up`."
                    ) from None
                else:
                    return encoded_here(texts, name=self._name, seconds=seconds)

    def _ask(self, texts: Sequence[str], *, is_urgent: bool, seconds: Sequence[str]) -> FloatMatrix:
        request = {"texts": list(texts), "urgent": is_urgent, "encoder": self._name, "seconds": list(seconds)}
        payload = json.dumps(request).encode()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(120)
            connection.connect(settings.ENCODER_SOCKET)
            connection.sendall(_HEADER.pack(len(payload), _DONE) + payload)
            return _receive_matrix(connection, (len(texts), -1))


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


def _receive_matrix(connection: socket.socket, shape: tuple[int, int]) -> FloatMatrix:
    n_bytes, outcome = _HEADER.unpack(receive(connection, _HEADER.size))
    payload = receive(connection, n_bytes)
    if outcome == _MISSING:
        raise WeightsMissing(payload.decode())
    return np.frombuffer(payload, dtype=np.float32).reshape(shape)


def send_matrix(connection: socket.socket, matrix: FloatMatrix) -> None:
    payload = np.ascontiguousarray(matrix, dtype=np.float32).tobytes()
    connection.sendall(_HEADER.pack(len(payload), _DONE) + payload)


def send_missing(connection: socket.socket, error: Exception) -> None:
    """Reply, instead of vectors, that the requested encoder cannot be loaded."""
    payload = str(error).encode()
    connection.sendall(_HEADER.pack(len(payload), _MISSING) + payload)


@dataclass(frozen=True, slots=True)
class EncodeRequest:
    """A request to the encoder process.

    `is_urgent` where a person waits, by the encoder of a name; of a reader `seconds` is the other text of each pair.
    """

    texts: list[str]
    is_urgent: bool
    encoder: str
    seconds: list[str]


def receive_request(connection: socket.socket) -> EncodeRequest:
    """The next request on a connection."""
    n_bytes, _ = _HEADER.unpack(receive(connection, _HEADER.size))
    request = json.loads(receive(connection, n_bytes))
    return EncodeRequest(
        list(request["texts"]),
        bool(request["urgent"]),
        str(request.get("encoder", NAME)),
        list(request.get("seconds", ())),
    )


@cache
def encoder_here() -> LocalEncoder:
    """The packaged encoder in this process."""
    return LocalEncoder()


@lru_cache(maxsize=CLASSIFIERS_MAX)
def _classifier(name: str) -> QuestionModel:
    return QuestionModel(weights_read(name), classifier_folder())


@lru_cache(maxsize=READERS_MAX)
def _reader_trained(name: str) -> ReaderModel:
    return encoder_here().reader(weights_read(name))


@lru_cache(maxsize=2)
def _reader(file: Path) -> ReaderModel | CrossReader:
    """The reader of a file, or the cross-encoder of a folder."""
    if file.is_dir():
        return CrossReader(file, encoder_here().reader(PACKAGED.read_bytes()) if PACKAGED.is_file() else None)
    return encoder_here().reader(file.read_bytes())


def reader_file() -> Path:
    """The file of the reader that is set up, or the folder of a cross-encoder."""
    return Path(settings.READER) if settings.READER not in ("", "on", "off", HTTP_READER) else PACKAGED


def encoded_here(texts: Sequence[str], *, name: str, seconds: Sequence[str] = ()) -> FloatMatrix:
    """The output of a named model for texts, computed in this process, in the encoder process's form.

    Raises:
        WeightsMissing: its weights are in no file.
        WeightsWrong: there is no such model, or its weights do not fit.
    """
    if name.startswith(CLASSIFIER):
        return _classifier(name).scores(texts)
    if name == READER:
        return _reader(reader_file()).rows(list(zip(texts, seconds, strict=True)))
    if name.startswith(READER):
        return _reader_trained(name).rows(list(zip(texts, seconds, strict=True)))
    if name.startswith(FOLDER):
        return FolderEncoder(name).encode(texts)
    return encoder_here().named(name).encode(texts)


def question_scores(texts: Sequence[str], *, classifier: str) -> FloatMatrix:
    """The scores of a fine-tuned classifier for n questions, [n, classes - 1]; for a single one, a person waits.

    Raises:
        WeightsMissing: its artefact is in no file; `weights_keep` writes it.
        EncoderDown: the encoder process does not come back.
    """
    if settings.ENCODER_SERVER or is_server_up():
        return RemoteEncoder(classifier).encode(texts, is_urgent=len(texts) == 1)
    return encoded_here(texts, name=classifier)


def reader_is_on() -> bool:
    """Whether there is a reader, and it was not switched off."""
    return settings.READER != "off" and reader_file().exists()


def reading(pairs: Sequence[tuple[str, str]], *, is_urgent: bool = False, reader: str = READER) -> list[Read]:
    """What a reader makes of n pairs of a question and a passage, or of a claim and its evidence.

    Of each pair, 256 tokens are read: of the longer text, what goes beyond is not.

    Args:
        pairs: Any number; ask `reader_is_on` first.
        is_urgent: A person waits: go before the batches of others.
        reader: The name of a trained one; else the one that is set up.

    Raises:
        WeightsMissing: the trained one is in no file; `with_weights` writes it.
        WeightsWrong: the reader's file is not of this version.
        EncoderDown: the encoder process does not come back.
    """
    if not pairs:
        return []
    if settings.ENCODER_SERVER or is_server_up():
        return reads_of(RemoteEncoder(reader).read(pairs, is_urgent=is_urgent))
    firsts, seconds = zip(*pairs, strict=True)
    return reads_of(encoded_here(firsts, name=reader, seconds=seconds))


def encoder(name: str = NAME) -> Encoder:
    """The shared encoder process where it runs or is kept running, else the model in this process.

    Vectors of two encoders cannot be compared. A trained one raises WeightsMissing where its weights are in no file:
    `corpora.services.encoders` writes them.
    """
    if settings.ENCODER_SERVER or is_server_up():
        return RemoteEncoder(name)
    return FolderEncoder(name) if name.startswith(FOLDER) else encoder_here().named(name)


def is_server_up() -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(settings.ENCODER_SOCKET)
    except OSError:
        return False
    return True
