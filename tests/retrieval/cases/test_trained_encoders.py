"""A case base by a trained encoder: its vectors are made outside the transaction of the search."""

import numpy as np

from corpora.models import Corpus
from retrieval.cases.searching import _vector
from retrieval.models import CaseIndex
from retrieval.vectors import Vectors


def test_a_trained_encoder_is_asked_outside_the_scope() -> None:
    index, corpus, vectors = CaseIndex(encoder="trained.1"), Corpus(encoder="another"), Vectors()
    own = np.zeros(3, np.float32)
    assert _vector(index, "When?", corpus, own, vectors, cue="") is None
    assert list(vectors.lacking) == [("trained.1", "When?")]
