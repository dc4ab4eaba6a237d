"""Fine-tuned encoders: ordered classes, scored in numpy as torch scores them, trained in steps that survive a death."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from judging.measures.classification import macro_f1
from legalqa.encoder.client import model_folder
from legalqa.training.classifier import finetuning
from legalqa.training.classifier.finetuning import FineTuning
from legalqa.training.classifier.fitting import TrainingSettings
from retrieval.complexity.baselines import RandomClassifier, zero_shot
from retrieval.complexity.bert import (
    FORMAT,
    HEAD_BIAS,
    HEAD_WEIGHT,
    TransformerClassifier,
    encoder_load,
    middle_class,
    ordered_probabilities,
    weights_fingerprint,
)
from retrieval.complexity.reading import classifier_read
from retrieval.complexity.types import ClassifierError, labels_of
from tests.encoders import small_encoder

TEXTS = ["When is the rent due?", "What are the rent and the deposit of the flat, and who keeps them?"] * 12
LABELS = [0, 1] * 12
WANTED = TrainingSettings(
    kind="transformer", n_classes=2, batch=4, epochs=6, learning_rate=1e-2, validation_share=0.25, patience=6
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_encoder(tmp_path_factory.mktemp("bert"))


def tuning(folder: Path, **changes: Any) -> FineTuning:
    wanted = WANTED.model_copy(update=changes)
    score = lambda t, p: macro_f1(t, p, n_classes=wanted.n_classes)  # noqa: E731
    return FineTuning(TEXTS, LABELS, wanted, folder=folder, score=score)


def bare(folder: Path) -> TransformerClassifier:
    """An encoder with a head that shows its mean state."""
    width = encoder_load(folder).tensors["embeddings.word_embeddings.weight"].shape[1]
    head = {HEAD_WEIGHT: np.eye(width, dtype=np.float32)[:3], HEAD_BIAS: np.zeros(3, np.float32)}
    return TransformerClassifier(folder, head, 4, 64, weights_fingerprint(folder), {})


@pytest.mark.parametrize("which", ["packaged", "small", "distilbert"])
def test_numpy_scores_a_question_as_torch_does(which: str, folder: Path, tmp_path: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    here = {"packaged": model_folder(), "small": folder}.get(which) or small_encoder(tmp_path, is_distil=True)
    model = AutoModel.from_pretrained(here, local_files_only=True).eval()
    read = AutoTokenizer.from_pretrained(here, local_files_only=True)(TEXTS[1], return_tensors="pt")
    with torch.inference_mode():
        chances = model(input_ids=read["input_ids"]).last_hidden_state[0].mean(0)[:3].sigmoid().tolist()

    reached = 1 - bare(here).probabilities([TEXTS[1]])[0].cumsum()[:3]

    assert reached == pytest.approx([min(chances[: k + 1]) for k in range(3)], abs=1e-4)


scores = arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 4)), elements=st.floats(-30, 30))


@given(scores)
def test_ordered_answers_are_a_distribution_whose_middle_is_the_decision(found: NDArray[np.float64]) -> None:
    chances = ordered_probabilities(found)

    assert chances.shape == (found.shape[0], found.shape[1] + 1)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert (chances >= 0).all()
    clear = np.where(np.abs(found) < 1e-6, 1.0, found)  # one half itself is a matter of rounding
    yes = (clear > 0).cumprod(axis=1).sum(axis=1)  # as many as are answered with yes before the first no
    assert middle_class(ordered_probabilities(clear)).tolist() == yes.tolist()


def test_the_middle_of_the_chances_need_not_be_the_largest() -> None:
    assert middle_class(np.array([[0.4, 0.25, 0.35], [0.6, 0.0, 0.4], [0.2, 0.2, 0.6]])).tolist() == [1, 0, 2]
    assert middle_class(np.array([[0.4, 0.6], [0.6, 0.4]])).tolist() == [1, 0]


def test_a_training_that_was_stopped_comes_to_the_same_classifier(folder: Path, tmp_path: Path) -> None:
    whole, first, file = tuning(folder), tuning(folder), tmp_path / "kept.safetensors"
    while not whole.advance():
        pass
    for _ in range(4):
        first.advance()
    first.save(file)
    second = tuning(folder)
    assert second.load(file)
    while not second.advance():
        pass

    assert second.progress.epochs == whole.progress.epochs
    one, other = whole.classifier({}), second.classifier({})
    assert other.probabilities(TEXTS[:2]) == pytest.approx(one.probabilities(TEXTS[:2]), abs=1e-6)
    assert labels_of(one, TEXTS[:2]).tolist() == [0, 1]


def test_without_validation_every_epoch_is_done_and_the_last_one_is_used(folder: Path, tmp_path: Path) -> None:
    file, one = tmp_path / "kept.safetensors", tuning(folder, validation_share=0.0, epochs=3, patience=1)
    for _ in range(one.steps_an_epoch + 1):
        one.advance()
    one.save(file)
    other = tuning(folder, validation_share=0.0, epochs=3, patience=1)
    assert other.load(file)
    while not other.advance():
        pass

    assert [epoch.score for epoch in other.progress.epochs] == [None] * 3
    assert (other.progress.best, len(other.learned)) == (2, len(TEXTS))
    assert other.classifier({}).trained[HEAD_BIAS].tolist() == other.head.bias.detach().half().float().tolist()


def test_a_rare_yes_weighs_more_unless_told_otherwise(folder: Path) -> None:
    rare = TrainingSettings(kind="transformer", n_classes=3, validation_share=0.0)
    labels = [0] * 16 + [1] * 4 + [2] * 4

    def weights(wanted: TrainingSettings) -> list[float]:
        found = FineTuning(TEXTS, labels, wanted, folder=folder, score=lambda *_: 0.0)
        return [float(weight) for weight in found.weights]

    assert weights(rare) == pytest.approx([2**0.5, 5**0.5])  # 16 noes for 8 yeses, 20 for 4
    assert weights(rare.model_copy(update={"balanced": False})) == [1.0, 1.0]


def test_a_checkpoint_of_another_training_is_not_gone_on_with(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept.safetensors"
    assert not tuning(folder).load(file)
    file.write_bytes(b"half of a file")
    assert not tuning(folder).load(file)
    tuning(folder).save(file)
    assert not tuning(folder, epochs=5).load(file)
    assert tuning(folder).load(file)
    monkeypatch.setattr(finetuning, "FORMAT", FORMAT - 1)  # as by the version before
    assert not tuning(folder).load(file)


def test_a_classifier_with_a_softmax_is_refused_in_a_sentence(folder: Path) -> None:
    now, before = f'\\"format\\": {FORMAT}'.encode(), rb"\"format\": 1"
    data = bare(folder).as_bytes()
    assert now in data

    with pytest.raises(ClassifierError, match=r"written by another version\. Train it anew"):
        classifier_read(data.replace(now, before), encoder=folder)


def test_a_fine_tuned_classifier_comes_back_from_its_bytes(folder: Path) -> None:
    before = bare(folder)
    data = before.as_bytes()
    after = classifier_read(data, encoder=folder)

    assert after.probabilities(TEXTS[:2]) == pytest.approx(before.probabilities(TEXTS[:2]), abs=1e-3)


def test_a_classifier_over_another_encoder_is_refused(folder: Path) -> None:
    moved = classifier_read(bare(folder).as_bytes(), encoder=model_folder())

    with pytest.raises(ClassifierError, match="another encoder"):
        moved.probabilities(["When?"])


def test_zero_shot_asks_a_model_of_inference_and_says_where_there_is_none(tmp_path: Path) -> None:
    nli = small_encoder(tmp_path, labels={0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"})
    found = zero_shot(3, str(nli)).probabilities(["When is the rent due?", "What then?"])

    assert found.shape == (2, 3)
    assert found.sum(axis=1) == pytest.approx(1.0)
    for folder, words in (("", "LEGALQA_NLI_MODEL"), (str(tmp_path / "nowhere"), "no model")):
        with pytest.raises(ClassifierError, match=words):
            zero_shot(3, folder)
    with pytest.raises(ClassifierError, match="Choose 2 or 3"):
        zero_shot(4, str(nli))


def test_random_labels_are_the_same_for_the_same_question() -> None:
    texts = [f"question {n}" for n in range(600)]
    found = RandomClassifier(3, seed=5).probabilities(texts).argmax(axis=1)

    assert found.tolist() == RandomClassifier(3, seed=5).probabilities(texts).argmax(axis=1).tolist()
    assert min(np.bincount(found, minlength=3)) > 150
