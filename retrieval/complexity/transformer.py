"""The fine-tuned transformer: its artefact, which the encoder process scores questions with (`encoder_classifier`).

Its classes are ordered: a question that needs three passages needs more than one and more than two. The head therefore
has c - 1 outputs for c classes, "more than one", "more than two" and so on, each a yes or a no of its own.

Source: Frank and Hall, "A Simple Approach to Ordinal Classification" (ECML 2001), as outputs of one network (Cao,
    Mirjalili and Raschka, CORAL, 2020). Differs from CORAL: every output has its own weights; what keeps the chances in
    order is the running minimum. Differs from HyPA-RAG 7.2: there a softmax over classes without an order.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from legalqa.encoder.classifier import FORMAT, classifier_pack, metadata_read
from legalqa.encoder.client import question_scores
from legalqa.encoder.weights import WeightsWrong, classifier_base, classifier_name, with_weights
from retrieval.complexity.types import ClassifierError, Labels, Probabilities, middle_class, ordered_probabilities


@dataclass(frozen=True)
class TransformerClassifier:
    """A fine-tuned encoder with a linear head, scored in the encoder's process.

    Attributes:
        artefact: As `classifier_pack` wrote it.
        n_classes: How many classes, 2 to 5.
        base: SHA-256 of the weights of the encoder that it was trained over.

    Source: Frank and Hall 2001, with what differs, as above for the module.
    """

    artefact: bytes
    n_classes: int
    base: str
    kind: str = "transformer"

    @cached_property
    def _name(self) -> str:
        return classifier_name(hashlib.sha256(self.artefact).hexdigest())

    def probabilities(self, texts: Sequence[str]) -> Probabilities:
        """The chances of the ordered classes, from those of "more than one", "more than two" and so on.

        Raises:
            ClassifierError: the encoder that is set up is another one, or is not there.
        """
        try:
            if classifier_base() != self.base:
                raise ClassifierError("The classifier was trained over another encoder. Train it again.")
            scores = with_weights(lambda: question_scores(texts, classifier=self._name), lambda: self.artefact)
        except WeightsWrong as error:
            raise ClassifierError(str(error)) from error
        return ordered_probabilities(scores.reshape(len(texts), self.n_classes - 1))

    def decide(self, probabilities: Probabilities) -> Labels:
        """The class in the middle of each distribution."""
        return middle_class(probabilities)

    def as_bytes(self) -> bytes:
        return self.artefact

    def with_provenance(self, provenance: Mapping[str, Any]) -> "TransformerClassifier":
        """The same classifier, which says of itself where it comes from."""
        from safetensors.torch import load

        about = metadata_read(self.artefact, "classifier")
        return self.read(
            classifier_pack(
                load(self.artefact),
                n_classes=self.n_classes,
                max_tokens=about["max_tokens"],
                base=self.base,
                provenance=provenance,
            )
        )

    @classmethod
    def read(cls, artefact: bytes) -> "TransformerClassifier":
        """The classifier of an artefact.

        Raises:
            ClassifierError: it is of another format.
        """
        try:
            about = metadata_read(artefact, "classifier")
            n_classes, base = about["classes"], about["base"]
        except (ValueError, KeyError) as error:
            raise ClassifierError("This is not a classifier that LegalQA has written. Train one.") from error
        if about.get("format") != FORMAT:
            raise ClassifierError("The classifier was written by another version. Train it again.")
        return cls(artefact, n_classes, base)
