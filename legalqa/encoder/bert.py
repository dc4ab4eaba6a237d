"""The packaged encoder's network, under BERT's own names: a general library for models takes seconds to import.

Source: Devlin et al. 2019, in the small form of Wang et al. 2020 (MiniLM).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

LAYERS, HEADS, WIDTH, INNER = 6, 12, 384, 1536
WORDS, POSITIONS, SIDES = 30_522, 512, 2
EPSILON = 1e-12


def _norm() -> Any:
    return nn.LayerNorm(WIDTH, eps=EPSILON)


def _output(width: int) -> Any:
    return nn.ModuleDict({"dense": nn.Linear(width, WIDTH), "LayerNorm": _norm()})


def _added(output: Any, states: Tensor, before: Tensor) -> Tensor:
    return output.LayerNorm(output.dense(states) + before)


class _Layer(nn.Module):  # type: ignore[misc]  # torch's classes have no types that mypy reads
    """Attention, and a network of one hidden layer."""

    def __init__(self) -> None:
        super().__init__()
        looks = nn.ModuleDict({part: nn.Linear(WIDTH, WIDTH) for part in ("query", "key", "value")})
        self.attention = nn.ModuleDict({"self": looks, "output": _output(WIDTH)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(WIDTH, INNER)})
        self.output = _output(INNER)

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        looks = self.attention["self"]
        by_head = (*states.shape[:2], HEADS, -1)
        query, key, value = (part(states).view(by_head).transpose(1, 2) for part in looks.values())
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        states = _added(self.attention.output, seen.transpose(1, 2).reshape(states.shape), states)
        return _added(self.output, functional.gelu(self.intermediate.dense(states)), states)


class Bert(nn.Module):  # type: ignore[misc]  # as above
    """From the numbers of tokens to a vector for each of them."""

    def __init__(self) -> None:
        super().__init__()
        tables = {"word_embeddings": WORDS, "position_embeddings": POSITIONS, "token_type_embeddings": SIDES}
        self.embeddings = nn.ModuleDict({name: nn.Embedding(n, WIDTH) for name, n in tables.items()})
        self.embeddings["LayerNorm"] = _norm()
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(_Layer() for _ in range(LAYERS))})
        self.pooler = nn.ModuleDict({"dense": nn.Linear(WIDTH, WIDTH)})  # in the weights, asked by nobody

    @classmethod
    def load(cls, folder: Path, dtype: Any) -> Self:
        """The network with the weights of a folder, in a number format."""
        with torch.device("meta"):  # no numbers that the next line would replace
            model = cls()
        tensors = {name: tensor.to(dtype) for name, tensor in load_file(folder / "model.safetensors").items()}
        model.load_state_dict({name: tensors[name] for name in model.state_dict()}, assign=True)
        model.eval()
        return model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        """Vectors of n texts' tokens, [n, tokens, WIDTH]; what the mask has 0 for is padding."""
        tables = self.embeddings
        sides = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        states = tables.word_embeddings(input_ids) + tables.token_type_embeddings(sides)
        states = tables.LayerNorm(states + tables.position_embeddings.weight[: input_ids.shape[1]])
        mask = None if attention_mask.all() else attention_mask[:, None, None, :].bool()
        for layer in self.encoder.layer:
            states = layer(states, mask)
        return states


def texts_vectors(model: Bert, read: Sequence[Sequence[int]]) -> Tensor:
    """A vector of length 1 for each of n texts, given by the numbers of their tokens: the mean of its tokens'."""
    longest = max(map(len, read))
    ids, mask = (torch.zeros(len(read), longest, dtype=torch.long) for _ in range(2))
    for row, numbers in enumerate(read):
        ids[row, : len(numbers)], mask[row, : len(numbers)] = torch.tensor(numbers), 1
    with torch.inference_mode():
        states = model(ids, mask)
        weights = mask[:, :, None].to(states.dtype)
        means = (states * weights).sum(1, dtype=torch.float32) / weights.sum(1, dtype=torch.float32)
        return functional.normalize(means.to(states.dtype), dim=1)
