"""Fine-tuned encoders: ordered classes, scored in the encoder's process, trained in steps that survive a death."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from pytest_django import Settings
from safetensors import safe_open
from safetensors.torch import load

from judging.measures.classification import macro_f1
from legalqa.encoder import client as encoder
from legalqa.encoder import weights as encoder_weights
from legalqa.encoder.classifier import FORMAT, HEAD_BIAS, HEAD_WEIGHT, bert_name, classifier_pack, weights_fingerprint
from legalqa.encoder.client import model_folder
from legalqa.training.classifier import finetuning
from legalqa.training.classifier.finetuning import FineTuning
from legalqa.training.classifier.fitting import TrainingSettings
from retrieval.complexity.baselines import RandomClassifier
from retrieval.complexity.reading import classifier_read
from retrieval.complexity.transformer import TransformerClassifier
from retrieval.complexity.types import ClassifierError, labels_of, middle_class, ordered_probabilities
from retrieval.complexity.zero_shot import zero_shot
from tests.encoders import small_encoder

TEXTS = ["When is the rent due?", "What are the rent and the deposit of the flat, and who keeps them?"] * 12
LABELS = [0, 1] * 12
WANTED = TrainingSettings(
    kind="transformer", n_classes=2, batch=4, epochs=6, learning_rate=1e-2, validation_share=0.25, patience=6
)


@pytest.fixture(autouse=True)
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the weights' files of this test are."""
    monkeypatch.setattr(encoder_weights, "weights_folder", lambda: tmp_path / "weights")  # VAR holds all else, too
    return tmp_path / "weights"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_encoder(tmp_path_factory.mktemp("bert"))


@pytest.fixture
def folder(small: Path, settings: Settings) -> Path:
    """The encoder that is set up."""
    settings.COMPLEXITY_ENCODER = str(small)
    return small


def tuning(folder: Path, **changes: Any) -> FineTuning:
    wanted = WANTED.model_copy(update=changes)
    score = lambda t, p: macro_f1(t, p, n_classes=wanted.n_classes)  # noqa: E731 - as short as its use
    return FineTuning(TEXTS, LABELS, wanted, folder=folder, score=score)


def classifier_of(one: FineTuning) -> TransformerClassifier:
    return TransformerClassifier.read(one.artefact({}))


def bare(folder: Path) -> TransformerClassifier:
    """An encoder with a head that shows its mean state."""
    head = {HEAD_WEIGHT: torch.eye(32)[:3], HEAD_BIAS: torch.zeros(3)}
    base = weights_fingerprint(folder)
    return TransformerClassifier.read(classifier_pack(head, n_classes=4, max_tokens=64, base=base, provenance={}))


ASKED = [
    "When is the rent due?",
    "Which notices must an employer give before, during and after a bias audit, and to whom?",
    "Rent?",
    "Is it?  " + "and how long, " * 40,
]
# As a forward pass of our own in numpy gave them, one question at a time.
KEPT = {
    "packaged": [
        [0.241761, 0.0, 0.758239],
        [0.504038, 0.0, 0.495962],
        [0.102984, 0.206732, 0.690283],
        [0.490738, 0.334875, 0.174386],
    ],
    "distilbert": [
        [0.567408, 0.130913, 0.301678],
        [0.430185, 0.499274, 0.070541],
        [0.791584, 0.0, 0.208416],
        [0.268309, 0.389942, 0.341748],
    ],
}


def disturbed(folder: Path) -> TransformerClassifier:
    """A classifier whose last layer was drawn: the same one at every call."""
    chance = np.random.default_rng(11)
    with safe_open(folder / "model.safetensors", framework="np") as file:
        stored = {bert_name(name): file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    last = max(name for name in stored if name.startswith("encoder.layer."))[: len("encoder.layer.0.")]
    trained = {}
    for name in sorted(stored):
        if name.startswith(last):
            value = stored[name]
            noise = chance.standard_normal(value.shape).astype(np.float32)
            trained[name] = torch.from_numpy(value + np.float32(0.3) * value.std() * noise)
    width = stored["embeddings.word_embeddings.weight"].shape[1]
    head = chance.standard_normal((2, width)) * 4 / np.sqrt(width)
    trained[HEAD_WEIGHT] = torch.from_numpy(head.astype(np.float32))
    trained[HEAD_BIAS] = torch.tensor([0.5, -0.5])
    base = weights_fingerprint(folder)
    return TransformerClassifier.read(classifier_pack(trained, n_classes=3, max_tokens=64, base=base, provenance={}))


@pytest.mark.parametrize("which", KEPT)
def test_the_encoder_classifies_kept_questions_as_before(which: str, tmp_path: Path, settings: Settings) -> None:
    here = model_folder()
    if which == "distilbert":
        here = small_encoder(tmp_path, is_distil=True)
        settings.COMPLEXITY_ENCODER = str(here)
    classifier = disturbed(here)
    found = classifier.probabilities(ASKED)

    assert found == pytest.approx(np.array(KEPT[which]), abs=1e-4)
    assert classifier.decide(found).tolist() == middle_class(np.array(KEPT[which])).tolist()
    one_by_one = np.concatenate([classifier.probabilities([text]) for text in ASKED])
    assert one_by_one == pytest.approx(found, abs=1e-4)  # beside longer ones, a question is padded


def test_a_classifier_s_weights_are_written_again_where_their_file_was_changed(folder: Path, weights: Path) -> None:
    before = bare(folder).probabilities(TEXTS[:2])
    [file] = weights.iterdir()
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    encoder._classifier.cache_clear()

    assert bare(folder).probabilities(TEXTS[:2]) == pytest.approx(before)
    assert hashlib.sha256(file.read_bytes()).hexdigest() == file.stem


def test_an_encoder_without_its_files_is_said_in_a_sentence(folder: Path, tmp_path: Path, settings: Settings) -> None:
    classifier = bare(folder)
    settings.COMPLEXITY_ENCODER = str(tmp_path / "nowhere")

    with pytest.raises(ClassifierError, match=r"has no config\.json"):
        classifier.probabilities(["When?"])


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
    one, other = classifier_of(whole), classifier_of(second)
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
    assert (other.progress.best, len(other.training)) == (2, len(TEXTS))
    assert load(other.artefact({}))[HEAD_BIAS].tolist() == other.head.bias.detach().half().tolist()


def test_a_rare_yes_weighs_more_unless_told_otherwise(folder: Path) -> None:
    rare = TrainingSettings(kind="transformer", n_classes=3, validation_share=0.0)
    labels = [0] * 16 + [1] * 4 + [2] * 4

    def weights(wanted: TrainingSettings) -> list[float]:
        found = FineTuning(TEXTS, labels, wanted, folder=folder, score=lambda *_: 0.0)
        return [float(weight) for weight in found.weights]

    assert weights(rare) == pytest.approx([2**0.5, 5**0.5])  # 16 noes for 8 yeses, 20 for 4
    assert weights(rare.model_copy(update={"balanced": False})) == [1.0, 1.0]


def test_a_checkpoint_of_another_training_is_not_resumed(
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

    with pytest.raises(ClassifierError, match=r"written by another version\. Train it again"):
        classifier_read(data.replace(now, before))


def test_a_fine_tuned_classifier_comes_back_from_its_bytes(folder: Path) -> None:
    before = bare(folder)
    data = before.as_bytes()
    after = classifier_read(data)

    assert after.probabilities(TEXTS[:2]) == pytest.approx(before.probabilities(TEXTS[:2]), abs=1e-3)


def test_a_classifier_over_another_encoder_is_refused(folder: Path, settings: Settings) -> None:
    moved = classifier_read(bare(folder).as_bytes())
    settings.COMPLEXITY_ENCODER = ""

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
