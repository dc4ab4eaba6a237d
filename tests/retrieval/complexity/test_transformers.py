"""Fine-tuned encoders: scored in numpy as torch scores them, and trained in steps that survive a death."""

from pathlib import Path

import numpy as np
import pytest

from judging.measures.classification import macro_f1
from legalqa.llm.encoder import model_folder
from retrieval.complexity.baselines import RandomClassifier, zero_shot
from retrieval.complexity.bert import HEAD_BIAS, HEAD_WEIGHT, TransformerClassifier, encoder_load, weights_fingerprint
from retrieval.complexity.finetuning import FineTuning
from retrieval.complexity.reading import classifier_read
from retrieval.complexity.training import TrainingSettings
from retrieval.complexity.types import ClassifierError
from tests.encoders import small_encoder

TEXTS = ["When is the rent due?", "What are the rent and the deposit of the flat, and who keeps them?"] * 12
LABELS = [0, 1] * 12
WANTED = TrainingSettings(
    kind="transformer", n_classes=2, batch=4, epochs=6, learning_rate=1e-2, validation_share=0.25, patience=6
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_encoder(tmp_path_factory.mktemp("bert"))


def tuning(folder: Path) -> FineTuning:
    return FineTuning(TEXTS, LABELS, WANTED, folder=folder, score=lambda t, p: macro_f1(t, p, n_classes=2))


def bare(folder: Path) -> TransformerClassifier:
    """An encoder with a head that shows its mean state."""
    width = encoder_load(folder).tensors["embeddings.word_embeddings.weight"].shape[1]
    head = {HEAD_WEIGHT: np.eye(width, dtype=np.float32)[:3], HEAD_BIAS: np.zeros(3, np.float32)}
    return TransformerClassifier(folder, head, 3, 64, weights_fingerprint(folder), {})


@pytest.mark.parametrize("which", ["packaged", "small", "distilbert"])
def test_numpy_scores_a_question_as_torch_does(which: str, folder: Path, tmp_path: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    here = {"packaged": model_folder(), "small": folder}.get(which) or small_encoder(tmp_path, is_distil=True)
    model = AutoModel.from_pretrained(here, local_files_only=True).eval()
    read = AutoTokenizer.from_pretrained(here, local_files_only=True)(TEXTS[1], return_tensors="pt")
    with torch.inference_mode():
        state = model(input_ids=read["input_ids"]).last_hidden_state[0].mean(0)[:3].double().numpy()

    ours = np.log(bare(here).probabilities([TEXTS[1]])[0])

    assert ours - ours[0] == pytest.approx(state - state[0], abs=1e-4)


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
    assert one.probabilities(TEXTS[:2]).argmax(axis=1).tolist() == [0, 1]


def test_a_checkpoint_of_another_training_is_not_gone_on_with(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.safetensors"
    assert not tuning(folder).load(file)
    file.write_bytes(b"half of a file")
    assert not tuning(folder).load(file)


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
