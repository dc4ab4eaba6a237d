"""Opening an encrypted PDF for good: a child process writes it without its password, and that file takes its place.

The password goes over standard input, is used once and kept nowhere. Run as `python -I unlock.py SOURCE_FD ANSWER_FD`
under the same limits as reading.
"""

import io
import json
import os
import sys
import tempfile
from pathlib import Path

if __name__ == "__main__":  # isolated mode leaves the project off the path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from corpora.parsers.confined import run_limited
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import FileRefused

_EXIT_WRONG, _EXIT_DAMAGED = 3, 4
_REASONS = {_EXIT_WRONG: "wrong_password", _EXIT_DAMAGED: "damaged"}


def decrypt_pdf(path: Path, *, password: str) -> None:
    """Replace an encrypted PDF by the same document without encryption; a PDF that is open already stays as it is.

    Args:
        path: The stored file; it is replaced whole or not at all.
        password: The user's or the owner's.

    Raises:
        FileRefused: wrong_password, damaged, or what the limits say.
    """
    with path.open("rb") as source, tempfile.TemporaryDirectory(prefix="unlock-") as folder:
        opened = Path(folder) / "opened.pdf"
        with opened.open("wb") as answer:
            outcome = run_limited(
                [sys.executable, "-I", __file__, str(source.fileno()), str(answer.fileno())],
                Limits(),
                stdin=json.dumps({"password": password}).encode("ascii"),
                pass_fds=(source.fileno(), answer.fileno()),
            )
        if outcome.reason:
            raise FileRefused(_REASONS.get(outcome.returncode, outcome.reason))
        content = opened.read_bytes()
    if content:
        half = path.with_name(f"{path.name}.opened")
        half.touch(mode=0o600)
        half.write_bytes(content)
        half.replace(path)


def _unlocked(data: bytes, password: str) -> bytes:
    from pypdf import PasswordType, PdfReader, PdfWriter

    reader = PdfReader(io.BytesIO(data), strict=False)
    if not reader.is_encrypted:
        return b""
    if reader.decrypt(password) == PasswordType.NOT_DECRYPTED:
        raise FileRefused("wrong_password")
    out = io.BytesIO()
    PdfWriter(clone_from=reader).write(out)
    return out.getvalue()


def _main() -> int:
    from corpora.parsers.child import encodings_load
    from corpora.parsers.rights import rights_drop

    encodings_load()
    import_ahead()
    source, answer = int(sys.argv[1]), int(sys.argv[2])
    password = json.loads(sys.stdin.buffer.read())["password"]
    rights_drop()
    with os.fdopen(source, "rb") as file, os.fdopen(answer, "wb") as out:
        try:
            out.write(_unlocked(file.read(), password))
        except FileRefused:
            return _EXIT_WRONG
        except Exception:  # noqa: BLE001 - pypdf meets damaged files with many kinds of exception
            return _EXIT_DAMAGED
    return 0


def import_ahead() -> None:
    """Load what pypdf needs, while files of the installation can still be opened.

    It imports much of itself late, so a file of every kind of encryption is written and read once.
    """
    from pypdf import PdfReader, PdfWriter

    for algorithm in ("RC4-40", "RC4-128", "AES-128", "AES-256"):
        writer, rehearsal = PdfWriter(), io.BytesIO()
        writer.add_blank_page(width=1, height=1)
        writer.encrypt("rehearsal", algorithm=algorithm)
        writer.write(rehearsal)
        rehearsal.seek(0)
        opened = PdfReader(rehearsal, strict=False, password="rehearsal")  # noqa: S106 - as said
        PdfWriter(clone_from=opened).write(io.BytesIO())


if __name__ == "__main__":
    sys.exit(_main())
