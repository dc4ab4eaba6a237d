"""Trainings in steps: the common part of both fine-tunings of an encoder, and the file to resume from after a crash.

The embeddings of words stay as they are: they are half of a small encoder, and a few thousand questions hardly move
them. AdamW, linear warm-up and decay.
"""

import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Generic, TypeVar

from legalqa.encoder.classifier import bert_name

FORMAT = 1
_MOMENTS = ("exp_avg", "exp_avg_sq")  # what AdamW keeps of each weight


@dataclass
class Progress:
    """How far a training is; everything that is not a tensor."""

    step: int = 0
    losses: list[float] = field(default_factory=list)
    seconds: float = 0.0


P = TypeVar("P", bound=Progress)


class StepTraining(ABC, Generic[P]):
    """A training that can be stopped: `advance` until it returns True, `save` between, `load` after a death.

    What is drawn at a step depends on the seed and the step alone, so that a training that was stopped comes to the
    same model as one that was not (up to rounding where another number of threads computes, or another processor).
    """

    warm_up: float  # share of all steps in which the rate rises
    clip: float  # largest norm of the gradient
    seed: int
    progress: P

    def __init__(self, folder: Path, *, is_half: bool, dropout: float | None = None) -> None:
        """Take the encoder of `folder` up for training.

        Args:
            folder: Of the encoder.
            is_half: Compute in bfloat16, with weights in float32.
            dropout: Share of the activations that a step leaves out; None: as the encoder has it. Attention with any
                takes the slow path.
        """
        import torch
        from transformers import AutoModel
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        self.folder, self.is_half = folder, is_half
        self.encoder = AutoModel.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
        self._takes = inspect.signature(self.encoder.forward).parameters  # some know no types of tokens
        for module in self.encoder.modules() if dropout is not None else ():
            if isinstance(module, torch.nn.Dropout):
                module.p = dropout
            if hasattr(module, "dropout_prob"):
                module.dropout_prob = dropout
        self.trained: dict[str, Any] = {}
        for name, value in self.encoder.named_parameters():
            value.requires_grad = not bert_name(name).startswith(("embeddings.", "pooler."))
            if value.requires_grad:
                self.trained[name] = value

    def optimize(self, groups: Sequence[tuple[float, Iterable[Any]]], *, weight_decay: float) -> None:
        """Set AdamW up, with a rate at the end of the warm-up for each group of parameters."""
        import torch

        parameters = [{"params": list(group), "base": rate, "lr": rate} for rate, group in groups]
        self.optimizer = torch.optim.AdamW(parameters, weight_decay=weight_decay, fused=True)

    @property
    @abstractmethod
    def steps_an_epoch(self) -> int: ...

    @property
    @abstractmethod
    def n_steps(self) -> int: ...

    @abstractmethod
    def key(self) -> str:
        """What a checkpoint must match to be resumed."""

    @abstractmethod
    def loss(self, epoch: int, at: int) -> Any:
        """The loss of a step of an epoch, through which gradients flow."""

    def advance(self) -> bool:
        """Do one step; True where all is done."""
        if self.progress.step < self.n_steps:
            started = perf_counter()
            self.progress.losses.append(round(self.step(), 5))
            self.progress.seconds += perf_counter() - started
        return self.progress.step >= self.n_steps

    def named(self) -> dict[str, Any]:
        """The parameters that learn, by the names that checkpoints have for them."""
        return self.trained

    def step(self) -> float:
        """Do one step; its loss."""
        import torch

        n = self.progress.step
        factor = min(1.0, (n + 1) / max(1.0, self.warm_up * self.n_steps)) * max(0.0, 1 - n / self.n_steps)
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * factor
        torch.manual_seed(self.seed * 1_000_003 + n)
        self.encoder.train()
        loss = self.loss(*divmod(n, self.steps_an_epoch))
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self.named().values()), self.clip)
        self.optimizer.step()
        self.progress.step += 1
        return float(loss.detach())

    def states(self, batch: Mapping[str, Any]) -> Any:
        """The last layer of texts in float32, [n, tokens, d]; computed in bfloat16 where that is faster."""
        import torch

        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.is_half):
            states = self.encoder(**{n: part for n, part in batch.items() if n in self._takes}).last_hidden_state
        return states.float()

    def pooled(self, batch: Mapping[str, Any]) -> Any:
        """The mean of the last layer over the tokens of each text, [n, d]."""
        mask = batch["attention_mask"][..., None]
        return (self.states(batch) * mask).sum(1) / mask.sum(1)

    def save(self, file: Path, **tensors: Any) -> None:
        """Write everything that resuming needs, with more tensors; after a crash the file is as it was before."""
        from safetensors.torch import save_file

        for name, value in self.named().items():
            state = self.optimizer.state.get(value, {})
            tensors |= {f"model.{name}": value} | {f"{m}.{name}": state[m] for m in _MOMENTS if m in state}
        document = {"format": FORMAT, "settings": self.key(), **asdict(self.progress)}
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".part")
        arrays = {name: value.detach().contiguous() for name, value in tensors.items()}
        save_file(arrays, fresh, metadata={"at": json.dumps(document)})
        fresh.replace(file)

    def load(self, file: Path) -> bool:
        """Resume from what `save` wrote; False if there is no such file, or it is of another training."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(file, framework="pt") as archive:
                document = json.loads((archive.metadata() or {}).get("at", "{}"))
                if (document.pop("format", None), document.pop("settings", None)) != (FORMAT, self.key()):
                    return False
                self.restore(document, {name: archive.get_tensor(name) for name in archive.keys()})  # noqa: SIM118 - no mapping
        except (FileNotFoundError, SafetensorError, ValueError):
            return False
        return True

    def restore(self, document: dict[str, Any], tensors: Mapping[str, Any]) -> None:
        """Put progress, parameters and moments back where `save` found them."""
        import torch

        self.progress = type(self.progress)(**document)
        with torch.no_grad():
            for name, value in self.named().items():
                value.copy_(tensors[f"model.{name}"])
                if f"exp_avg.{name}" in tensors:
                    moments = {part: tensors[f"{part}.{name}"].clone() for part in _MOMENTS}
                    self.optimizer.state[value] = {"step": torch.tensor(float(self.progress.step)), **moments}
