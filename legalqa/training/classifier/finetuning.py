"""Fine-tuning an encoder on questions (HyPA-RAG 7.2), in steps that can be stopped after any and go on from a file.

The best epoch is chosen by the questions kept for validation; `legalqa.training.checkpoints` has what all trainings in
steps share.

The classes are ordered, so that n - 1 questions are learned, each a yes or a no by binary cross-entropy: more than one
passage, more than two, and so on (`transformer` says whose idea that is). A yes weighs the more the rarer it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from legalqa.encoder.classifier import (
    FORMAT,
    HEAD_BIAS,
    HEAD_WEIGHT,
    bert_name,
    classifier_pack,
    has_bfloat16,
    weights_fingerprint,
)
from legalqa.training.checkpoints import Progress, StepTraining
from legalqa.training.classifier.fitting import TrainingSettings
from retrieval.complexity.types import ClassifierError, for_classes, middle_class, ordered_probabilities

WARM_UP = 0.1  # share of all steps in which the learning rate rises
HEAD_RATE = 1e-3  # ours: the head begins at random, the encoder does not
DROPOUT = 0.1
BALANCE = 0.5  # ours: the root of the weight that makes a rare yes count as much as the noes; all of it shouts too loud
BUCKET = 10  # batches that are sorted by length together
CLIP = 1.0

Score = Callable[[Sequence[int], Sequence[int]], float]


class Epoch(NamedTuple):
    """One pass over the questions: mean loss, and the score on those kept for validation, None where none are kept."""

    number: int
    loss: float
    score: float | None


@dataclass
class EpochProgress(Progress):
    """How far a training is, with its epochs; `losses` are of the present one."""

    epochs: list[Epoch] = field(default_factory=list)
    best: int = -1
    is_done: bool = False

    def __post_init__(self) -> None:
        self.epochs = [Epoch(*parts) for parts in self.epochs]  # JSON has lists


class FineTuning(StepTraining[EpochProgress]):
    """The fine-tuning of a classifier."""

    warm_up, clip = WARM_UP, CLIP

    def __init__(
        self,
        texts: Sequence[str],
        labels: Sequence[int],
        settings: TrainingSettings,
        *,
        folder: Path,
        score: Score,
        n_threads: int | None = None,
    ) -> None:
        """Take the encoder of `folder` up for training.

        Args:
            texts: Questions, [n].
            labels: Their classes, [n]; folded to `settings.n_classes`.
            settings: Rate, batch, epochs and so on.
            folder: Of the encoder.
            score: Of true and predicted classes; the larger the better.
            n_threads: Of torch; None leaves them.

        Raises:
            ClassifierError: too few questions to keep some for validation.
        """
        import torch
        from transformers import AutoTokenizer

        if n_threads:
            torch.set_num_threads(n_threads)
        self.settings, self.seed, self.score = settings, settings.seed, score
        self.labels = for_classes(labels, settings.n_classes)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        batch = tokenizer(list(texts), truncation=True, max_length=settings.max_tokens)
        self.ids: list[list[int]] = batch["input_ids"]
        self._keep_some()
        torch.manual_seed(settings.seed)
        super().__init__(folder, is_half=has_bfloat16())
        self.head = torch.nn.Linear(self.encoder.config.hidden_size, settings.n_classes - 1)
        torch.nn.init.normal_(self.head.weight, std=0.02)
        torch.nn.init.zeros_(self.head.bias)
        head_rate = max(HEAD_RATE, settings.learning_rate)
        groups = [(settings.learning_rate, self.trained.values()), (head_rate, self.head.parameters())]
        self.optimize(groups, weight_decay=settings.weight_decay)
        self.progress = EpochProgress()
        self.best: dict[str, torch.Tensor] = {}

    def _keep_some(self) -> None:
        """Keep a share of every class for validation."""
        chance = np.random.default_rng(self.settings.seed)
        validation: list[int] = []
        for label in range(self.settings.n_classes):
            places = chance.permutation(np.flatnonzero(self.labels == label))
            validation += places[: round(self.settings.validation_share * len(places))].tolist()
        self.validation = sorted(validation)
        self.training = np.setdiff1d(np.arange(len(self.labels)), self.validation)
        counts = np.bincount(self.labels[self.training], minlength=self.settings.n_classes)
        if (self.settings.validation_share and not self.validation) or not counts.all():
            raise ClassifierError("There are too few questions to keep some of each class. Give more of them.")
        self.targets = (self.labels[:, None] >= np.arange(1, self.settings.n_classes)).astype(np.float32)
        share = self.targets[self.training].mean(axis=0)
        self.weights = ((1 - share) / share) ** (BALANCE if self.settings.balanced else 0.0)

    @property
    def steps_an_epoch(self) -> int:
        return -(-len(self.training) // self.settings.batch)

    @property
    def n_steps(self) -> int:
        return self.settings.epochs * self.steps_an_epoch

    def advance(self) -> bool:
        """Do one step, and at the end of an epoch look at the questions kept for validation; True where all is done."""
        progress = self.progress
        if progress.is_done:
            return True
        started = perf_counter()
        progress.losses.append(self.step())
        if progress.step % self.steps_an_epoch == 0:
            self._end_epoch(progress.step // self.steps_an_epoch - 1)
        progress.seconds += perf_counter() - started
        return progress.is_done

    def _batches(self, epoch: int) -> list[list[int]]:
        """The batches of an epoch: questions of alike length together, in an order of its own."""
        chance = np.random.default_rng([self.settings.seed, epoch])
        order, size = chance.permutation(self.training), self.settings.batch
        batches: list[list[int]] = []
        for at in range(0, len(order), BUCKET * size):
            near = sorted(order[at : at + BUCKET * size].tolist(), key=lambda place: len(self.ids[place]))
            batches += [near[start : start + size] for start in range(0, len(near), size)]
        return [batches[place] for place in chance.permutation(len(batches))]

    def loss(self, epoch: int, at: int) -> Any:
        import torch

        places = self._batches(epoch)[at]
        return torch.nn.functional.binary_cross_entropy_with_logits(
            self._scores(places, is_training=True),
            torch.from_numpy(self.targets[list(places)]),
            pos_weight=torch.from_numpy(self.weights),
        )

    def _scores(self, places: Sequence[int], *, is_training: bool) -> Any:
        """Scores of the head over the mean of the last layer, [n, c - 1]."""
        import torch

        longest = max(len(self.ids[place]) for place in places)
        ids = torch.zeros(len(places), longest, dtype=torch.long)
        mask = torch.zeros(len(places), longest, dtype=torch.long)
        for row, place in enumerate(places):
            n = len(self.ids[place])
            ids[row, :n], mask[row, :n] = torch.tensor(self.ids[place]), 1
        pooled = self.pooled({"input_ids": ids, "attention_mask": mask})
        return self.head(torch.nn.functional.dropout(pooled, DROPOUT, training=is_training))

    def _end_epoch(self, epoch: int) -> None:
        progress = self.progress
        score = self._validated()
        best = progress.epochs[progress.best].score if progress.epochs else None
        progress.epochs.append(Epoch(epoch + 1, float(np.mean(progress.losses)), score))
        progress.losses = []
        # Few questions make many ties; the later epoch has learned more, at a lower rate.
        if score is None or best is None or score >= best:
            halves = {bert_name(name): value.detach().half() for name, value in self.named().items()}
            progress.best, self.best = epoch, halves
        is_stale = epoch - progress.best >= self.settings.patience
        progress.is_done = is_stale or progress.step >= self.n_steps

    def _validated(self) -> float | None:
        """The score on the questions kept for validation, decided as the classifier decides; None without any."""
        import torch

        if not self.validation:
            return None
        self.encoder.eval()
        predicted: list[int] = []
        with torch.inference_mode():
            for at in range(0, len(self.validation), self.settings.batch):
                scores = self._scores(self.validation[at : at + self.settings.batch], is_training=False)
                predicted += middle_class(ordered_probabilities(scores.numpy())).tolist()
        return self.score(self.labels[self.validation].tolist(), predicted)

    def artefact(self, provenance: dict[str, Any]) -> bytes:
        """The classifier of the best epoch so far; of the last one where no questions are kept for validation."""
        return classifier_pack(
            self.best,
            n_classes=self.settings.n_classes,
            max_tokens=self.settings.max_tokens,
            base=weights_fingerprint(self.folder),
            provenance=provenance,
        )

    def save(self, file: Path, **tensors: Any) -> None:
        super().save(file, **tensors, **{f"best.{name}": value for name, value in self.best.items()})

    def restore(self, document: dict[str, Any], tensors: Mapping[str, Any]) -> None:
        super().restore(document, tensors)
        self.best = {name.removeprefix("best."): v for name, v in tensors.items() if name.startswith("best.")}

    def key(self) -> str:
        return f"{FORMAT}:{self.settings.fingerprint()}"

    def named(self) -> dict[str, Any]:
        return {**self.trained, HEAD_WEIGHT: self.head.weight, HEAD_BIAS: self.head.bias}
