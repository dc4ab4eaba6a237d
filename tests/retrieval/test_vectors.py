"""A question's vector by another encoder than the corpus's."""

from typing import Any

import numpy as np

from corpora.models import Corpus
from legalqa.encoder.client import NAME, encoder
from retrieval.vectors import Vectors, question_vector


def test_a_trained_encoder_is_asked_outside_the_scope() -> None:
    corpus, vectors, own = Corpus(encoder="another"), Vectors(), np.zeros(3, np.float32)
    of: Any = {"corpus": corpus, "text": "When?", "own": own, "vectors": vectors}

    assert question_vector(**of, encoder="another") is own
    assert question_vector(**of, encoder="trained.1") is None
    assert list(vectors.lacking) == [("trained.1", "When?")]


def test_the_packaged_encoder_answers_at_once_and_reads_the_cue_before_the_question() -> None:
    corpus, vectors, own = Corpus(encoder=NAME), Vectors(), np.zeros(3, np.float32)
    of: Any = {"corpus": corpus, "text": "When?", "own": own, "vectors": vectors, "encoder": NAME}
    plain, cued = encoder().encode(["When?", "query: When?"])

    read = question_vector(**of | {"corpus": Corpus(encoder="another")}), question_vector(**of, cue="query: ")
    assert question_vector(**of) is own
    assert question_vector(**of | {"encoder": "trained.1"}, cue="query: ") is None

    assert list(vectors.lacking) == [("trained.1", "query: When?")]
    for one, expected in zip(read, (plain, cued), strict=True):
        assert one is not None
        np.testing.assert_allclose(one, expected, atol=1e-3)
