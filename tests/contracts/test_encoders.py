"""What every encoder promises: in this process, behind the socket, and with weights that a test disturbed."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytest_django import Settings

from legalqa.encoder.client import DIMENSIONS, Encoder, RemoteEncoder, encoder_here
from legalqa.encoder.weights import weights_unpack
from tests.encoders import disturbed_weights
from tests.serving import serving

TEXTS = ["The tenant pays rent.", "Dogs.", "A deposit of two months is due when the lease begins, and not before it."]


@pytest.fixture(params=["here", "socket", "disturbed"])
def encoder(request: pytest.FixtureRequest, tmp_path: Path, settings: Settings) -> Iterator[Encoder]:
    if request.param == "socket":
        with serving(tmp_path, settings):
            yield RemoteEncoder()
    elif request.param == "disturbed":
        yield encoder_here().trained(weights_unpack(disturbed_weights()))
    else:
        yield encoder_here()


def test_a_text_is_a_row_of_length_one(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)

    assert vectors.shape == (len(TEXTS), DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-3)


def test_rows_are_in_the_order_of_the_texts(encoder: Encoder) -> None:
    together = encoder.encode(TEXTS)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])

    assert (np.sum(together * alone, axis=1) > 0.99).all()
    assert np.argmax(together @ alone.T, axis=1).tolist() == [0, 1, 2]


def test_no_texts_are_no_rows(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, DIMENSIONS)


def test_the_same_texts_give_the_same_vectors_urgent_or_not(encoder: Encoder) -> None:
    first = encoder.encode(TEXTS)

    assert np.array_equal(first, encoder.encode(TEXTS))
    assert np.allclose(first, encoder.encode(TEXTS, is_urgent=True), atol=1e-3)
