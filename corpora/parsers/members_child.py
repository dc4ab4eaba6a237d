"""The program that unpacks a container: `python -I members_child.py SOURCE_FD ANSWER_FD`, orders on standard input.

Started only by `members.py`, under limits that `launch.py` has set. It answers a line of JSON for each member, followed
by the member's bytes, and a last line that says that all are there.
"""

import json
import os
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

if __name__ == "__main__":  # isolated mode leaves the project off the path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread reserves address space, which is limited

from corpora.parsers.child import encodings_load
from corpora.parsers.mail import attachments, mail_open, rehearse
from corpora.parsers.reasons import FileRefused
from corpora.parsers.rights import rights_drop

_ENCRYPTED = 0x1
_PART_BYTES = 1 << 20
_MAX_HEADER_NAME = 800
_SYSTEM_FOLDERS = ("__MACOSX",)
_SYSTEM_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})

Member = tuple[str, Iterator[bytes], str]


def main() -> None:
    encodings_load()
    rehearse()
    order = json.loads(sys.stdin.buffer.read())
    source, answer = int(sys.argv[1]), int(sys.argv[2])
    rights_drop()
    with os.fdopen(source, "rb") as file, os.fdopen(answer, "wb") as out:
        try:
            if order["kind"] == "zip":
                members = zip_members(file, order["most"])
            else:
                members = ((name, iter((content,)), "") for name, content in attachments(mail_open(file.read())))
            write(out, members, most=order["most"], room=order["bytes"])
        except FileRefused as refused:
            out.write(_line({"refused": refused.code}))
        else:
            out.write(_line({"done": True}))


def write(out: BinaryIO, members: Iterator[Member], *, most: int, room: int) -> None:
    """Write the members; the sizes that an archive claims are not believed, what comes out of it is counted.

    Args:
        out: Where they are written.
        members: Of an archive, in its order.
        most: Members at most.
        room: Bytes at most, of all members together.

    Raises:
        FileRefused: too_many_members, bomb.
    """
    for count, (name, parts, reason) in enumerate(members, 1):
        if count > most:
            raise FileRefused("too_many_members")
        content, problem = _content(parts, room) if not reason else (b"", reason)
        room -= len(content)
        out.write(_line({"name": name[:_MAX_HEADER_NAME], "size": len(content), "reason": problem}))
        out.write(content)


def _content(parts: Iterator[bytes], room: int) -> tuple[bytes, str]:
    content = bytearray()
    try:
        for part in parts:
            content += part
            if len(content) > room:
                raise FileRefused("bomb")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError, zlib.error):
        return b"", "damaged"
    return bytes(content), ""


def zip_members(file: BinaryIO, most: int) -> Iterator[Member]:
    """At most `most` members of a ZIP in the order of its directory, folders left out.

    Raises:
        FileRefused: damaged, too_many_members.
    """
    try:
        archive = zipfile.ZipFile(file)
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, EOFError) as error:
        raise FileRefused("damaged") from error
    if len(entries) > most:
        raise FileRefused("too_many_members")
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename.replace("\\", "/")
        yield name, _unpacked(archive, entry), _refusal(entry, name, seen)
        seen.add(name.casefold())


def _refusal(entry: zipfile.ZipInfo, name: str, seen: set[str]) -> str:
    ways = name.split("/")
    if name.startswith("/") or ".." in ways or ":" in ways[0]:
        return "unsafe_path"
    if ways[0] in _SYSTEM_FOLDERS or ways[-1] in _SYSTEM_FILES:
        return "system_file"
    if name.casefold() in seen:
        return "same_name"
    return "member_encrypted" if entry.flag_bits & _ENCRYPTED else ""


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(entry) as content:
        while part := content.read(_PART_BYTES):
            yield part


def _line(row: dict[str, object]) -> bytes:
    return json.dumps(row, ensure_ascii=True).encode("ascii") + b"\n"


if __name__ == "__main__":
    main()
