"""Files of text that somebody brings."""

from pathlib import Path

from legalqa.common.errors import ApplicationError


def text_read(data: bytes, name: str = "the file") -> str:
    """The text of a file, without its byte-order mark; signs are never replaced by others.

    Raises:
        ApplicationError: it is not UTF-8; names file and line.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ApplicationError(
            f"Line {line} of {name} is not UTF-8 text. Save it as UTF-8.", code="not_utf8", extra={"line": line}
        ) from None


def file_at(path: str | Path) -> Path:
    """A file that a command names.

    Raises:
        ApplicationError: there is none.
    """
    file = Path(path)
    if not file.is_file():
        raise ApplicationError(f"There is no file {str(path)!r}. Check the path.", code="no_such_file")
    return file


def file_read(path: str | Path) -> str:
    """The text of a file that a command names; raises as `file_at` and `text_read`."""
    return text_read(file_at(path).read_bytes())
