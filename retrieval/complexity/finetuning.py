"""Fine-tuning an encoder on questions (HyPA-RAG 7.2), in steps that can be stopped after any and go on from a file.

The embeddings of words stay as they are: they are half of a small encoder, a few thousand questions hardly move them,
and a classifier that leaves them out is a third of the size. AdamW, linear warm-up and decay, the best epoch by the
questions kept for validation.

The classes are ordered, so that n - 1 questions are learned, each a yes or a no by binary cross-entropy: more than one
passage, more than two, and so on (`transformer` says whose idea that is). A yes weighs the more the rarer it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from legalqa.llm.encoder_classifier import (
    FORMAT,
    HEAD_BIAS,
    HEAD_WEIGHT,
    bert_name,
    classifier_pack,
    weights_fingerprint,
)
from retrieval.checkpoints import (
    checkpoint_load,
    checkpoint_save,
    rate_factor,
    step_seed,
    training_restore,
    training_tensors,
)
from retrieval.complexity.training import TrainingSettings
from retrieval.complexity.types import ClassifierError, for_classes, middle_class, ordered_probabilities

WARM_UP = 0.1  # of all steps
HEAD_RATE = 1e-3  # ours: the head begins at random, the encoder does not
DROPOUT = 0.1
BALANCE = 0.5  # ours: the root of the weight that makes a rare yes count as much as the noes; all of it shouts too loud
BUCKET = 10  # batches that are sorted by length together
CLIP = 1.0

Score = Callable[[Sequence[int], Sequence[int]], float]


def bfloat16_is_fast() -> bool:
    """Whether this processor multiplies bfloat16; where it does, the encoder's products are taken in it.

    Everywhere else they would be slower than in float32. Weights, head, loss and moments are float32 on all machines.
    """
    import torch

    found = torch.cpu.get_capabilities()
    return bool(found.get("avx512_bf16") or found.get("amx_bf16"))


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the questions: mean loss, and the score on those kept for validation, None where none are kept."""

    number: int
    loss: float
    score: float | None


@dataclass
class Progress:
    """How far a training is; everything that is not a tensor."""

    step: int = 0
    losses: list[float] = field(default_factory=list)
    epochs: list[Epoch] = field(default_factory=list)
    best: int = -1
    is_done: bool = False
    seconds: float = 0.0


class FineTuning:
    """A training that can be stopped: `advance` until it returns True, `save` between, `load` after a death.

    What is drawn at a step depends on the seed and the step alone, so that a training that was stopped comes to the
    same classifier as one that was not (up to rounding where another number of threads computes, or another processor).
    """

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
        from transformers import AutoModel
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        if n_threads:
            torch.set_num_threads(n_threads)
        self.settings, self.folder, self.score = settings, folder, score
        self.labels = for_classes(labels, settings.n_classes)
        self._tokenize(texts)
        self._keep_some()
        torch.manual_seed(settings.seed)
        self.encoder = AutoModel.from_pretrained(folder, local_files_only=True)
        self.head = torch.nn.Linear(self.encoder.config.hidden_size, settings.n_classes - 1)
        torch.nn.init.normal_(self.head.weight, std=0.02)
        torch.nn.init.zeros_(self.head.bias)
        self.trained = {
            name: value
            for name, value in self.encoder.named_parameters()
            if not bert_name(name).startswith(("embeddings.", "pooler."))
        }
        for name, value in self.encoder.named_parameters():
            value.requires_grad = name in self.trained
        self.optimizer = torch.optim.AdamW(
            [
                {"params": list(self.trained.values()), "base": settings.learning_rate},
                {"params": list(self.head.parameters()), "base": max(HEAD_RATE, settings.learning_rate)},
            ],
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
        )
        self.is_half = bfloat16_is_fast()
        self.progress = Progress()
        self.best: dict[str, torch.Tensor] = {}

    def _tokenize(self, texts: Sequence[str]) -> None:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
        read = tokenizer(list(texts), truncation=True, max_length=self.settings.max_tokens)
        self.ids: list[list[int]] = read["input_ids"]

    def _keep_some(self) -> None:
        """Keep a share of every class for validation."""
        chance = np.random.default_rng(self.settings.seed)
        kept: list[int] = []
        for label in range(self.settings.n_classes):
            places = chance.permutation(np.flatnonzero(self.labels == label))
            kept += places[: round(self.settings.validation_share * len(places))].tolist()
        self.kept = sorted(kept)
        self.learned = np.setdiff1d(np.arange(len(self.labels)), self.kept)
        counts = np.bincount(self.labels[self.learned], minlength=self.settings.n_classes)
        if (self.settings.validation_share and not self.kept) or not counts.all():
            raise ClassifierError("There are too few questions to keep some of each class. Give more of them.")
        self.targets = (self.labels[:, None] >= np.arange(1, self.settings.n_classes)).astype(np.float32)
        share = self.targets[self.learned].mean(axis=0)
        self.weights = ((1 - share) / share) ** (BALANCE if self.settings.balanced else 0.0)

    @property
    def steps_an_epoch(self) -> int:
        return -(-len(self.learned) // self.settings.batch)

    @property
    def n_steps(self) -> int:
        return self.settings.epochs * self.steps_an_epoch

    def advance(self) -> bool:
        """Do one step, and at the end of an epoch look at the questions kept for validation; True where all is done."""
        progress = self.progress
        if progress.is_done:
            return True
        epoch, at = divmod(progress.step, self.steps_an_epoch)
        progress.losses.append(self._step(self._batches(epoch)[at]))
        progress.step += 1
        if progress.step % self.steps_an_epoch == 0:
            self._end_epoch(epoch)
        return progress.is_done

    def _batches(self, epoch: int) -> list[list[int]]:
        """The batches of an epoch: questions of alike length together, in an order of its own."""
        chance = np.random.default_rng([self.settings.seed, epoch])
        order, size = chance.permutation(self.learned), self.settings.batch
        batches: list[list[int]] = []
        for at in range(0, len(order), BUCKET * size):
            near = sorted(order[at : at + BUCKET * size].tolist(), key=lambda place: len(self.ids[place]))
            batches += [near[start : start + size] for start in range(0, len(near), size)]
        return [batches[place] for place in chance.permutation(len(batches))]

    def _step(self, places: Sequence[int]) -> float:
        import torch

        factor = rate_factor(self.progress.step, self.n_steps, warm_up=WARM_UP)
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * factor
        step_seed(self.settings.seed, self.progress.step)
        self.encoder.train()
        scores = self._scores(places, is_training=True)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            scores, torch.from_numpy(self.targets[list(places)]), pos_weight=torch.from_numpy(self.weights)
        )
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*self.trained.values(), *self.head.parameters()], CLIP)
        self.optimizer.step()
        return float(loss.detach())

    def _scores(self, places: Sequence[int], *, is_training: bool) -> Any:
        """Scores of the head over the mean of the last layer, [n, c - 1]."""
        import torch

        longest = max(len(self.ids[place]) for place in places)
        ids = torch.zeros(len(places), longest, dtype=torch.long)
        mask = torch.zeros(len(places), longest, dtype=torch.long)
        for row, place in enumerate(places):
            n = len(self.ids[place])
            ids[row, :n], mask[row, :n] = torch.tensor(self.ids[place]), 1
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.is_half):
            states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        pooled = (states.float() * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return self.head(torch.nn.functional.dropout(pooled, DROPOUT, training=is_training))

    def _end_epoch(self, epoch: int) -> None:
        progress = self.progress
        found = self._validated()
        best = progress.epochs[progress.best].score if progress.epochs else None
        progress.epochs.append(Epoch(epoch + 1, float(np.mean(progress.losses)), found))
        progress.losses = []
        # Few questions make many ties; the later epoch has learned more, at a lower rate.
        if found is None or best is None or found >= best:
            progress.best, self.best = epoch, self._halves()
        is_stale = epoch - progress.best >= self.settings.patience
        progress.is_done = is_stale or progress.step >= self.n_steps

    def _validated(self) -> float | None:
        """The score on the questions kept for validation, decided as the classifier decides; None without any."""
        import torch

        if not self.kept:
            return None
        self.encoder.eval()
        predicted: list[int] = []
        with torch.inference_mode():
            for at in range(0, len(self.kept), self.settings.batch):
                scores = self._scores(self.kept[at : at + self.settings.batch], is_training=False)
                predicted += middle_class(ordered_probabilities(scores.numpy())).tolist()
        return self.score(self.labels[self.kept].tolist(), predicted)

    def _halves(self) -> dict[str, Any]:
        """What was trained so far, in half precision under BERT's names."""
        return {bert_name(name): value.detach().half() for name, value in self._named().items()}

    def artefact(self, provenance: dict[str, Any]) -> bytes:
        """The classifier of the best epoch so far; of the last one where no questions are kept for validation."""
        return classifier_pack(
            self.best,
            n_classes=self.settings.n_classes,
            max_tokens=self.settings.max_tokens,
            base=weights_fingerprint(self.folder),
            provenance=provenance,
        )

    def save(self, file: Path) -> None:
        """Write everything that going on needs; a death in it leaves the file as it was before."""
        best = {f"best.{name}": value for name, value in self.best.items()}
        p = self.progress
        document = {
            "settings": self._key(),
            "step": p.step,
            "losses": p.losses,
            "epochs": [[e.number, e.loss, e.score] for e in p.epochs],
            "best": p.best,
            "is_done": p.is_done,
            "seconds": p.seconds,
        }
        checkpoint_save(file, training_tensors(self._named(), self.optimizer) | best, document)

    def load(self, file: Path) -> bool:
        """Go on where `save` left off; False where there is no such file, or it is of another training."""
        found = checkpoint_load(file, settings=self._key())
        if found is None:
            return False
        tensors, document = found
        training_restore(self._named(), self.optimizer, tensors, step=document["step"])
        prefix = "best."
        self.best = {n.removeprefix(prefix): v for n, v in tensors.items() if n.startswith(prefix)}
        epochs = [Epoch(*parts) for parts in document["epochs"]]
        self.progress = Progress(
            document["step"], document["losses"], epochs, document["best"], document["is_done"], document["seconds"]
        )
        return True

    def _key(self) -> str:
        """What a checkpoint must be of to be gone on with: the same settings, for the same format of classifiers."""
        return f"{FORMAT}:{self.settings.fingerprint()}"

    def _named(self) -> dict[str, Any]:
        return {**self.trained, HEAD_WEIGHT: self.head.weight, HEAD_BIAS: self.head.bias}
