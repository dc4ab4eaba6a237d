"""The names of files of watched folders: in the lists of a folder, and as documents.

The names of files are bytes, and those of old archives are often no UTF-8. Python keeps such bytes as surrogates, which
no database stores and no page shows.
"""

import hashlib
from collections.abc import Container
from pathlib import PurePosixPath
from uuid import UUID

from corpora.models import Document, WatchedFile, WatchedFolder
from corpora.services.uploads import document_name
from legalqa.common.errors import ApplicationError

MAX_WAY = 1000  # characters that a row keeps of the way to a file


def way_is_text(*, way: str) -> bool:
    """Whether a way can be written as UTF-8."""
    try:
        way.encode()
    except UnicodeEncodeError:
        return False
    return True


def way_check(*, way: str) -> None:
    """Refuse a way that cannot be kept as it is.

    Raises:
        ApplicationError: it is not UTF-8, or too long.
    """
    if not way_is_text(way=way):
        raise ApplicationError(
            "The name of the file or of its folder is not valid UTF-8. Rename it.", code="name_not_text"
        )
    if len(way) > MAX_WAY:
        raise ApplicationError(
            f"The path to the file has {len(way):,} characters, and the limit is {MAX_WAY:,}. Move the file, or shorten"
            " the names of its folders.",
            code="path_too_long",
        )


def way_shown(*, way: str, others: Container[str]) -> str:
    """The name that a folder lists a file by: its path, or one like it that can be stored and no other file has."""
    shown = _as_bytes(way).decode("utf-8", "replace")
    if len(shown) <= MAX_WAY and shown not in others:
        return shown
    mark = f"… ({_mark(way)})"
    return shown[: MAX_WAY - len(mark)] + mark


def watched_name(*, folder: WatchedFolder, name: str) -> str:
    """The name of the document that a file becomes: the way to it, so that files of one name stay apart.

    Different ways can still lead to one name, as with a dash in the name of a file or an accent that is written in two
    ways. The first file has it; the others get a mark, which stays theirs.
    """
    plain = _plain_name(name)
    of_that_name = Document.objects.filter(corpus=folder.corpus_id, name=plain)
    others = WatchedFile.objects.filter(folder=folder, document__in=of_that_name).exclude(name=name)
    if all(_plain_name(other) != plain for other in others.values_list("name", flat=True)):
        return plain
    path = PurePosixPath(name)
    return _plain_name(str(path.with_name(f"{path.stem} ({_mark(name)}){path.suffix}")))


def same_document(*, folder: WatchedFolder, name: str, document_id: UUID) -> Document | None:
    """The document with the content of a file, if the file has none of its own and files of watched folders keep it.

    One that a person uploaded stays theirs: it must not go when the file does.
    """
    own = WatchedFile.objects.filter(folder=folder, name=name, document__isnull=False, document__removed_at=None)
    if own.exists():
        return None
    document = Document.objects.filter(pk=document_id, removed_at=None).first()
    if document is None or document.name == watched_name(folder=folder, name=name):
        return document
    return document if WatchedFile.objects.filter(document=document).exists() else None


def _plain_name(name: str) -> str:
    return document_name(raw=" – ".join(PurePosixPath(name).parts))


def _mark(way: str) -> str:
    return hashlib.sha256(_as_bytes(way)).hexdigest()[:8]


def _as_bytes(way: str) -> bytes:
    return way.encode("utf-8", "surrogateescape")
