"""A reader that learns from a larger one: who the teacher is, what its word counts, and trainings that were stopped."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from django.core.management import CommandError
from pytest_django import Settings

from legalqa.encoder.client import model_folder
from legalqa.encoder.reader import Scores, pairs_read
from legalqa.encoder.weights import WEIGHTS_SHA256
from legalqa.training.reader.finetuning import (
    RIVALS_READ,
    UNLABELLED,
    ReaderTuning,
    TaughtTraining,
    _order_loss,
    _targets,
)
from legalqa.training.reader.making import reader_trained
from legalqa.training.reader.mix import Example
from tests.encoders import small_mpnet
from tests.legalqa.training.reader.test_reader_command import claim_rows, question_rows, said, written

FEW = TaughtTraining(batch=4, steps=2, max_tokens=32)
ONE = Example("Who pays?", "The tenant pays.", is_claim=False, label=1, span=(0, 10))


def rows_file(folder: Path) -> Path:
    questions = [{**row, "source": "everyday_deeds", "title": "Deed"} for row in question_rows()]
    return written(folder / "rows.jsonl.gz", [*questions, *claim_rows()])


def scores(answers: Sequence[float]) -> Scores:
    n = len(answers)
    return Scores(torch.tensor(answers), torch.tensor([[2.0, 1.0, 0.0]] * n), torch.zeros(n, 1), torch.zeros(n, 1))


class Listener:
    """A teacher that finds everything equally likely, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[Example]] = []

    def scores_of(self, rows: Sequence[Example]) -> Scores:
        self.asked.append(list(rows))
        return scores([0.0] * len(rows))


def test_the_packaged_encoder_teaches_a_reader_and_the_manifest_says_who_taught_it(
    tmp_path: Path, settings: Settings
) -> None:
    settings.VAR = tmp_path
    arguments = ["train", "--data", rows_file(tmp_path), "--batch", 4, "--steps", 2, "--max-tokens", 32]

    alone = said(*arguments, "--out", tmp_path / "alone.safetensors")
    assert "teacher" not in alone["training"]
    taught = said(*arguments, "--teacher", model_folder(), "--out", tmp_path / "taught.safetensors")
    of_teacher = taught["training"]["teacher"]
    assert (of_teacher["folder"], of_teacher["sha256"]) == (model_folder().name, WEIGHTS_SHA256)
    assert of_teacher["steps"] == 2
    assert of_teacher["settings"] == alone["training"]["settings"] | {"learning_rate": 5e-5, "dropout": 0.1}
    assert taught["training"]["settings"]["teacher_rate"] == 5e-5
    assert taught["sha256"] != alone["sha256"]


@pytest.mark.parametrize("at", ["teacher, step 1 of 2", "step 1 of 2"])
def test_a_training_that_dies_under_an_mpnet_or_after_it_comes_to_the_same_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    monkeypatch.setattr("legalqa.training.reader.making.SAVED_EVERY", 1)  # or a short training keeps none
    files, teacher = [rows_file(tmp_path)], small_mpnet(tmp_path / "mpnet")

    def dies(words: str) -> None:
        if words.startswith(at):
            raise KeyboardInterrupt

    whole, about = reader_trained(files, FEW, work=tmp_path / "whole", teacher=teacher)
    with pytest.raises(KeyboardInterrupt):
        reader_trained(files, FEW, work=tmp_path / "work", teacher=teacher, note=dies)
    said_since: list[str] = []
    again, about_again = reader_trained(files, FEW, work=tmp_path / "work", teacher=teacher, note=said_since.append)

    assert said_since[0] == f"teacher, resumed after step {1 if at.startswith('teacher') else 2}"
    assert all(torch.equal(value, again[name]) for name, value in whole.items())
    for one in (about, about_again):
        assert one["teacher"]["steps"] == one["steps"] == 2


def test_a_teacher_without_types_of_tokens_looks_for_spans_in_the_second_text_alone(tmp_path: Path) -> None:
    teacher = ReaderTuning([ONE], FEW.of_teacher(), folder=small_mpnet(tmp_path / "mpnet"), data="")
    batch = pairs_read(teacher.tokenizer, [(ONE.first, ONE.second)], max_tokens=32)

    allowed = (teacher.scores_of([ONE]).start[0] > -1e3).tolist()
    assert batch.sides[0][:6] == [None, 0, 0, 0, None, None], "a mark, three words, two marks"
    assert allowed == [True] + [side == 1 for side in batch.sides[0][1:]]


def test_rivals_are_drawn_again_each_time_and_those_that_nobody_refused_have_the_teachers_word_alone() -> None:
    rivals = tuple(f"Clause {n} says something else." for n in range(8))
    asks = Example(ONE.first, ONE.second, is_claim=False, label=1, span=ONE.span, rivals=rivals)
    refused = Example(ONE.first, rivals[3], is_claim=False, label=0, span=(0, 0))
    listener: Any = Listener()
    tuning = ReaderTuning([asks, refused], FEW, folder=model_folder(), data="", teacher=listener)
    for epoch in range(8):
        tuning.loss(epoch, 0)

    heard = [row for rows in listener.asked for row in rows if row.second != ONE.second]
    assert all(len(rows) == RIVALS_READ + 2 for rows in listener.asked), "two examples, and the rivals of one"
    assert {row.second for row in heard} == set(rivals), "others each time"
    labels = {(row.second, row.label, row.span) for row in heard}
    assert labels == {(text, UNLABELLED, None) if text != rivals[3] else (text, 0, (0, 0)) for text in rivals}


def test_half_of_what_is_learned_is_the_label_and_half_the_teacher_and_without_a_label_all_of_it() -> None:
    unlabelled = Example(ONE.first, "The lender waits.", is_claim=False, label=UNLABELLED)
    claim = Example("It is so.", "It is.", is_claim=True, label=2)
    likely = torch.tensor([2.0, 1.0, 0.0]).softmax(0)

    answers, support = _targets([ONE, unlabelled, claim], scores([0.0, 2.0, 0.0]))
    assert answers[:2].tolist() == pytest.approx([0.5 + 0.25, torch.tensor(2.0).sigmoid().item()])
    assert support[2].tolist() == pytest.approx((0.5 * torch.tensor([0.0, 0.0, 1.0]) + 0.5 * likely).tolist())
    answers, support = _targets([ONE, claim], None)
    assert (answers[0].item(), support[1].tolist()) == (1.0, [0.0, 0.0, 1.0])


def test_the_order_of_a_list_is_learned_when_it_is_the_teachers_whatever_the_label() -> None:
    rows = [Example(ONE.first, ONE.second, is_claim=False, label=1, rivals=("a", "b")), ONE, ONE]

    def slope(by_teacher: Scores | None) -> Any:
        answers = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
        _order_loss(answers, rows, by_teacher).backward()
        return answers.grad

    assert slope(scores([5.0, 6.0, 7.0])).tolist() == pytest.approx([0, 0, 0], abs=1e-6)
    assert slope(None)[0] < 0 < slope(None)[2], "by the label the first is to rise"


def test_a_folder_that_holds_no_teacher_is_refused_in_a_sentence(tmp_path: Path, settings: Settings) -> None:
    settings.VAR = tmp_path
    data, out = written(tmp_path / "claims.jsonl.gz", claim_rows()), tmp_path / "x.safetensors"
    broken, unknown = small_mpnet(tmp_path / "broken"), small_mpnet(tmp_path / "unknown")
    (broken / "model.safetensors").write_bytes(b"no weights at all")
    (unknown / "config.json").write_text('{"model_type": "of a kind that nobody knows"}')
    short = small_mpnet(tmp_path / "short", max_position_embeddings=64)

    for teacher, more, words in (
        (tmp_path / "none", (), r"The encoder's folder .* has no config\.json"),
        (broken, (), "holds no encoder that reads 256 tokens"),
        (unknown, (), "holds no encoder that reads 256 tokens"),
        (short, (), "holds no encoder that reads 256 tokens"),
        (short, ("--teacher-rate", 2), "--teacher-rate: Input should be less than 1"),
        ("", ("--teacher-rate", 1e-4), "--teacher-rate goes with --teacher"),
    ):
        named = ["--teacher", teacher] if teacher else []
        with pytest.raises(CommandError, match=words) as refused:
            said("train", "--data", data, "--out", out, *named, *more)
        assert refused.value.returncode == 2


@pytest.mark.parametrize("asked", [("evaluate",), ("passages",), ("train", "--corpus", "leases")])
def test_a_teacher_is_refused_where_it_would_teach_nobody(asked: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"--teacher (goes|does not go) with") as refused:
        said(*asked, "--teacher", tmp_path)
    assert refused.value.returncode == 2
