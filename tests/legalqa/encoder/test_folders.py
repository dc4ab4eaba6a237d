"""Encoders that an operator puts on the server: what a folder says of itself, and which folders are no encoder."""

import json
from pathlib import Path

import numpy as np
import pytest
from pytest_django import Settings
from tokenizers import Tokenizer

from legalqa.encoder.folders import FOLDER, FolderEncoder, folder_card, folder_cards, folder_tokenizer
from legalqa.encoder.weights import WeightsMissing, WeightsWrong
from tests.encoders import small_encoder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_encoder(tmp_path_factory.mktemp("encoders") / "small")


@pytest.fixture
def root(made: Path, tmp_path: Path, settings: Settings) -> Path:
    """A folder of folders with one encoder in it, of links so that a test may add files beside them."""
    (tmp_path / "small").mkdir()
    for file in made.iterdir():
        (tmp_path / "small" / file.name).symlink_to(file)
    settings.ENCODERS = str(tmp_path)
    return tmp_path


def said(root: Path, name: str, document: object) -> None:
    file = root / "small" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(document))


def test_a_folder_says_its_size_its_window_and_a_name_with_its_fingerprint(root: Path) -> None:
    card = folder_card("small")

    assert (card.title, card.dimensions, card.window_tokens) == ("small", 32, 510)
    assert card.name.startswith(f"{FOLDER}small+")
    assert len(card.name.partition("+")[2]) == 16
    assert card.n_bytes == sum(file.stat().st_size for file in (root / "small").iterdir())


def test_the_operators_own_card_overrides_what_the_files_say(root: Path) -> None:
    said(root, "config_sentence_transformers.json", {"prompts": {"query": "query: ", "passage": "passage: "}})
    said(root, "1_Pooling/config.json", {"pooling_mode_cls_token": True, "word_embedding_dimension": 32})
    plain = folder_card("small")
    said(root, "encoder.json", {"title": "Ours", "window": 66, "dimensions": 16, "cue_query": "", "licence": "MIT"})
    own = folder_card("small")

    assert (plain.cue_query, plain.cue_passage, plain.pooling) == ("query: ", "passage: ", "first token")
    assert (own.title, own.window_tokens, own.dimensions, own.licence) == ("Ours", 64, 16, "MIT")
    assert (own.cue_query, own.cue_passage) == ("", "passage: ")


def test_the_licence_is_read_from_the_head_of_the_model_card(root: Path) -> None:
    (root / "small" / "README.md").write_text("---\nlanguage: en\nlicense: apache-2.0\n---\n# Small\n")

    assert folder_card("small").licence == "apache-2.0"


def test_a_file_that_changes_makes_another_encoder_of_the_folder(root: Path) -> None:
    before = folder_card("small").name
    said(root, "encoder.json", {"title": "Changed"})

    assert folder_card("small").name != before
    with pytest.raises(WeightsMissing, match="holds another model by now"):
        FolderEncoder(before).encode(["The rent."])


@pytest.mark.parametrize("slug", ["nothing", "../small", "Small", ""])
def test_a_folder_that_is_not_there_or_points_elsewhere_is_missing(root: Path, slug: str) -> None:
    with pytest.raises(WeightsMissing, match="is not under LEGALQA_ENCODERS, or lacks a file"):
        folder_card(slug)


def test_a_card_that_is_no_json_is_refused_and_the_folder_left_out_of_the_list(root: Path) -> None:
    assert [card.slug for card in folder_cards()] == ["small"]
    (root / "small" / "encoder.json").write_text("{title: ")

    with pytest.raises(WeightsWrong, match=r"encoder\.json of the encoder 'small' is not JSON"):
        folder_card("small")
    assert folder_cards() == []


@pytest.mark.parametrize("dimensions", [33, -1])
def test_more_dimensions_than_there_are_or_none_are_refused(root: Path, dimensions: int) -> None:
    said(root, "encoder.json", {"dimensions": dimensions})

    with pytest.raises(WeightsWrong, match=f"has 32 dimensions, and encoder.json names {dimensions}"):
        folder_card("small")


def test_a_folder_that_does_not_say_its_size_is_refused(root: Path) -> None:
    (root / "small" / "config.json").unlink()
    said(root, "config.json", {"model_type": "bert"})

    with pytest.raises(WeightsWrong, match="does not say its size"):
        folder_card("small")


def test_without_a_root_there_are_no_folders(settings: Settings) -> None:
    settings.ENCODERS = ""

    assert folder_cards() == []


def test_texts_become_unit_vectors_of_the_dimensions_that_the_card_names(root: Path) -> None:
    said(root, "encoder.json", {"dimensions": 16})
    name = folder_card("small").name
    vectors = FolderEncoder(name).encode(["The rent is due.", "The roof leaks.", "The rent is due."])

    assert vectors.shape == (3, 16)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] == pytest.approx(vectors[2], abs=1e-5)
    assert FolderEncoder(name).encode([]).shape == (0, 16)


def test_its_tokenizer_cuts_nothing_off(root: Path) -> None:
    encoded = folder_tokenizer(folder_card("small").name).encode("word " * 900, add_special_tokens=False)

    assert len(encoded.ids) == 900


def test_a_folder_that_was_replaced_has_its_new_tokenizer(root: Path) -> None:
    file = root / "small" / "tokenizer.json"
    tokenizer = Tokenizer.from_file(str(file))
    assert folder_tokenizer(folder_card("small").name).token_to_id("lessee") is None
    file.unlink()  # a link to the file of other tests
    tokenizer.add_tokens(["lessee"])
    tokenizer.save(str(file))

    assert folder_tokenizer(folder_card("small").name).token_to_id("lessee") is not None
