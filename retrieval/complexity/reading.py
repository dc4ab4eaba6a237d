"""Reading classifiers: those written by a training, and the ones that come with the product."""

import json
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from legalqa.common.config import bytes_fingerprint
from legalqa.common.json_lines import json_read
from retrieval.complexity.baselines import RandomClassifier
from retrieval.complexity.linear import LinearClassifier
from retrieval.complexity.transformer import TransformerClassifier
from retrieval.complexity.types import Classifier, ClassifierError
from retrieval.complexity.zero_shot import zero_shot

PACKAGED = Path(__file__).with_name("packaged")


def classifier_read(data: bytes) -> Classifier:
    """The classifier of an artefact, which a classifier's `as_bytes` returned.

    Raises:
        ClassifierError: it is not ours, or of another version.
    """
    if data[:1] != b"{":  # safetensors begin with a length that is a multiple of 8, which "{" (123) is not
        return TransformerClassifier.read(data)
    try:
        document = json_read(data)
        kind = document["kind"]
        if kind == "random":
            return RandomClassifier(document["classes"], document["seed"])
        if kind == "zero-shot":
            return zero_shot(document["classes"], settings.NLI_MODEL)
        if kind in ("lr", "svm"):
            return LinearClassifier.read(document)
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, ClassifierError):
            raise
        raise ClassifierError("This is not a classifier that LegalQA has written. Train one.") from error
    raise ClassifierError(f"No kind of classifier is called {kind!r}. Train one again.")


@lru_cache(maxsize=4)
def packaged(n_classes: int) -> tuple[Classifier, str]:
    """The classifier that comes with the product, with its fingerprint.

    Raises:
        ClassifierError: there is none for so many classes.
    """
    file = PACKAGED / f"complexity-{n_classes}.v1.json"
    if not file.is_file():
        raise ClassifierError(
            f"No classifier of {n_classes} classes comes with the product. Train one, or use 2 or 3 classes."
        )
    data = file.read_bytes()
    return LinearClassifier.read(json.loads(data)), bytes_fingerprint(data)
