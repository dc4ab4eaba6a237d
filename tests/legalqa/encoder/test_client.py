"""Trained encoders: the packaged model with other weights, here and in the encoder process."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
import torch
from pytest_django import Settings

from legalqa.encoder import local as encoder_local
from legalqa.encoder import weights as encoder_weights
from legalqa.encoder.classifier import HEAD_BIAS, HEAD_WEIGHT, classifier_pack
from legalqa.encoder.client import (
    NAME,
    WEIGHTS_SHA256,
    EncoderDown,
    RemoteEncoder,
    WeightsMissing,
    WeightsWrong,
    classifier_name,
    encoded_here,
    encoder,
    encoder_here,
    question_scores,
    trained_name,
    weights_keep,
)
from legalqa.encoder.weights import weights_about, weights_drop, weights_pack, weights_sweep, weights_unpack
from tests.encoders import disturbed_weights
from tests.serving import serving

TEXTS = ["The tenant pays the rent each month.", "An employer keeps records of bias audits.", "Notice of three months."]
MANY = [f"{text} ({number})" for number in range(12) for text in TEXTS]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the weights' files of this test are."""
    monkeypatch.setattr(encoder_weights, "weights_folder", lambda: tmp_path / "encoders")  # VAR holds all else, too
    yield tmp_path / "encoders"
    encoder_here()._trained.clear()


@pytest.fixture
def serve(tmp_path: Path, settings: Settings) -> Iterator[Callable[[], None]]:
    """Starts the encoder process's own code, as a thread of this process."""
    with ExitStack() as running:
        yield lambda: running.enter_context(serving(tmp_path, settings))


def unlike(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two encoders gave vectors that are not the same up to rounding; all of length 1."""
    assert np.allclose(np.linalg.norm(np.concatenate([one, other]), axis=1), 1.0, atol=1e-4)
    return bool((np.einsum("ij,ij->i", one, other) < 0.98).all())


@pytest.mark.parametrize("texts", [TEXTS[:1], TEXTS, MANY], ids=["few", "a batch", "side by side"])
def test_a_trained_encoder_gives_vectors_of_its_own_and_leaves_the_packaged_one_as_it_is(texts: list[str]) -> None:
    before = encoder().encode(texts)
    name = weights_keep(disturbed_weights())

    assert unlike(encoder(name).encode(texts), before)
    assert np.array_equal(encoder().encode(texts), before)


def test_trained_encoders_share_words_and_positions_and_the_three_used_last_stay_loaded() -> None:
    names = [weights_keep(disturbed_weights(seed)) for seed in (1, 2, 3, 4)]
    for name in (*names[:3], names[0], names[3]):
        encoder(name)

    assert list(encoder_here()._trained) == [names[2], names[0], names[3]]
    assert encoder_local.TRAINED_MAX == 3
    for kind in ("_for_batches", "_for_few"):
        packaged, trained = (getattr(one, kind).embeddings for one in (encoder_here(), encoder(names[3])))
        assert trained.word_embeddings.weight is packaged.word_embeddings.weight
        assert trained.position_embeddings.weight is packaged.position_embeddings.weight
        assert trained.LayerNorm.weight is not packaged.LayerNorm.weight


def test_the_encoder_process_serves_a_trained_encoder_once_its_weights_are_there(serve: Callable[[], None]) -> None:
    serve()
    artefact = disturbed_weights()
    here = encoder_here().encode(TEXTS)
    remote = RemoteEncoder(weights_keep(artefact))
    weights_drop(remote._name)
    with pytest.raises(WeightsMissing, match="are not in"):
        remote.encode(TEXTS)

    weights_keep(artefact)
    assert unlike(remote.encode(TEXTS), here)
    assert not unlike(RemoteEncoder().encode(TEXTS), here)


def test_the_encoder_process_classifies_questions_once_the_artefact_is_there(serve: Callable[[], None]) -> None:
    serve()
    chance = torch.Generator().manual_seed(3)
    head = {HEAD_WEIGHT: torch.randn(2, 384, generator=chance), HEAD_BIAS: torch.zeros(2)}
    artefact = classifier_pack(head, n_classes=3, max_tokens=64, base=WEIGHTS_SHA256, provenance={})
    name = classifier_name(hashlib.sha256(artefact).hexdigest())
    with pytest.raises(WeightsMissing, match="are not in"):
        question_scores(TEXTS, classifier=name)

    weights_keep(artefact)
    served = question_scores(MANY, classifier=name)
    assert served.shape == (len(MANY), 2)
    assert served == pytest.approx(encoded_here(MANY, name=name), abs=1e-4)
    assert question_scores(MANY[:1], classifier=name) == pytest.approx(served[:1], abs=1e-4)


def test_an_encoder_process_that_is_away_is_not_taken_for_missing_weights(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ENCODER_SERVER, settings.ENCODER_SOCKET = True, str(tmp_path / "none.sock")
    monkeypatch.setattr("legalqa.encoder.client.RESTART_S", 0.0)  # or it waits for a restart
    with pytest.raises(EncoderDown):
        encoder(trained_name("0" * 64)).encode(TEXTS)


def test_a_file_of_weights_is_private_and_one_that_was_changed_is_not_read(folder: Path) -> None:
    name = weights_keep(disturbed_weights())
    [file] = folder.iterdir()
    assert (file.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)

    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(WeightsMissing):
        encoder(name)


def test_weights_that_nobody_loaded_for_a_week_are_swept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights_keep(disturbed_weights())
    weights_sweep()
    assert len(list(folder.iterdir())) == 1

    monkeypatch.setattr("legalqa.encoder.weights.MAX_AGE_S", -1)  # a week goes by
    weights_sweep()
    assert list(folder.iterdir()) == []


def test_an_artefact_says_where_it_comes_from_and_is_refused_if_it_does_not_fit() -> None:
    weight = torch.zeros(3, 3)
    assert weights_about(disturbed_weights(7))["provenance"] == {"seed": 7}
    refused = {
        "which all encoders share": {"embeddings.word_embeddings.weight": weight},
        "not finite": {"encoder.layer.0.output.dense.bias": weight / 0},
    }
    for words, tensors in refused.items():
        with pytest.raises(WeightsWrong, match=words):
            weights_unpack(weights_pack(tensors, provenance={}))
    with pytest.raises(WeightsWrong, match="does not fit"):
        encoder(weights_keep(weights_pack({"encoder.layer.0.output.dense.bias": weight}, provenance={})))
    for wrong in (f"{NAME}+../../etc", "someone.else", f"{NAME}+*"):
        with pytest.raises(WeightsWrong, match="There is no encoder"):
            encoder(wrong)
