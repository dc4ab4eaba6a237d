"""The text that is embedded before a chunk's own; the text that is shown and cited stays as it is."""

from collections.abc import Sequence

from corpora.configs import CONTEXTS
from legalqa.common.errors import ApplicationError

MAX_CHARS = 300  # ours: about 70 of the 256 tokens that the encoder reads


def context_check(*, context: str) -> str:
    """The setting of that name.

    Raises:
        ApplicationError: there is none.
    """
    if context not in CONTEXTS:
        raise ApplicationError(
            f"There is no context {context[:40]!r}. Choose one of: {', '.join(CONTEXTS)}.", code="context",
            extra={"setting": "context"},
        )  # fmt: skip
    return context


def context_line(*, title: str, path: Sequence[str]) -> str:
    """The document and the headings above a chunk, outermost first; outer ones give way where it would be too long.

    Source: PathLex 7, contextual embedding; by rules in the place of a model's words (ours).
    """
    parts = [" ".join(part.split()) for part in (title, *path)]
    parts = [part for place, part in enumerate(parts) if part and part not in parts[:place]]
    while len(parts) > 1 and len(" › ".join(parts)) > MAX_CHARS:
        del parts[1 if len(parts) > 2 else 0]
    return " › ".join(parts)[:MAX_CHARS]
