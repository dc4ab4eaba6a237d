"""The files in an archive or an e-mail, unpacked by a child process one after the other, and what it says, checked."""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from corpora.parsers.confined import run_limited
from corpora.parsers.limits import MEBIBYTE, Limits
from corpora.parsers.reasons import REASONS, FileRefused

MAX_MEMBERS = 1_000

_CHILD = Path(__file__).with_name("members_child.py")
_HEADERS_BYTES = 4 * MEBIBYTE
_MAX_HEADER = 4_096
_MAX_NAME = 1_000


@dataclass(frozen=True, slots=True)
class UnpackedMember:
    """A file as it lay in its container: `name` with its folders, and `reason` where its content is not given."""

    ordinal: int
    name: str
    content: bytes
    reason: str


@contextmanager
def members_unpack(
    path: Path, *, kind: str, limits: Limits, should_stop: Callable[[], bool] | None = None
) -> Iterator[Iterator[UnpackedMember]]:
    """Unpack a container in the child; the members are read from its answer one by one, in their order.

    Rule: names are data and become no paths. A member that cannot be given says why: it is encrypted, its name leads
    out of the archive or was there before, or it belongs to an operating system.

    Args:
        path: The container.
        kind: "zip" or "email".
        limits: Caps on what it unpacks to and on the work.
        should_stop: Asked while waiting; True stops the work with reason "cancelled".

    Raises:
        FileRefused: damaged, bomb, too_many_members, bad_output, or what the limits say.
    """
    limits = replace(limits, output_bytes=limits.unzipped_bytes + _HEADERS_BYTES)
    with path.open("rb") as source, tempfile.TemporaryFile(prefix="members-") as answer:
        outcome = run_limited(
            [sys.executable, "-I", str(_CHILD), str(source.fileno()), str(answer.fileno())],
            limits,
            stdin=json.dumps({"kind": kind, "most": MAX_MEMBERS, "bytes": limits.unzipped_bytes}).encode("ascii"),
            pass_fds=(source.fileno(), answer.fileno()),
            should_stop=should_stop,
        )
        if outcome.reason:
            raise FileRefused(outcome.reason)
        answer.seek(0)
        yield _members(answer)


def _members(answer: IO[bytes]) -> Iterator[UnpackedMember]:
    """Read header lines, each followed by as many bytes as it says.

    Raises:
        FileRefused: what the child refused, or bad_output.
    """
    for ordinal in range(MAX_MEMBERS + 1):
        line = answer.readline(_MAX_HEADER)
        try:
            row = json.loads(line)
            refused, done = row.get("refused", ""), row.get("done", False)
            name, size, reason = str(row.get("name", ""))[:_MAX_NAME], int(row.get("size", 0)), row.get("reason", "")
        except (ValueError, TypeError, AttributeError) as error:
            raise FileRefused("bad_output") from error
        if (refused or reason) and (refused or reason) not in REASONS:
            raise FileRefused("bad_output")
        if refused:
            raise FileRefused(refused)
        if done:
            return
        content = answer.read(size) if size > 0 else b""
        if len(content) != size:
            raise FileRefused("bad_output")
        yield UnpackedMember(ordinal, name.encode("utf-8", "replace").decode(), content, reason)
    raise FileRefused("too_many_members")
