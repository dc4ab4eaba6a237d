"""Fine-tuning the encoder on questions and the passages that answer them, in steps that can be stopped after any.

A question should lie closer to its own passage than to those of the other questions of its batch, and than to passages
that our own search found for it and that do not answer it.

Source: MultipleNegativesRanking (Henderson et al. 2017, as in sentence-transformers), in-batch softmax over cosines.
Differs: passages that answer the same question are not negatives of it. A passage paired with itself is read twice,
under two draws of dropout: contrastive learning without labels (SimCSE, Gao et al. 2021, section 3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from legalqa.common.config import Config
from legalqa.encoder.classifier import bert_name
from legalqa.training.checkpoints import Progress, StepTraining

READ_CHARS = 10  # a token: what comes after is cut off without being read
MASKED = -1e4  # a score that takes no part in the softmax


class EncoderTraining(Config):
    """How the encoder is trained.

    Attributes:
        epochs: Passes over the questions; one is enough, and a second one learns them by heart.
        learning_rate: Of AdamW at the end of the warm-up.
        batch: Questions a step; each is a negative of the others.
        negatives: Of each question a step, drawn from the passages that our search found and that do not answer.
        max_tokens: Of a question or passage that training reads, the model's own two marks counted.
        held_out: Share of the questions that is kept for the report, whole documents together.
        mixing: Weight of the trained tensors against the packaged ones, 0 to 1: less forgets less.
        seed: Of every draw.
        depth: Hits of our search that are looked through for negatives.
        pool: Negatives are drawn from this many of the first hits that do not answer.
        scale: What cosines are multiplied by before the softmax.
        weight_decay: Of AdamW.
        warm_up: Share of the steps in which the rate rises.
        clip: Largest norm of the gradient.
        unlabelled: Passages of the corpus to learn from without labels, at most; with any, questions only judge.
        angle: Weight of the angle loss beside the softmax, 0 for none.
        dropout: Share of the activations that a step leaves out; 0 trains twice as fast.
    """

    epochs: int = Field(default=1, ge=1, le=20)
    learning_rate: float = Field(default=5e-5, gt=0, lt=1)
    batch: int = Field(default=32, ge=2, le=256)
    negatives: int = Field(default=1, ge=0, le=8)
    max_tokens: int = Field(default=160, ge=8, le=256)
    held_out: float = Field(default=0.4, gt=0, lt=1)
    mixing: float = Field(default=1.0, gt=0, le=1)
    seed: int = Field(default=144, ge=0)
    depth: int = Field(default=20, ge=1, le=100)
    pool: int = Field(default=12, ge=1, le=100)
    scale: float = Field(default=20.0, gt=0, le=100)
    weight_decay: float = Field(default=0.01, ge=0)
    warm_up: float = Field(default=0.1, ge=0, le=1)
    clip: float = Field(default=1.0, gt=0)
    unlabelled: int = Field(default=0, ge=0, le=20_000)
    angle: float = Field(default=0.0, ge=0, le=10)
    dropout: float = Field(default=0.1, ge=0, lt=1)


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with the places of passages that answer it, and of some that our search found and that do not."""

    question: str
    gold: tuple[int, ...]
    negatives: tuple[int, ...]


class EncoderFineTuning(StepTraining[Progress]):
    """The fine-tuning of an encoder."""

    def __init__(
        self,
        pairs: Sequence[Pair],
        passages: Sequence[str],
        settings: EncoderTraining,
        *,
        folder: Path,
        data: str,
        is_half: bool = False,
        start: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the encoder of `folder` up for training.

        Args:
            pairs: At least two, each with a passage that answers it.
            passages: The texts that their places point to.
            settings: Rate, batch, epochs and so on.
            folder: Of the encoder.
            data: Fingerprint of pairs and passages: a checkpoint of others is not resumed.
            is_half: Compute in bfloat16; only where the processor does so natively. Weights stay in float32.
            start: Tensors of an encoder that is trained further, under BERT's names; the one of `folder` without them.

        Raises:
            ValueError: fewer than two pairs, or one without a passage that answers it.
        """
        import torch
        from transformers import AutoTokenizer

        if len(pairs) < 2 or not all(pair.gold for pair in pairs):
            raise ValueError("Training takes two pairs or more, each with a passage that answers its question.")
        super().__init__(folder, is_half=is_half, dropout=settings.dropout)
        self.pairs, self.passages, self.settings, self.data = list(pairs), passages, settings, data
        self.warm_up, self.clip, self.seed = settings.warm_up, settings.clip, settings.seed
        self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        if start is not None:
            with torch.no_grad():
                for name, value in self.trained.items():
                    value.copy_(start[bert_name(name)])
        # As they were before, to mix the trained ones with in the end.
        self.packaged = {name: value.detach().clone() for name, value in self.trained.items()}
        self.optimize([(settings.learning_rate, self.trained.values())], weight_decay=settings.weight_decay)
        self.progress = Progress()

    @property
    def steps_an_epoch(self) -> int:
        return max(1, len(self.pairs) // self.settings.batch)

    @property
    def n_steps(self) -> int:
        return self.settings.epochs * self.steps_an_epoch

    def _batch(self, epoch: int, at: int) -> tuple[list[Pair], list[int]]:
        """The questions of a step, and the passages they are compared with: one that answers each, then the others.

        What is left over by whole batches is dealt among them.
        """
        order = np.random.default_rng([self.settings.seed, epoch]).permutation(len(self.pairs))
        here = [self.pairs[place] for place in np.array_split(order, self.steps_an_epoch)[at].tolist()]
        chance = np.random.default_rng([self.settings.seed, epoch, at + 1])
        gold = [int(chance.choice(pair.gold)) for pair in here]
        hard: list[int] = []
        for pair in here:
            pool = pair.negatives[: self.settings.pool]
            n_drawn = min(self.settings.negatives, len(pool))
            hard += chance.choice(pool, n_drawn, replace=False).tolist() if n_drawn else []
        return here, gold + hard

    def loss(self, epoch: int, at: int) -> Any:
        import torch

        here, places = self._batch(epoch, at)
        questions = self._vectors([pair.question for pair in here])
        passages = self._vectors([self.passages[place] for place in places])
        also_gold = _also_gold(here, places)
        scores = (questions @ passages.T * self.settings.scale).masked_fill(also_gold, MASKED)
        loss = torch.nn.functional.cross_entropy(scores, torch.arange(len(here)))
        if self.settings.angle:
            loss = loss + self.settings.angle * angle_loss(questions, passages, also_gold, scale=self.settings.scale)
        return loss

    def _vectors(self, texts: Sequence[str]) -> Any:
        """The unit vectors of texts, [n, d], through which gradients flow."""
        import torch

        longest = self.settings.max_tokens
        batch = self.tokenizer(
            [text[: READ_CHARS * longest] for text in texts],
            padding=True,
            truncation=True,
            max_length=longest,
            return_tensors="pt",
        )
        return torch.nn.functional.normalize(self.pooled(batch), dim=1)

    def tensors(self) -> dict[str, Any]:
        """What was trained so far, mixed with what was packaged, under BERT's names."""
        import torch

        weight = self.settings.mixing
        parts = {name: (self.packaged[name], value.detach()) for name, value in self.trained.items()}
        return {bert_name(name): torch.lerp(before, after, weight) for name, (before, after) in parts.items()}

    def key(self) -> str:
        return f"{self.settings.fingerprint()} {self.data}"


def angle_loss(questions: Any, passages: Any, also_gold: Any, *, scale: float) -> Any:
    """The loss of questions that lie at a wider angle from their own passage than others do from any other passage.

    Args:
        questions: Vectors [n, d], d even; the first half of each is read as real parts, the second as imaginary ones.
        passages: Vectors [m, d], m >= n; row i of `questions` goes with row i.
        also_gold: [n, m], bool: pairs that are neither.
        scale: What differences are multiplied by.

    Source: AnglE (Li and Li 2023), equation 5, in the form of its published code.
    """
    import torch

    real, imaginary = questions.chunk(2, dim=1)
    other_real, other_imaginary = passages.chunk(2, dim=1)
    # The sum over dimensions of the real and imaginary parts of z * conj(w), divided by both lengths.
    products = (real + imaginary) @ other_real.T + (imaginary - real) @ other_imaginary.T
    lengths = questions.norm(dim=1)[:, None] * passages.norm(dim=1)[None, :]
    likeness = (products / lengths).abs() * scale
    is_own = torch.eye(len(questions), len(passages), dtype=torch.bool)
    differences = likeness[~is_own & ~also_gold][:, None] - likeness[is_own][None, :]
    return torch.logsumexp(torch.cat([differences.new_zeros(1), differences.flatten()]), dim=0)


def _also_gold(here: Sequence[Pair], places: Sequence[int]) -> Any:
    """Which passages answer a question too, beside its own: [questions, passages], bool."""
    import torch

    mask = torch.zeros(len(here), len(places), dtype=torch.bool)
    for row, pair in enumerate(here):
        for column, place in enumerate(places):
            mask[row, column] = column != row and place in pair.gold
    return mask
