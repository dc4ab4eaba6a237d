"""The reader of pairs: here, in the encoder process, and where there is none."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
import torch
from pytest_django import Settings

from legalqa.common.config import bytes_fingerprint
from legalqa.encoder.client import (
    WeightsMissing,
    WeightsWrong,
    _reader,
    _reader_trained,
    encoder_here,
    reader_is_on,
    reading,
)
from legalqa.encoder.reading import Calibration, ReaderModel, reader_pack, reader_unpack, reads_of
from legalqa.encoder.weights import reader_name, with_weights
from tests.encoders import disturbed_weights, small_encoder
from tests.readers import random_artefact, random_reader
from tests.serving import serving

PASSAGE = "The tenant pays the rent on the first day of each month. The landlord repairs the roof."
PAIRS = [("When is the rent due?", PASSAGE), ("Who repairs the roof?", PASSAGE[-31:]), ("What is a lien?", "A lien.")]


@pytest.fixture(autouse=True)
def reader(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """A reader is set up; none is kept for the next test."""
    _reader.cache_clear()
    settings.READER = str(random_reader(tmp_path / "reader.safetensors"))
    yield tmp_path / "reader.safetensors"
    _reader.cache_clear()


def test_a_pair_is_read_with_probabilities_and_a_span_of_its_second_text() -> None:
    reads = reading(PAIRS)

    assert len(reads) == 3
    for (_, passage), read in zip(PAIRS, reads, strict=True):
        assert 0 <= read.answers <= 1
        assert sum(read.support) == pytest.approx(1, abs=1e-5)
        assert read.span is not None
        assert 0 <= read.span[0] < read.span[1] <= len(passage)


def test_pairs_of_any_length_and_number_are_read_in_their_order_and_as_if_alone() -> None:
    many = [(f"{question} ({n})", passage * (n % 4 + 1)) for n in range(9) for question, passage in PAIRS]

    together, alone = reading(many), [reading([pair])[0] for pair in many]
    assert [read.answers for read in together] == pytest.approx([read.answers for read in alone], abs=0.15)
    assert len({round(read.answers, 3) for read in alone}) > 5
    assert reading([]) == []


def test_a_passage_without_words_has_no_span() -> None:
    [read] = reading([("Who pays?", "")])
    assert read.span is None


def test_the_encoder_process_reads_pairs_as_this_one_does(tmp_path: Path, settings: Settings) -> None:
    here = reading(PAIRS * 8)
    with serving(tmp_path, settings):
        served, urgent = reading(PAIRS * 8), reading(PAIRS * 8, is_urgent=True)

    for reads in (served, urgent):
        assert [read.answers for read in reads] == pytest.approx([read.answers for read in here], abs=0.15)
        assert [read.span is None for read in reads] == [False] * 24


@pytest.mark.parametrize("is_served", [False, True], ids=["here", "in the encoder process"])
def test_a_trained_reader_is_asked_by_its_name_beside_the_one_that_is_set_up(
    is_served: bool, tmp_path: Path, settings: Settings
) -> None:
    settings.VAR = tmp_path
    artefact = random_artefact(seed=2)
    name = reader_name(bytes_fingerprint(artefact))
    _reader_trained.cache_clear()

    with serving(tmp_path, settings) if is_served else nullcontext():
        with pytest.raises(WeightsMissing):
            reading(PAIRS, reader=name)
        own = with_weights(lambda: reading(PAIRS, reader=name), lambda: artefact)
        assert reading(PAIRS, reader=name) == own
        assert [read.answers for read in own] != [read.answers for read in reading(PAIRS)]
    _reader_trained.cache_clear()


def test_a_name_that_is_no_reader_s_is_refused() -> None:
    for wrong in ("reader+../../etc", "reader+*"):
        with pytest.raises(WeightsWrong, match="There is no encoder"):
            reading(PAIRS, reader=wrong)


def test_the_reader_shares_the_words_and_positions_of_the_packaged_encoder(reader: Path) -> None:
    reading(PAIRS[:1])
    packaged = [model.embeddings for model in (encoder_here()._for_few, encoder_here()._for_batches)]
    model = _reader(reader)
    assert isinstance(model, ReaderModel)
    own = model._encoder.embeddings
    assert any(own.word_embeddings.weight is one.word_embeddings.weight for one in packaged)
    assert any(own.position_embeddings.weight is one.position_embeddings.weight for one in packaged)
    assert all(own.LayerNorm.weight is not one.LayerNorm.weight for one in packaged)


def test_the_reader_is_off_where_it_was_switched_off_and_where_its_file_is_not(settings: Settings) -> None:
    assert reader_is_on()
    for setting in ("off", "/nowhere/reader.safetensors"):
        settings.READER = setting
        assert not reader_is_on()


def test_a_file_that_is_no_reader_is_refused_with_the_rule_it_breaks(
    reader: Path, tmp_path: Path, settings: Settings
) -> None:
    reader.write_bytes(disturbed_weights())
    with pytest.raises(WeightsWrong, match="This is not a reader"):
        reading(PAIRS)
    settings.READER = str(random_reader(tmp_path / "other.safetensors", base="another"))
    with pytest.raises(WeightsWrong, match="other weights"):
        reading(PAIRS)
    with serving(tmp_path, settings), pytest.raises(WeightsMissing, match="other weights"):
        reading(PAIRS)


def test_calibration_turns_scores_into_probabilities() -> None:
    scores = np.array([[2.0, 1.0, 0.0, -1.0, 3.0, 4, 9]], dtype=np.float32)

    [plain] = reads_of(Calibration().probabilities(scores))
    [calibrated] = reads_of(Calibration(bias=-1.0, answer=0.5, span=0.1, temperature=2.0).probabilities(scores))
    assert plain.answers == pytest.approx(1 / (1 + np.exp(-2)))
    assert calibrated.answers == pytest.approx(1 / (1 + np.exp(-0.3)))
    assert plain.support[0] > calibrated.support[0] > calibrated.support[1] > calibrated.support[2]
    assert calibrated.span == (4, 9)
    assert calibrated.span_odds == 3.0


def test_what_was_trained_comes_back_from_its_file_up_to_a_hundredth_of_what_it_differs_by() -> None:
    base = encoder_here().parameters()
    name, bias = "encoder.layer.3.output.dense.weight", "encoder.layer.3.output.dense.bias"
    moved = {name: base[name] + 0.01 * torch.randn(base[name].shape), bias: base[bias] + 0.01}
    packed = reader_pack(moved, base=base, about={})

    back = reader_unpack(packed, base)
    for part, tensor in moved.items():
        assert float((back[part] - tensor).norm() / (tensor - base[part]).norm()) < 0.02
    assert len(packed) < 1.1 * base[name].numel()


def test_a_cross_encoder_of_a_folder_takes_the_place_of_the_answers_head(tmp_path: Path, settings: Settings) -> None:
    settings.READER = str(small_encoder(tmp_path / "cross", labels={0: "answers"}))
    assert reader_is_on()

    reads = reading(PAIRS)
    assert [0 < read.answers < 1 for read in reads] == [True] * 3
    assert sum(reads[0].support) == pytest.approx(1, abs=1e-5)

    (tmp_path / "empty").mkdir()
    settings.READER = str(tmp_path / "empty")
    with pytest.raises(WeightsWrong, match="holds no cross-encoder"):
        reading(PAIRS)
