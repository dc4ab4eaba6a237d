"""Which texts can be taken in: those that PostgreSQL can store, of files in UTF-8."""

import re

from legalqa.common.errors import ApplicationError

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # NUL, and half a surrogate pair


def text_read(data: bytes) -> str:
    """The text of a file that somebody sends, without a byte-order mark.

    Raises:
        ApplicationError: it is not UTF-8. Letters that were replaced here would be lost in what is stored.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ApplicationError("The file is not UTF-8 text. Save it as UTF-8.", code="not_utf8") from None
