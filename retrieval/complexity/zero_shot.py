"""A classifier that learns nothing: a model of entailment is asked what kind of question it reads."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.complexity.types import ClassifierError, MostLikely, Probabilities

# HyPA-RAG 7.2; with two classes the first two.
ZERO_SHOT_LABELS = ("simple question", "complex question", "overview question")
HYPOTHESIS = "This example is {}."  # the default of the zero-shot pipeline that the paper used


@dataclass(frozen=True)
class ZeroShotClassifier(MostLikely):
    """A model of natural language inference: which label does the question entail most?

    Attributes:
        n_classes: How many classes, 2 or 3.
        folder: Of the model, with its tokenizer; its labels must name entailment.

    Source: HyPA-RAG 7 (its labels), by entailment as Yin, Hay and Roth 2019 classify without training.
    """

    n_classes: int
    folder: Path
    kind: str = "zero-shot"

    def probabilities(self, texts: Sequence[str]) -> Probabilities:
        """The softmax over how far each text entails each label.

        Raises:
            ClassifierError: the model has no label of entailment.
        """
        tokenizer, model, entailment = nli_load(self.folder)
        hypotheses = [HYPOTHESIS.format(label) for label in ZERO_SHOT_LABELS[: self.n_classes]]
        scores = [_entailed(text, hypotheses, tokenizer, model, entailment) for text in texts]
        powers = np.exp(np.array(scores).reshape(len(texts), self.n_classes))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def as_bytes(self) -> bytes:
        return json.dumps({"format": 1, "kind": self.kind, "classes": self.n_classes}).encode()


def zero_shot(n_classes: int, folder: str) -> ZeroShotClassifier:
    """The zero-shot classifier of a folder.

    Raises:
        ClassifierError: no folder is named, it is not there, or there is no label for this many classes.
    """
    if n_classes > len(ZERO_SHOT_LABELS):
        raise ClassifierError(f"Zero-shot labels are known for 2 and 3 classes, not for {n_classes}. Choose 2 or 3.")
    if not folder:
        raise ClassifierError(
            "No model of entailment is set up, so nothing can be classified zero-shot: "
            "name the folder of one in LEGALQA_NLI_MODEL."
        )
    if not (Path(folder) / "config.json").is_file():
        raise ClassifierError(f"There is no model in {folder}. Correct LEGALQA_NLI_MODEL.")
    return ZeroShotClassifier(n_classes, Path(folder))


def _entailed(text: str, hypotheses: list[str], tokenizer: Any, model: Any, entailment: int) -> list[float]:
    """The log-odds of entailment of each hypothesis by a text."""
    import torch

    inputs = tokenizer([text] * len(hypotheses), hypotheses, return_tensors="pt", padding=True, truncation="only_first")
    with torch.inference_mode():
        logits = model(**inputs).logits
    scores: list[float] = logits[:, entailment].float().tolist()
    return scores


@lru_cache(maxsize=1)
def nli_load(folder: Path) -> tuple[Any, Any, int]:
    """Tokenizer, model and the place of its label of entailment; nothing is fetched.

    Raises:
        ClassifierError: none of its labels is entailment.
    """
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True).eval()
    places = [place for name, place in model.config.label2id.items() if name.lower().startswith("entail")]
    if not places:
        raise ClassifierError(f"The model in {folder} has no label of entailment, so it is not a model of inference.")
    return AutoTokenizer.from_pretrained(folder, local_files_only=True), model, places[0]
