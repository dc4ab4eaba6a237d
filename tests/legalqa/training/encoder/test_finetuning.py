"""Fine-tuning the encoder: it learns, it can be stopped after any step, and its file gives what was trained."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from legalqa.encoder.client import encoder, weights_keep
from legalqa.encoder.weights import model_folder, weights_pack
from legalqa.training.encoder.finetuning import EncoderFineTuning, EncoderTraining, Pair, angle_loss
from tests.encoders import small_encoder

WORDS = "apple barley cedar daisy elm fern grape hazel iris juniper kale lily"
PLANTS = WORDS.split()
PASSAGES = [f"The {name} garden is watered every {n} days." for n, name in enumerate(PLANTS)]
PASSAGES += [f"The tenant of the {name} garden pays {n} euros." for n, name in enumerate(PLANTS)]
PAIRS = [Pair(f"What does the {name} garden cost?", (n + 12,), (n, (n + 1) % 12)) for n, name in enumerate(PLANTS)]
WANTED = EncoderTraining(batch=4, epochs=4, learning_rate=1e-2, max_tokens=24)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_encoder(tmp_path_factory.mktemp("bert"))


def tuning(folder: Path, **changed: Any) -> EncoderFineTuning:
    settings = WANTED.model_copy(update=changed)
    return EncoderFineTuning(PAIRS, PASSAGES, settings, folder=folder, data="gardens")


def trained(one: EncoderFineTuning) -> EncoderFineTuning:
    while not one.advance():
        pass
    return one


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(bool((one[name] == other[name]).all()) for name in one)


def test_questions_come_closer_to_what_answers_them(folder: Path) -> None:
    losses = trained(tuning(folder)).progress.losses

    assert len(losses) == 4 * 3
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.2


def test_a_training_that_was_stopped_comes_to_the_same_encoder(folder: Path, tmp_path: Path) -> None:
    whole, first, file = trained(tuning(folder)), tuning(folder), tmp_path / "at.safetensors"
    for _ in range(5):
        first.advance()
    first.save(file)
    second = tuning(folder)
    assert second.load(file)
    trained(second)

    assert second.progress.losses == whole.progress.losses
    assert same(second.tensors(), whole.tensors())


def test_a_training_goes_on_from_an_encoder_that_was_trained_before(folder: Path) -> None:
    before = trained(tuning(folder, epochs=1)).tensors()

    one = EncoderFineTuning(PAIRS, PASSAGES, WANTED, folder=folder, data="gardens", start=before)
    assert same(one.tensors(), before)
    assert not same(trained(one).tensors(), before)


def test_a_checkpoint_of_another_training_is_not_resumed(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "at.safetensors"
    assert not tuning(folder).load(file)
    tuning(folder).save(file)
    assert not tuning(folder, learning_rate=1e-3).load(file)
    assert not EncoderFineTuning(PAIRS[:-1], PASSAGES, WANTED, folder=folder, data="others").load(file)
    file.write_bytes(b"half of a file")
    assert not tuning(folder).load(file)


def test_what_answers_a_question_too_is_no_negative_of_it(folder: Path) -> None:
    both = [Pair("What is paid?", (12, 13), (0,)), Pair("What is owed?", (13, 12), (1,))]
    one = EncoderFineTuning(both, PASSAGES, WANTED.model_copy(update={"negatives": 0}), folder=folder, data="both")

    assert one.advance() or one.progress.losses[0] == 0.0  # nothing is left to be told apart from


def test_a_passage_paired_with_itself_is_learned_from_without_labels(folder: Path) -> None:
    alone = [Pair(passage, (place,), ()) for place, passage in enumerate(PASSAGES)]
    settings = WANTED.model_copy(update={"batch": 8})
    losses = trained(EncoderFineTuning(alone, PASSAGES, settings, folder=folder, data="alone")).progress.losses

    assert np.mean(losses[-3:]) < np.mean(losses[:3])
    assert min(losses) > 0  # the two readings differ by dropout


def test_the_angle_loss_is_as_computed_by_hand() -> None:
    asked, found = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    # Of complex numbers 1 and i: 1 / 1 = 1 and i / 1 = i have parts that add up to 1, so all four are equal.
    none = torch.zeros(2, 2, dtype=torch.bool)
    assert float(angle_loss(asked, found, none, scale=20.0)) == pytest.approx(np.log(1 + 2 * 2))
    # z = 1, w = (1 + i) / sqrt(2): z conj(w) has the parts 1 / sqrt(2) and -1 / sqrt(2), which add up to 0.
    half = torch.tensor([[1.0, 0.0], [2**-0.5, 2**-0.5]])
    assert float(angle_loss(asked[:1], half, none[:1], scale=20.0)) == pytest.approx(np.log(1 + np.exp(-20)), abs=1e-6)
    ignored = torch.tensor([[False, True], [False, False]])
    assert float(angle_loss(asked[:1], half, ignored[:1], scale=20.0)) == 0.0


def test_with_the_angle_loss_questions_come_closer_to_what_answers_them(folder: Path) -> None:
    losses = trained(tuning(folder, angle=0.5)).progress.losses

    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.2


def test_mixing_keeps_a_share_of_what_was_packaged(folder: Path) -> None:
    full, half = trained(tuning(folder)), trained(tuning(folder, mixing=0.5))
    name = "encoder.layer.0.output.dense.weight"

    middle = (full.packaged[name] + full.tensors()[name]) / 2
    assert half.tensors()[name].numpy() == pytest.approx(middle.numpy(), abs=1e-6)


def test_embeddings_stay_and_too_little_is_refused(folder: Path) -> None:
    assert not [name for name in tuning(folder).trained if name.startswith(("embeddings.", "pooler."))]
    for pairs in (PAIRS[:1], [*PAIRS, Pair("What?", (), ())]):
        with pytest.raises(ValueError, match="two pairs"):
            EncoderFineTuning(pairs, PASSAGES, WANTED, folder=folder, data="few")


def test_the_file_of_the_packaged_encoder_s_training_gives_the_trained_vectors(settings: Any, tmp_path: Path) -> None:
    settings.VAR = tmp_path
    one = EncoderFineTuning(
        PAIRS,
        PASSAGES,
        EncoderTraining(batch=12, epochs=2, max_tokens=24, learning_rate=1e-3),
        folder=model_folder(),
        data="gardens",
    )
    trained(one)
    name = weights_keep(weights_pack(one.tensors(), provenance={"source": "a test"}))
    read, packaged = encoder(name).encode(PASSAGES[:2]), encoder().encode(PASSAGES[:2])
    one.encoder.eval()
    ours = one._vectors(PASSAGES[:2]).detach().numpy()

    assert read == pytest.approx(ours, abs=5e-3)
    assert not np.allclose(read, packaged, atol=5e-2)
