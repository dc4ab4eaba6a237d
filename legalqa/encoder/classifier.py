"""Fine-tuned classifiers of questions: the file of one, and the model in the encoder's process that scores with it.

A classifier is the layers that were trained, in half precision under the names of BERT, and a head over the mean of the
last layer. All other layers are those of the encoder that it was trained over, which is on disk and is not changed.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

FORMAT = 2  # 1 had one output a class and a softmax over them
HEAD_WEIGHT, HEAD_BIAS = "head.weight", "head.bias"
BATCH = 32  # texts that go through the model together

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


def bert_name(name: str) -> str:
    """A tensor's name as BERT calls it."""
    name = name.removeprefix("bert.").removeprefix("distilbert.")
    for distil, bert in _DISTIL:
        name = name.replace(distil, bert)
    return name


@lru_cache(maxsize=4)
def weights_fingerprint(folder: Path) -> str:
    """SHA-256 of the weights of an encoder's folder."""
    with (folder / "model.safetensors").open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def classifier_pack(
    trained: "Mapping[str, torch.Tensor]", *, n_classes: int, max_tokens: int, base: str, provenance: Mapping[str, Any]
) -> bytes:
    """The artefact of a classifier, as float16.

    Args:
        trained: The tensors that were trained, under the names of BERT, and those of the head.
        n_classes: How many; the head has an output for each but the first.
        max_tokens: What of a question is read, the model's own two marks counted.
        base: SHA-256 of the encoder's weights; the classifier works over that encoder alone.
        provenance: Data, date, seed, figures; not read by the code.
    """
    import torch
    from safetensors.torch import save

    about = {
        "format": FORMAT,
        "kind": "transformer",
        "classes": n_classes,
        "max_tokens": max_tokens,
        "base": base,
        "provenance": dict(provenance),
    }
    halves = {name: tensor.detach().to(torch.float16).contiguous() for name, tensor in trained.items()}
    return save(halves, metadata={"classifier": json.dumps(about, ensure_ascii=False)})


def metadata_read(artefact: bytes, kind: str) -> dict[str, Any]:
    """The description in a safetensors file, under "encoder" or "classifier".

    Raises:
        ValueError: it says nothing, or is not such a file.
    """
    n_bytes = int.from_bytes(artefact[:8], "little")
    try:
        about = json.loads(json.loads(artefact[8 : 8 + n_bytes])["__metadata__"][kind])
    except (KeyError, TypeError) as error:
        raise ValueError(f"The file is not a trained {kind}.") from error
    if not isinstance(about, dict):
        raise ValueError(f"The file is not a trained {kind}.")
    return about


class QuestionModel:
    """A classifier in this process, in float32; it shares with the others over its encoder what it did not train."""

    def __init__(self, artefact: bytes, folder: Path) -> None:
        from safetensors.torch import load

        trained = {name: tensor.float() for name, tensor in load(artefact).items()}
        self._max_tokens: int = metadata_read(artefact, "classifier")["max_tokens"]
        self._weight, self._bias = trained.pop(HEAD_WEIGHT), trained.pop(HEAD_BIAS)
        self._tokenizer, encoder = _encoder_load(folder)
        shared = [value for name, value in encoder.named_parameters() if bert_name(name) not in trained]
        self._encoder = deepcopy(encoder, {id(part): part for part in shared})
        own = {bert_name(name): name for name, _ in encoder.named_parameters()}
        self._encoder.load_state_dict({own[name]: tensor for name, tensor in trained.items()}, strict=False)

    def scores(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The head's output for n questions, [n, classes - 1]."""
        import torch

        parts = [self._forward(list(texts[at : at + BATCH])) for at in range(0, len(texts), BATCH)]
        return np.asarray(torch.cat(parts).numpy() if parts else np.zeros((0, len(self._bias))), np.float32)

    def _forward(self, texts: list[str]) -> "torch.Tensor":
        import torch

        batch = self._tokenizer(texts, truncation=True, max_length=self._max_tokens, padding=True, return_tensors="pt")
        mask = batch["attention_mask"]
        with torch.inference_mode():
            states = self._encoder(input_ids=batch["input_ids"], attention_mask=mask).last_hidden_state
            pooled = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
            return pooled @ self._weight.T + self._bias


@lru_cache(maxsize=1)
def _encoder_load(folder: Path) -> tuple[Any, Any]:
    """Tokenizer and model of a folder, in float32; nothing is fetched."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(folder, local_files_only=True, dtype=torch.float32).eval()
    return AutoTokenizer.from_pretrained(folder, local_files_only=True), model


def has_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16; where it does, products are taken in it, weights stay in float32."""
    import torch

    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))
