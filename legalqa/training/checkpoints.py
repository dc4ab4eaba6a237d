"""What trainings in steps share: the rate of a step, what it draws, and the file that a death leaves to go on from."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FORMAT = 1
_MOMENTS = ("exp_avg", "exp_avg_sq")  # of AdamW


def rate_factor(step: int, n_steps: int, *, warm_up: float) -> float:
    """Linear warm-up over the first share of the steps, then linear decay to 0."""
    return min(1.0, (step + 1) / max(1.0, warm_up * n_steps)) * max(0.0, 1 - step / n_steps)


def step_seed(seed: int, step: int) -> None:
    """Seed torch so that what is drawn depends on the seed and the step alone: a training that goes on draws the same.

    Where another number of threads computes, results agree up to rounding.
    """
    import torch

    torch.manual_seed(seed * 1_000_003 + step)


def checkpoint_save(file: Path, tensors: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    """Write tensors and a document; a death in it leaves the file as it was before."""
    from safetensors.torch import save_file

    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".part")
    kept = {name: value.detach().contiguous() for name, value in tensors.items()}
    save_file(kept, fresh, metadata={"at": json.dumps({"format": FORMAT, **document})})
    fresh.replace(file)


def checkpoint_load(file: Path, *, settings: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Tensors and document of a file; None where there is none, or it is of another training.

    Args:
        file: As `checkpoint_save` wrote it.
        settings: What the document must hold under this name.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="pt") as kept:
            document = json.loads((kept.metadata() or {}).get("at", "{}"))
            if (document.get("format"), document.get("settings")) != (FORMAT, settings):
                return None
            return {name: kept.get_tensor(name) for name in kept.keys()}, document  # noqa: SIM118 - no mapping
    except (FileNotFoundError, SafetensorError, ValueError):
        return None


def training_tensors(named: Mapping[str, Any], optimizer: Any) -> dict[str, Any]:
    """Parameters and the optimizer's moments, as `training_restore` takes them."""
    tensors = {f"model.{name}": value for name, value in named.items()}
    for name, value in named.items():
        state = optimizer.state.get(value, {})
        tensors |= {f"{part}.{name}": state[part] for part in _MOMENTS if part in state}
    return tensors


def training_restore(named: Mapping[str, Any], optimizer: Any, tensors: Mapping[str, Any], *, step: int) -> None:
    """Put parameters and moments back where `training_tensors` found them."""
    import torch

    with torch.no_grad():
        for name, value in named.items():
            value.copy_(tensors[f"model.{name}"])
            if f"exp_avg.{name}" in tensors:
                moments = {part: tensors[f"{part}.{name}"].clone() for part in _MOMENTS}
                optimizer.state[value] = {"step": torch.tensor(float(step)), **moments}
