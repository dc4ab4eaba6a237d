"""Tensors that were trained further, stored as differences from the packaged encoder's.

Matrices become whole numbers of -127 to 127 with a scale a row: half the size of float16, and what is lost is a
hundredth of the difference.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from legalqa.encoder.weights import WeightsWrong

if TYPE_CHECKING:
    import torch

SCALE = ".scale"


def deltas_packed(
    tensors: "Mapping[str, torch.Tensor]", *, base: "Mapping[str, torch.Tensor]"
) -> "dict[str, torch.Tensor]":
    """Tensors under BERT's names, as a file keeps them; `base` are the packaged encoder's, in float32."""
    import torch

    packed = {}
    for name, tensor in sorted(tensors.items()):
        if name in base and tensor.ndim == 2:
            difference = tensor.detach().float() - base[name].float()
            scale = (difference.abs().amax(dim=1, keepdim=True) / 127).clamp(min=1e-12)
            packed[name], packed[name + SCALE] = (difference / scale).round().to(torch.int8), scale
        else:
            packed[name] = tensor.detach().to(torch.float16).contiguous()
    return packed


def deltas_unpacked(
    packed: "Mapping[str, torch.Tensor]", *, base: "Mapping[str, torch.Tensor]"
) -> "dict[str, torch.Tensor]":
    """The tensors of a file, in float32.

    Raises:
        WeightsWrong: one does not fit the packaged encoder.
    """
    rest = dict(packed)
    scales = {name.removesuffix(SCALE): rest.pop(name) for name in list(rest) if name.endswith(SCALE)}
    tensors = {name: tensor.float() for name, tensor in rest.items()}
    for name, scale in scales.items():
        if name not in base or name not in tensors or base[name].shape != tensors[name].shape:
            raise WeightsWrong(f"The tensor {name[:80]!r} does not fit the packaged encoder. Train it again.")
        tensors[name] = base[name].float() + tensors[name] * scale
    return tensors
