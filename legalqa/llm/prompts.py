"""Prompts are files: `name.vN.md`, never changed once used; the hash of the file goes into the row of every call."""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from legalqa.llm.types import LLMRequest, Message, Role

_NAME = re.compile(r"(?P<name>[a-z0-9_-]+)\.v(?P<version>[1-9][0-9]*)\.md")
_SLOT = re.compile(r"\{\{ *([a-z_]+) *\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text of a prompt file; slots are written `{{ name }}`."""

    name: str
    version: int
    text: str
    sha256: str

    @property
    def label(self) -> str:
        """Its name in `LLMRequest.prompt` and in the ledger."""
        return f"{self.name}@{self.version}"

    def request(self, role: Role, *messages: Message, **settings: Any) -> LLMRequest:
        """The request to a model of a role with this prompt; `settings` are further fields of it."""
        return LLMRequest(role, messages, self.label, self.sha256, **settings)

    def render(self, **values: object) -> str:
        """The text with every slot filled, in one pass: text inside a value is never read as a slot.

        Raises:
            KeyError: a slot without a value.
            ValueError: a value without a slot.
        """
        slots = set(_SLOT.findall(self.text))
        if unknown := sorted(set(values) - slots):
            raise ValueError(f"The prompt {self.label} has no slot for {', '.join(unknown)}.")
        return _SLOT.sub(lambda match: str(values[match.group(1)]), self.text)


@lru_cache(maxsize=64)
def prompt_load(path: Path) -> Prompt:
    """The prompt in a file of a package, such as `Path(__file__).parent / "prompts" / "answer_cited.v1.md"`.

    Raises:
        ValueError: the file's name has no version.
        FileNotFoundError: there is no such file.
    """
    match = _NAME.fullmatch(path.name)
    if match is None:
        raise ValueError(f"A prompt file must be named name.vN.md, but this one is {path.name!r}.")
    content = path.read_bytes()
    return Prompt(
        match["name"], int(match["version"]), content.decode("utf-8").strip(), hashlib.sha256(content).hexdigest()
    )
