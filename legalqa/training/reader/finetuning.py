"""Fine-tuning the reader, in steps that can be stopped after any and go on from a file.

One encoder, three heads: answerable and support over [CLS] beside the mean of all tokens, start and end over each token
with [CLS] as "nowhere". Loss: answerable + 0.5 span, or support; of a question with rivals also that its passage comes
before them. Batches hold rows of alike length. Dropout is for several passes: one over the rows does not overfit.

A reader may have a teacher: a larger encoder that was fine-tuned on the same examples. What is to be learned is then
half the label and half the teacher's probability, of rivals that nobody labelled the teacher's alone, and of a list
the teacher's shares. (Cross-entropies with such targets: their gradients are those of the divergence from the teacher.)
Spans are learned from labels only: the two models cut words differently.

Source: Devlin et al. 2019 for spans with a null at [CLS]; Hu et al. 2019 (Read + Verify) for a verifier beside it;
the cross-entropy over a passage and its rivals is Nogueira & Cho 2019's and Gao et al. 2021's (LCE); a teacher's
probabilities beside the labels are Hinton et al. 2015's; a teacher of another architecture for a ranker is Hofstätter
et al. 2020's (who learn differences of scores; here it is the shares within a list).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from legalqa.common.config import Config
from legalqa.encoder import client as encoder
from legalqa.encoder.classifier import bert_name
from legalqa.encoder.reader import HEADS, UNKNOWN, Pairs, Scores, heads_scores, pairs_read
from legalqa.training.checkpoints import Progress, StepTraining
from legalqa.training.reader.mix import Example
from legalqa.training.reader.rows import LABELS

BUCKET = 40  # batches that are sorted by length together
UNLABELLED = -1  # a passage of which nobody said whether it answers
RIVALS_READ = 5  # rivals of a question at each reading
GOLD = 0.5  # the label's share of what is learned beside a teacher
TEACHER_DROPOUT = 0.1


class ReaderTraining(Config):
    """How the reader is trained.

    Attributes:
        epochs: Passes over the rows, 1 to 10.
        learning_rate: Of AdamW for the encoder at the end of the warm-up, between 0 and 1.
        head_rate: The same for the heads.
        batch: Rows a step, 2 to 256; rivals come on top.
        max_tokens: Of a row's two texts together, the model's own marks counted, 16 to 512.
        span_weight: Weight of the loss of start and end, 0 to 10; that of "does it answer?" has 1.
        order_weight: Weight of the loss of right passages that should come before their rivals, 0 to 10.
        sampled: Share of the rows of other sources than everyday ones, above 0 and up to 1.
        dropout: Share of the activations that a step leaves out, 0 to below 1; attention with any takes the slow path
            on a processor.
        weight_decay: Of AdamW, 0 or more.
        warm_up: Share of the steps in which the rates rise, 0 to 1.
        clip: Largest norm of the gradient, above 0.
        seed: Of every draw, 0 or more.
        steps: Steps after which training ends, if the epochs have not ended before; 0 for no such limit.
    """

    epochs: int = Field(default=1, ge=1, le=10)
    learning_rate: float = Field(default=2e-4, gt=0, lt=1)
    head_rate: float = Field(default=5e-4, gt=0, lt=1)
    batch: int = Field(default=32, ge=2, le=256)
    max_tokens: int = Field(default=256, ge=16, le=512)
    span_weight: float = Field(default=0.5, ge=0, le=10)
    order_weight: float = Field(default=1.0, ge=0, le=10)
    sampled: float = Field(default=1.0, gt=0, le=1)
    dropout: float = Field(default=0.0, ge=0, lt=1)
    weight_decay: float = Field(default=0.01, ge=0)
    warm_up: float = Field(default=0.06, ge=0, le=1)
    clip: float = Field(default=1.0, gt=0)
    seed: int = Field(default=144, ge=0)
    steps: int = Field(default=0, ge=0)


class TaughtTraining(ReaderTraining):
    """How a reader is trained that has a teacher.

    Attributes:
        teacher_rate: The teacher's learning rate, between 0 and 1; dropout is .1, the rest the reader's.
    """

    teacher_rate: float = Field(default=5e-5, gt=0, lt=1)

    def of_teacher(self) -> ReaderTraining:
        own = self.model_dump(exclude={"teacher_rate"})
        return ReaderTraining(**own | {"learning_rate": self.teacher_rate, "dropout": TEACHER_DROPOUT})


class ReaderTuning(StepTraining[Progress]):
    """The fine-tuning of a reader."""

    def __init__(
        self,
        examples: Sequence[Example],
        settings: ReaderTraining,
        *,
        folder: Path,
        data: str,
        start: Mapping[str, Any] | None = None,
        teacher: "ReaderTuning | None" = None,
    ) -> None:
        """Take the encoder of `folder` up for training.

        Args:
            examples: What is learned from.
            settings: Rates, batch and so on.
            folder: Of an encoder of any architecture.
            data: Fingerprint of the examples and the teacher: a checkpoint of others is not resumed.
            start: Tensors of a reader that is trained further; the folder's encoder and new heads without one.
            teacher: A reader whose training is done; its scores are learned beside the labels.
        """
        import torch
        from tokenizers import Tokenizer

        torch.manual_seed(settings.seed)
        super().__init__(folder, is_half=encoder.batch_dtype() == "bfloat16", dropout=settings.dropout)
        # Which of two texts a token belongs to: the encoder has never seen a second one.
        for name, value in self.encoder.named_parameters():
            if name.startswith(("embeddings.token_type_embeddings.", "embeddings.LayerNorm.")):
                value.requires_grad = True
                self.trained[name] = value
        self.examples, self.settings, self.data, self.teacher = list(examples), settings, data, teacher
        self._refused = {(one.first, one.second) for one in self.examples if not (one.is_claim or one.label)}
        self.warm_up, self.clip, self.seed = settings.warm_up, settings.clip, settings.seed
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        d = self.encoder.config.hidden_size
        sizes = {"answers": (1, 2 * d), "support": (3, 2 * d), "span": (2, d)}
        self.heads = {}
        for name in HEADS:
            weight = torch.nn.Parameter(torch.randn(sizes[name]) * 0.02)
            self.heads[f"{name}.weight"] = weight
            self.heads[f"{name}.bias"] = torch.nn.Parameter(torch.zeros(sizes[name][0]))
        if start is not None:
            with torch.no_grad():
                for name, value in self.trained.items():
                    value.copy_(start.get(bert_name(name), value))
                for name, value in self.heads.items():
                    value.copy_(start[f"heads.{name}"])
        groups = [(settings.learning_rate, self.trained.values()), (settings.head_rate, self.heads.values())]
        self.optimize(groups, weight_decay=settings.weight_decay)
        self.progress = Progress()
        self._order: tuple[int, list[list[int]]] = (-1, [])

    @property
    def steps_an_epoch(self) -> int:
        return -(-len(self.examples) // self.settings.batch)

    @property
    def n_steps(self) -> int:
        every = self.settings.epochs * self.steps_an_epoch
        return min(self.settings.steps, every) if self.settings.steps else every

    def named(self) -> dict[str, Any]:
        return {**self.trained, **self.heads}

    def key(self) -> str:
        return f"{self.settings.fingerprint()} {self.data}"

    def _batches(self, epoch: int) -> list[list[int]]:
        """The batches of an epoch: rows of alike length together, in an order of its own."""
        if self._order[0] != epoch:
            chance = np.random.default_rng([self.settings.seed, epoch])
            order, size = chance.permutation(len(self.examples)), self.settings.batch
            length = [len(one.first) + max(map(len, (one.second, *one.rivals))) for one in self.examples]
            length = [n + 10_000 * len(one.rivals) for n, one in zip(length, self.examples, strict=True)]
            batches: list[list[int]] = []
            for at in range(0, len(order), BUCKET * size):
                near = sorted(order[at : at + BUCKET * size].tolist(), key=length.__getitem__)
                batches += [near[start : start + size] for start in range(0, len(near), size)]
            self._order = epoch, [batches[place] for place in chance.permutation(len(batches))]
        return self._order[1]

    def _rows(self, epoch: int, at: int) -> list[Example]:
        """The rows of a step: each example, then a fresh sample of its rivals, as passages that do not answer."""
        chance = np.random.default_rng([self.settings.seed, epoch, at])
        rows = []
        for one in (self.examples[place] for place in self._batches(epoch)[at]):
            sample = sorted(chance.permutation(len(one.rivals))[:RIVALS_READ].tolist())
            rivals = tuple(one.rivals[place] for place in sample)
            rows.append(replace(one, rivals=rivals))
            for text in rivals:
                is_known = self.teacher is None or (one.first, text) in self._refused
                label, span = (0, (0, 0)) if is_known else (UNLABELLED, None)
                rows.append(replace(one, second=text, label=label, span=span, rivals=()))
        return rows

    def read(self, rows: Sequence[Example]) -> tuple[Pairs, Scores]:
        """Rows as the encoder reads them, and their scores, through which gradients flow."""
        pairs = [(row.first, row.second) for row in rows]
        batch = pairs_read(self.tokenizer, pairs, max_tokens=self.settings.max_tokens)
        return batch, heads_scores(self.states(batch.tensors), batch, self.heads)

    def scores_of(self, rows: Sequence[Example]) -> Scores:
        """The scores of rows without dropout and gradients, as a teacher gives them."""
        import torch

        self.encoder.eval()
        with torch.no_grad():
            return self.read(rows)[1]

    def rest(self) -> None:
        """Release gradients and moments, three quarters of the memory, once training is done."""
        self.optimizer.zero_grad()
        self.optimizer.state.clear()

    def loss(self, epoch: int, at: int) -> Any:
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

        rows = self._rows(epoch, at)
        batch, scores = self.read(rows)
        by_teacher = self.teacher.scores_of(rows) if self.teacher else None
        answers, support = _targets(rows, by_teacher)
        is_claim = torch.tensor([row.is_claim for row in rows])
        loss = scores.answers.new_zeros(())
        is_question = ~is_claim
        if is_claim.any():
            loss = loss + cross_entropy(scores.support[is_claim], support[is_claim], reduction="sum")
        if is_question.any():
            loss = loss + binary_cross_entropy_with_logits(
                scores.answers[is_question], answers[is_question], reduction="sum"
            )
            loss = loss + self.settings.order_weight * _order_loss(scores.answers, rows, by_teacher)
            ends = torch.tensor([batch.tokens_of(place, row.span) for place, row in enumerate(rows)])
            is_known = ends[:, 0] != UNKNOWN
            is_known &= is_question
            if is_known.any():
                for side, logits in enumerate((scores.start, scores.end)):
                    loss = loss + self.settings.span_weight / 2 * cross_entropy(
                        logits[is_known], ends[is_known, side], reduction="sum"
                    )
        return loss / len(rows)

    def tensors(self) -> dict[str, Any]:
        """What was trained so far, under BERT's names, and the heads."""
        return {bert_name(name): value.detach() for name, value in self.trained.items()} | {
            f"heads.{name}": value.detach() for name, value in self.heads.items()
        }


def _targets(rows: Sequence[Example], by_teacher: Scores | None) -> tuple[Any, Any]:
    """What n rows are to get, answers [n] and support [n, 3]: their labels, with a teacher half its probabilities."""
    import torch
    from torch.nn.functional import one_hot

    labels = torch.tensor([row.label for row in rows])
    known = labels.clamp(min=0)
    answers, support = known.float(), one_hot(known, len(LABELS)).float()
    if by_teacher is not None:
        share = torch.where(labels == UNLABELLED, 0.0, GOLD)
        answers = answers * share + by_teacher.answers.sigmoid() * (1 - share)
        support = support * GOLD + by_teacher.support.softmax(dim=1) * (1 - GOLD)
    return answers, support


def _order_loss(answers: Any, rows: Sequence[Example], by_teacher: Scores | None) -> Any:
    """The cross-entropy of the shares among a passage and its rivals, summed over the questions.

    All of it is to be the passage's; with a teacher, each is to have the share that the teacher gives it.
    """
    loss = answers.new_zeros(())
    for place, row in enumerate(rows):
        if row.rivals:
            of = slice(place, place + 1 + len(row.rivals))
            logs = answers[of].log_softmax(dim=0)
            loss = loss - (logs[0] if by_teacher is None else by_teacher.answers[of].softmax(dim=0) @ logs)
    return loss
