"""The fine-tuned transformer, scored in numpy: a question costs some ten milliseconds and no torch in the web process.

The encoder (BERT or DistilBERT) lies on disk and is not changed; a classifier holds the layers that were trained, in
half precision, and the head over the mean of the last layer.

Its classes are ordered: a question that needs three passages needs more than one and more than two. The head therefore
has c - 1 outputs for c classes, "more than one", "more than two" and so on, each a yes or a no of its own.

Source: Frank and Hall, "A Simple Approach to Ordinal Classification" (ECML 2001), as outputs of one network (Cao,
    Mirjalili and Raschka, CORAL, 2020). Differs from CORAL: every output has its own weights; what keeps the chances in
    order is the running minimum. Differs from HyPA-RAG 7.2: there a softmax over classes without an order.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import load, save
from scipy.special import erf, expit
from tokenizers import Tokenizer

from retrieval.complexity.types import ClassifierError, Labels, Probabilities

FORMAT = 2  # 1 had one output a class and a softmax over them
HEAD_WEIGHT, HEAD_BIAS = "head.weight", "head.bias"
Floats = NDArray[np.float32]
Tensors = Mapping[str, Floats]

# The names of a DistilBERT's tensors as those of a BERT.
_DISTIL = (
    ("transformer.layer.", "encoder.layer."),
    (".attention.q_lin.", ".attention.self.query."),
    (".attention.k_lin.", ".attention.self.key."),
    (".attention.v_lin.", ".attention.self.value."),
    (".attention.out_lin.", ".attention.output.dense."),
    (".sa_layer_norm.", ".attention.output.LayerNorm."),
    (".ffn.lin1.", ".intermediate.dense."),
    (".ffn.lin2.", ".output.dense."),
    (".output_layer_norm.", ".output.LayerNorm."),
)


@dataclass(frozen=True)
class Encoder:
    """An encoder on disk: its tensors under the names of BERT, and its shape.

    fingerprint: SHA-256 of the file of weights; a classifier works over the encoder that it was trained over alone.
    """

    tensors: Tensors
    n_layers: int
    n_heads: int
    epsilon: float
    fingerprint: str
    tokenizer: Tokenizer


def bert_name(name: str) -> str:
    """A tensor's name as BERT calls it."""
    name = name.removeprefix("bert.").removeprefix("distilbert.")
    for distil, bert in _DISTIL:
        name = name.replace(distil, bert)
    return name


@lru_cache(maxsize=2)
def encoder_load(folder: Path) -> Encoder:
    """The encoder of a folder with config.json, model.safetensors and tokenizer.json.

    Raises:
        ClassifierError: it is no BERT or DistilBERT, or a file is missing.
    """
    missing = [n for n in ("config.json", "model.safetensors", "tokenizer.json") if not (folder / n).is_file()]
    if missing:
        raise ClassifierError(f"The encoder's folder {folder} has no {missing[0]}. Name one that has.")
    config = json.loads((folder / "config.json").read_text())
    is_distil = config.get("model_type") == "distilbert"
    if config.get("model_type") not in ("bert", "distilbert"):
        raise ClassifierError(f"The encoder in {folder} is a {config.get('model_type')}; use a BERT or a DistilBERT.")
    with safe_open(folder / "model.safetensors", framework="np") as file:
        tensors = {bert_name(name): np.asarray(file.get_tensor(name), np.float32) for name in file.keys()}  # noqa: SIM118 - no mapping
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    return Encoder(
        tensors,
        config["n_layers" if is_distil else "num_hidden_layers"],
        config["n_heads" if is_distil else "num_attention_heads"],
        float(config.get("layer_norm_eps", 1e-12)),
        weights_fingerprint(folder),
        tokenizer,
    )


@lru_cache(maxsize=4)
def weights_fingerprint(folder: Path) -> str:
    """SHA-256 of the folder's weights."""
    with (folder / "model.safetensors").open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


@dataclass(frozen=True)
class TransformerClassifier:
    """A fine-tuned encoder with a linear head over the mean of its last layer, one output for each class but the first.

    Attributes:
        folder: Of the encoder.
        trained: The tensors that were trained, under BERT's names, and the head's.
        n_classes: How many.
        max_tokens: What of a question is read, the model's own two marks counted.
        base: Fingerprint of the encoder's weights.
        provenance: Data, date, seed, figures; not read by the code.
    """

    folder: Path
    trained: Tensors
    n_classes: int
    max_tokens: int
    base: str
    provenance: Mapping[str, Any]
    kind: str = "transformer"

    def probabilities(self, texts: Sequence[str]) -> Probabilities:
        encoder = encoder_load(self.folder)
        if encoder.fingerprint != self.base:
            raise ClassifierError("The classifier was trained over another encoder. Train it anew.")
        head, bias = self.trained[HEAD_WEIGHT], self.trained[HEAD_BIAS]
        tensors = {**encoder.tensors, **self.trained}
        scores = [head @ _pooled(tensors, encoder, self._tokens(encoder, text)) + bias for text in texts]
        return ordered_probabilities(np.array(scores, np.float64).reshape(len(texts), self.n_classes - 1))

    def decide(self, probabilities: Probabilities) -> Labels:
        return middle_class(probabilities)

    def _tokens(self, encoder: Encoder, text: str) -> list[int]:
        ids: list[int] = encoder.tokenizer.encode(text).ids
        return ids if len(ids) <= self.max_tokens else [*ids[: self.max_tokens - 1], ids[-1]]

    def as_bytes(self) -> bytes:
        document = {
            "format": FORMAT,
            "kind": self.kind,
            "classes": self.n_classes,
            "max_tokens": self.max_tokens,
            "base": self.base,
            "provenance": dict(self.provenance),
        }
        halves = {name: np.asarray(value, np.float16) for name, value in self.trained.items()}
        written: bytes = save(halves, metadata={"classifier": json.dumps(document, ensure_ascii=False)})
        return written

    @classmethod
    def read(cls, data: bytes, folder: Path) -> "TransformerClassifier":
        """The classifier that `as_bytes` wrote, over the encoder of a folder.

        Raises:
            ClassifierError: it is of another format.
        """
        size = int.from_bytes(data[:8], "little")
        try:
            document = json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["classifier"])
            trained = {name: np.asarray(value, np.float32) for name, value in load(data).items()}
        except (ValueError, KeyError, TypeError) as error:
            raise ClassifierError("This is no classifier that LegalQA has written. Train one.") from error
        if document.get("format") != FORMAT:
            raise ClassifierError("The classifier was written by another version. Train it anew.")
        return cls(
            folder, trained, document["classes"], document["max_tokens"], document["base"], document["provenance"]
        )


def ordered_probabilities(scores: NDArray[np.floating[Any]]) -> Probabilities:
    """Probabilities [n, c] from the scores of the c - 1 questions "is it of class k or above?", [n, c - 1].

    A class is reached with no more than the chance of the class below it, so that the differences are a distribution.
    """
    reached = np.minimum.accumulate(expit(np.asarray(scores, np.float64)), axis=1)
    edges = np.pad(reached, ((0, 0), (1, 1)), constant_values=((0.0, 0.0), (1.0, 0.0)))
    return np.asarray(edges[:, :-1] - edges[:, 1:])


def middle_class(probabilities: Probabilities) -> Labels:
    """The class in the middle of each distribution [n, c]: the last one that is reached with a chance above one half.

    Of ordered classes it is the one that is least far off on average; the most likely class may stand at an end.
    """
    reached = probabilities[:, ::-1].cumsum(axis=1)[:, ::-1]
    return np.asarray((reached[:, 1:] > 0.5).sum(axis=1), np.int64)


def _pooled(tensors: Tensors, encoder: Encoder, ids: Sequence[int]) -> Floats:
    """The mean of the last layer over a question's tokens, [d]."""
    states = tensors["embeddings.word_embeddings.weight"][list(ids)]
    states = states + tensors["embeddings.position_embeddings.weight"][: len(ids)]
    if "embeddings.token_type_embeddings.weight" in tensors:
        states = states + tensors["embeddings.token_type_embeddings.weight"][0]
    states = _normed(states, tensors, "embeddings.LayerNorm", encoder.epsilon)
    for layer in range(encoder.n_layers):
        states = _layer(states, tensors, f"encoder.layer.{layer}", encoder)
    return np.asarray(states.mean(axis=0), np.float32)


def _layer(states: Floats, tensors: Tensors, at: str, encoder: Encoder) -> Floats:
    """One layer: attention, then two dense ones, each added to what went in and normed; states [t, d]."""
    n_tokens, width = states.shape
    shape = (n_tokens, encoder.n_heads, width // encoder.n_heads)
    query, key, value = (
        _dense(states, tensors, f"{at}.attention.self.{name}").reshape(shape).transpose(1, 0, 2)
        for name in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(shape[2]))
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    mixed = (shares @ value).transpose(1, 0, 2).reshape(n_tokens, width)
    states = _normed(
        states + _dense(mixed, tensors, f"{at}.attention.output.dense"),
        tensors,
        f"{at}.attention.output.LayerNorm",
        encoder.epsilon,
    )
    inner = _gelu(_dense(states, tensors, f"{at}.intermediate.dense"))
    outer = states + _dense(inner, tensors, f"{at}.output.dense")
    return _normed(outer, tensors, f"{at}.output.LayerNorm", encoder.epsilon)


def _dense(states: Floats, tensors: Tensors, at: str) -> Floats:
    return np.asarray(states @ tensors[f"{at}.weight"].T + tensors[f"{at}.bias"], np.float32)


def _normed(states: Floats, tensors: Tensors, at: str, epsilon: float) -> Floats:
    centred = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(epsilon))
    return np.asarray(centred / spread * tensors[f"{at}.weight"] + tensors[f"{at}.bias"], np.float32)


def _gelu(values: Floats) -> Floats:
    return np.asarray(0.5 * values * (1.0 + erf(values / np.float32(np.sqrt(2.0)))), np.float32)
