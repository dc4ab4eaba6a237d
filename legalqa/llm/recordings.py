"""Replies stored in files by the hash of their request: recorded once, replayed without a provider.

Equal requests may have several replies, for example if a model was asked for samples. They are numbered 1, 2, 3, … and
a process replays them in that order, starting over after the last. The first has no number in its name.

A recording contains the text of a reply, so the folder is as confidential as the documents. It contains no key.
"""

import json
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import count, takewhile
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

from legalqa.common.config import fingerprint_of
from legalqa.llm.types import Json, Token
from legalqa.llm.wire import RawReply

_PLACE = "\u27e6{}\u27e7"


def request_hash(body: Json, volatile: Sequence[str] = (), *, sample: int = 0) -> str:
    """The SHA-256 of a request, without strings that differ from run to run; each later sample has its own hash."""
    text = json.dumps(body | ({"sample": sample} if sample else {}), ensure_ascii=False, sort_keys=True, default=str)
    for place, string in enumerate(volatile):
        text = text.replace(json.dumps(string, ensure_ascii=False)[1:-1], _PLACE.format(place))
    return fingerprint_of(text)


class Turns:
    """How often this process has replayed each request."""

    def __init__(self) -> None:
        self._lock, self._counts = Lock(), Counter[Path]()

    def next(self, first: Path) -> int:
        """0 for the first time, then 1, 2, …"""
        with self._lock:
            self._counts[first] += 1
            return self._counts[first] - 1


TURNS = Turns()


def reply_keep(folder: Path, name: str, reply: RawReply, volatile: Sequence[str]) -> None:
    """Write a reply to a file, completely or not at all, numbered after those to equal requests of any process."""
    text = reply.text
    for place, string in enumerate(volatile):
        text = text.replace(string, _PLACE.format(place))
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = folder / f".{name}.{uuid4().hex}"
    draft.write_text(json.dumps(asdict(reply) | {"text": text}, ensure_ascii=False, indent=1), encoding="utf-8")
    for number in count(1):
        with suppress(FileExistsError):  # another process has just taken this number
            os.link(draft, _file(folder, name, number))
            break
    draft.unlink()


def reply_find(folder: Path, name: str, volatile: Sequence[str]) -> RawReply | None:
    """The next reply recorded for the hash; None if there is none."""
    files = list(takewhile(Path.exists, (_file(folder, name, number) for number in count(1))))
    if not files:
        return None
    file = files[TURNS.next(files[0]) % len(files)]
    recording: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    text = recording["text"]
    for place, string in enumerate(volatile):
        text = text.replace(_PLACE.format(place), string)
    tokens = (recording["tokens"][0], recording["tokens"][1]) if recording["tokens"] else None
    tops = tuple(Token(word, tuple((each, odds) for each, odds in near)) for word, near in recording.get("tops", ()))
    scored = tuple((word, chance) for word, chance in recording.get("scored", ()))
    return RawReply(**recording | {"text": text, "tokens": tokens, "tops": tops, "scored": scored})


def _file(folder: Path, name: str, number: int) -> Path:
    return folder / (f"{name}.json" if number == 1 else f"{name}.{number}.json")
