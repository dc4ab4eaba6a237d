"""Replies kept in files by the hash of their request: recorded once, replayed without a provider.

A recording holds the text of a reply, so the folder is as confidential as the documents asked about. It holds no key.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from legalqa.common.config import fingerprint_of
from legalqa.llm.types import Json
from legalqa.llm.wire import RawReply

_PLACE = "\u27e6{}\u27e7"


def request_hash(body: Json, volatile: Sequence[str] = ()) -> str:
    """The SHA-256 of what is asked, without strings that differ from run to run."""
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, default=str)
    for place, string in enumerate(volatile):
        text = text.replace(json.dumps(string, ensure_ascii=False)[1:-1], _PLACE.format(place))
    return fingerprint_of(text)


def reply_keep(folder: Path, name: str, reply: RawReply, volatile: Sequence[str]) -> None:
    """Write a reply down, whole or not at all."""
    text = reply.text
    for place, string in enumerate(volatile):
        text = text.replace(string, _PLACE.format(place))
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = folder / f".{name}.{os.getpid()}"
    draft.write_text(json.dumps(asdict(reply) | {"text": text}, ensure_ascii=False, indent=1), encoding="utf-8")
    draft.replace(folder / f"{name}.json")


def reply_find(folder: Path, name: str, volatile: Sequence[str]) -> RawReply | None:
    """The reply that was recorded for the hash; None where there is none."""
    try:
        held: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    text = held["text"]
    for place, string in enumerate(volatile):
        text = text.replace(_PLACE.format(place), string)
    tokens = (held["tokens"][0], held["tokens"][1]) if held["tokens"] else None
    return RawReply(text, held["finish"], is_refusal=held["is_refusal"], tokens=tokens, model=held["model"])
