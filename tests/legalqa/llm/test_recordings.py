"""What was recorded is replayed: to equal requests one reply after the other, as they came."""

import json
from pathlib import Path

import pytest

from legalqa.llm import recordings
from legalqa.llm.recordings import Turns, reply_find, reply_keep
from legalqa.llm.wire import RawReply

NAME = "a" * 64


def said(text: str) -> RawReply:
    return RawReply(text, "stop", is_refusal=False, tokens=(20, 5), model="m-1")


def replayed(folder: Path) -> str:
    found = reply_find(folder, NAME, ())
    assert found is not None
    return found.text


def test_after_the_last_reply_the_first_comes_again(tmp_path: Path) -> None:
    for text in ("one", "two"):
        reply_keep(tmp_path, NAME, said(text), ())

    assert [replayed(tmp_path) for _ in range(5)] == ["one", "two", "one", "two", "one"]


def test_every_process_begins_with_the_first_reply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("one", "two"):
        reply_keep(tmp_path, NAME, said(text), ())
    replayed(tmp_path)

    monkeypatch.setattr(recordings, "TURNS", Turns())  # as another process has

    assert replayed(tmp_path) == "one"


def test_a_recording_from_before_there_were_numbers_answers_every_time(tmp_path: Path) -> None:
    old = {"text": "one", "finish": "stop", "is_refusal": False, "tokens": [20, 5], "model": "m-1"}
    (tmp_path / f"{NAME}.json").write_text(json.dumps(old))

    assert [replayed(tmp_path) for _ in range(3)] == ["one"] * 3


def test_what_is_recorded_later_comes_after_what_is_there(tmp_path: Path) -> None:
    for text in ("one", "two", "three"):
        reply_keep(tmp_path, NAME, said(text), ())

    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == [f"{NAME}.2.json", f"{NAME}.3.json", f"{NAME}.json"]
