"""The reader: a cross-encoder over the packaged weights that reads two texts together.

Of a question and a passage it says whether the passage answers and with which words; of a claim and its evidence,
whether the evidence supports it, contradicts it, or does not mention it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

HEADS = ("answers", "support", "span")
UNKNOWN = -100  # a span that is not known


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of texts as the encoder reads them.

    Attributes:
        tensors: input_ids, attention_mask and token_type_ids, [n, tokens].
        offsets: Characters of each token in its own text, one list a pair.
        sides: Which text each token is of: None for the model's own marks, else 0 or 1.
    """

    tensors: "dict[str, torch.Tensor]"
    offsets: list[list[tuple[int, int]]]
    sides: list[list[int | None]]

    def tokens_of(self, place: int, span: tuple[int, int] | None) -> tuple[int, int]:
        """The first and the last token of a span of the second text; (0, 0) for the empty one, UNKNOWN otherwise."""
        if span is None:
            return UNKNOWN, UNKNOWN
        if span == (0, 0):
            return 0, 0
        start, end = span
        inside = [
            token
            for token, ((first, last), side) in enumerate(zip(self.offsets[place], self.sides[place], strict=True))
            if side == 1 and last > start and first < end
        ]
        return (inside[0], inside[-1]) if inside else (UNKNOWN, UNKNOWN)


def pairs_read(tokenizer: "Tokenizer", pairs: Sequence[tuple[str, str]], *, max_tokens: int) -> Pairs:
    """Tokenize n pairs; of the longer text, what goes beyond `max_tokens` is not read."""
    import torch

    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    encodings = tokenizer.encode_batch([(first[:2_000], second[: 12 * max_tokens]) for first, second in pairs])
    longest = max(len(one.ids) for one in encodings)
    ids, mask, types = (torch.zeros(len(encodings), longest, dtype=torch.long) for _ in range(3))
    for row, one in enumerate(encodings):
        n = len(one.ids)
        ids[row, :n], mask[row, :n], types[row, :n] = torch.tensor(one.ids), 1, torch.tensor(one.type_ids)
    tensors = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    return Pairs(tensors, [one.offsets for one in encodings], [list(one.sequence_ids) for one in encodings])


@dataclass(frozen=True, slots=True)
class Scores:
    """What the heads make of n pairs: answers [n], support [n, 3], start and end [n, tokens]; log-odds all."""

    answers: "torch.Tensor"
    support: "torch.Tensor"
    start: "torch.Tensor"
    end: "torch.Tensor"


def heads_scores(states: "torch.Tensor", pairs: Pairs, heads: "Mapping[str, torch.Tensor]") -> Scores:
    """The scores of pairs by the encoder's last layer, [n, tokens, d]."""
    from torch import cat, tensor, zeros_like
    from torch.nn.functional import linear

    mask = pairs.tensors["attention_mask"]
    mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    pooled = cat([states[:, 0], mean], dim=1)
    of: dict[str, Any] = {name: (heads[f"{name}.weight"], heads[f"{name}.bias"]) for name in HEADS}
    ends = linear(states, *of["span"])
    # A span is in the second text, or at [CLS].
    allowed = zeros_like(mask, dtype=bool)
    for row, sides in enumerate(pairs.sides):
        allowed[row, : len(sides)] = tensor([place == 0 or side == 1 for place, side in enumerate(sides)])
    start, end = (ends[..., side].masked_fill(~allowed, -1e4) for side in (0, 1))
    return Scores(linear(pooled, *of["answers"])[:, 0], linear(pooled, *of["support"]), start, end)
