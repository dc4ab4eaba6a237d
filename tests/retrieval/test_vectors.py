"""A question's vector by another encoder than the corpus's."""

from typing import Any

import numpy as np

from corpora.models import Corpus
from retrieval.vectors import Vectors, question_vector


def test_a_trained_encoder_is_asked_outside_the_scope() -> None:
    corpus, vectors, own = Corpus(encoder="another"), Vectors(), np.zeros(3, np.float32)
    of: Any = {"corpus": corpus, "text": "When?", "own": own, "vectors": vectors}

    assert question_vector(**of, encoder="another") is own
    assert question_vector(**of, encoder="trained.1") is None
    assert list(vectors.lacking) == [("trained.1", "When?")]
