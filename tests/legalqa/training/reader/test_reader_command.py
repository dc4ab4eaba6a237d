"""`manage.py reader`, over a handful of rows and two steps: what it writes, prints and refuses."""

import gzip
import hashlib
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from django.core.management import CommandError
from pytest_django import Settings
from safetensors.torch import load_file

from legalqa.encoder.client import _reader, encoder_here, reading
from legalqa.encoder.deltas import deltas_unpacked
from tests.commands import told
from tests.readers import random_reader

RULES = [
    ("The tenant", "pays the rent monthly"),
    ("The lender", "keeps the records"),
    ("The buyer", "inspects the goods"),
]


def question_rows() -> list[dict[str, Any]]:
    rows = []
    for at, (who, does) in enumerate(RULES * 2):
        passage = f"Section {at}. {who} {does}. Notices are in writing."
        answer = {"start": passage.index(who), "end": passage.index(who) + len(who), "text": who}
        of = {"title": f"Deed {at}", "source": ("squad", "cuad")[at % 2]}
        rows.append(
            {"id": f"y{at}", "question": f"Who {does}?", "passage": passage, "answerable": True, "answers": [answer]}
            | of
        )
        rows.append(
            {"id": f"n{at}", "question": "What is the fee?", "passage": passage, "answerable": False, "answers": []}
            | of
        )
    return rows


def claim_rows() -> list[dict[str, Any]]:
    labels = ("supported", "contradicted", "not_mentioned")
    claims = ("{} {}.", "{} never {}.", "{} sells shares. It is not that it {}.")
    return [
        {"id": f"{who} {label}", "claim": claim.format(who, does), "evidence": f"{who} {does} ({n}).", "label": label}
        for n in (1, 2)
        for who, does in RULES
        for claim, label in zip(claims, labels, strict=True)
    ]


def written(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_bytes(gzip.compress("\n".join(json.dumps(row) for row in rows).encode()))
    return file


said = partial(told, "reader")


def test_training_writes_a_reader_that_reads_and_a_manifest_of_data_recipe_figures_and_calibration(
    tmp_path: Path, settings: Settings
) -> None:
    settings.VAR = tmp_path
    questions, claims = (
        written(tmp_path / "questions.jsonl.gz", question_rows()),
        written(tmp_path / "claims.jsonl.gz", claim_rows()),
    )
    out = tmp_path / "own.safetensors"
    arguments = ["train", "--data", questions, claims, "--dev", questions, claims, "--out", out, "--batch", 4]

    said(*arguments, "--steps", 2)
    manifest = json.loads(out.with_suffix(".json").read_text())
    assert [(one["file"], one["rows"]) for one in manifest["training"]["data"]] == [
        ("questions.jsonl.gz", 12),
        ("claims.jsonl.gz", 18),
    ]
    assert manifest["training"]["steps"] == 2
    assert manifest["training"]["settings"]["seed"] == 144
    assert manifest["figures"]["questions"]["n"] == 12
    assert 0 < manifest["threshold"] < 1
    assert set(manifest["calibration"]) == {"bias", "answer", "span", "temperature"}

    settings.READER = str(out)
    _reader.cache_clear()
    [read] = reading([("Who pays the rent?", "The tenant pays the rent.")])
    assert 0 < read.answers < 1
    _reader.cache_clear()


def test_a_training_that_was_stopped_goes_on_from_its_checkpoint(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.VAR = tmp_path
    data = written(tmp_path / "claims.jsonl.gz", claim_rows())
    monkeypatch.setattr("legalqa.training.reader.making.SAVED_EVERY", 1)  # or a short training keeps none
    arguments = ["train", "--data", data, "--out", tmp_path / "one.safetensors", "--batch", 4, "--steps", 2]

    first = said(*arguments)
    assert "going on" not in capsys.readouterr().err
    again = said(*arguments)
    assert "resumed after step 2" in capsys.readouterr().err
    assert again["sha256"] == first["sha256"]


def test_dropout_leaves_parts_out_while_a_reader_learns_and_its_share_is_checked(
    tmp_path: Path, settings: Settings
) -> None:
    settings.VAR = tmp_path
    data = written(tmp_path / "claims.jsonl.gz", claim_rows())
    arguments = ["train", "--data", data, "--batch", 4, "--steps", 2]

    whole = said(*arguments, "--out", tmp_path / "whole.safetensors")
    parts = said(*arguments, "--dropout", 0.5, "--out", tmp_path / "parts.safetensors")
    assert parts["training"]["settings"]["dropout"] == 0.5
    assert parts["sha256"] != whole["sha256"]
    with pytest.raises(CommandError, match="--dropout"):
        said(*arguments, "--dropout", 1.5, "--out", tmp_path / "none.safetensors")


def test_a_reader_is_trained_further_from_the_weights_of_another(tmp_path: Path, settings: Settings) -> None:
    settings.VAR = tmp_path
    data = written(tmp_path / "claims.jsonl.gz", claim_rows())
    first = random_reader(tmp_path / "first.safetensors")
    arguments = ["train", "--data", data, "--start", first, "--batch", 4, "--steps", 1]
    still = ["--learning-rate", 1e-9, "--head-rate", 1e-9]

    further = said(*arguments, *still, "--out", tmp_path / "further.safetensors")
    assert further["training"]["start_sha256"] == hashlib.sha256(first.read_bytes()).hexdigest()
    figures = [said("evaluate", "--data", data, "--reader", file) for file in (first, Path(further["file"]))]
    assert figures[0]["macro_f1"] == figures[1]["macro_f1"], "hardly moved, it says what the first one says"

    with pytest.raises(CommandError, match="There is no file"):
        said("train", "--data", data, "--start", tmp_path / "none", "--out", tmp_path / "x.safetensors")


def test_evaluation_of_questions_says_accuracies_area_and_spans_by_source_beside_overlap_and_cosine(
    tmp_path: Path,
) -> None:
    reader = random_reader(tmp_path / "reader.safetensors")
    data = written(tmp_path / "questions.jsonl.gz", question_rows())

    figures = said("evaluate", "--data", data, "--reader", reader)
    for name in ("balanced_accuracy", "auc", "answerable_accuracy", "unanswerable_accuracy", "span_f1"):
        assert 0 <= figures[name] <= 1
    assert figures["n"] == 12
    assert figures["seconds"] > 0
    assert [(one["source"], one["n"]) for one in figures["by_source"]] == [("cuad", 6), ("squad", 6)]
    # The words of these questions are in the passages that answer them and nowhere else.
    assert figures["beside"]["word overlap"]["balanced_accuracy"] == 1.0
    assert figures["beside"]["cosine"]["balanced_accuracy_difference"]["low"] <= 0


def test_evaluation_of_claims_says_macro_f1_and_whether_supported_ones_are_told_from_others(tmp_path: Path) -> None:
    reader = random_reader(tmp_path / "reader.safetensors")
    data = written(tmp_path / "claims.jsonl.gz", claim_rows())

    figures = said("evaluate", "--data", data, "--reader", reader)
    assert figures["n"] == 18
    assert 0 <= figures["macro_f1"] <= 1
    assert 0 <= figures["balanced_accuracy"] <= 1
    assert set(figures["beside"]) == {"word overlap", "cosine", "claim alone"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"question": "Who?", "passage": "He."}', "Line 13 lacks 'answerable'"),
        ('{"claim": "He.", "evidence": "He.", "label": "true"}', "Line 13 is not a row of a reader"),
        ("no JSON", "Line 13 is not a row of a reader"),
        ('{"claim": "He.", "evidence": "He.", "label": "supported"}', "questions and claims"),
    ],
)
def test_a_wrong_line_ends_it_with_exit_code_2_and_its_number(tmp_path: Path, line: str, words: str) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text("\n".join([*map(json.dumps, question_rows()), line]))
    reader = random_reader(tmp_path / "reader.safetensors")
    with pytest.raises(CommandError, match=words) as refused:
        said("evaluate", "--data", data, "--reader", reader)
    assert refused.value.returncode == 2


def test_what_is_no_reader_or_no_setting_is_refused_with_exit_code_2(tmp_path: Path) -> None:
    data = written(tmp_path / "claims.jsonl.gz", claim_rows())
    (tmp_path / "other").write_bytes(b"no reader at all")
    for arguments, words in (
        (["evaluate", "--reader", tmp_path / "none"], "There is no reader at"),
        (["evaluate", "--reader", tmp_path / "other"], "This is not a reader"),
        (["train"], "Name the reader's file with --out"),
        (["train", "--out", tmp_path / "own.safetensors", "--batch", 1], "--batch: Input should be"),
        (["passages", "--out", tmp_path / "own.safetensors", "--start", tmp_path / "other"], "not a trained encoder"),
    ):
        with pytest.raises(CommandError, match=words) as refused:
            said(*arguments, "--data", data)
        assert refused.value.returncode == 2


def test_the_encoder_of_passages_is_trained_on_the_questions_and_measured_beside_the_packaged_one(
    tmp_path: Path, settings: Settings
) -> None:
    settings.VAR = tmp_path
    rows = [{**row, "source": "everyday_deeds", "title": "Deed"} for row in question_rows()]
    data, out = written(tmp_path / "rows.jsonl.gz", rows), tmp_path / "passages.safetensors"

    document = said("passages", "--data", data, "--dev", data, "--out", out, "--batch", 2, "--learning-rate", 0.001)

    assert document["training"]["pairs"] == 3  # one a question, however often it is asked of the same deed
    assert document["figures"]["trained"]["questions"] == 3
    assert set(document["figures"]["packaged"]) == {"questions", "at_1", "at_4", "at_16", "at_32"}
    base = encoder_here().parameters()
    tensors = deltas_unpacked(load_file(out), base=base)
    assert any(not torch.equal(tensor, base[name]) for name, tensor in tensors.items())
    assert not any(name.startswith("embeddings.word") for name in tensors)

    again = said("passages", "--data", data, "--dev", data, "--start", out, "--out", tmp_path / "further.safetensors")
    assert set(again["figures"]) == {"packaged", "start", "trained"}
    assert again["figures"]["start"] == document["figures"]["trained"]
    assert again["training"]["start_sha256"] == document["sha256"]
