"""What a fault in a parser could reach: nothing, whether LegalQA runs as root or as an ordinary user."""

import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docx import Document

from corpora.parsers.confined import run_limited
from corpora.parsers.limits import Limits
from tests.corpora.parsers.builders import LAW, PDFS, Words, encrypted, make_pdf
from tests.corpora.parsers.processes import assert_without_rights

ROOT = Path(__file__).resolve().parents[3]
PARSERS = ROOT / "corpora" / "parsers"
USERS = (0, 1000) if os.geteuid() == 0 else (os.geteuid(),)
MARK = "Fees are due on the first day."

# The libraries are loaded first, as by the child: an ordinary user may be unable to read this machine's Python.
BECOME = f"""
import ctypes, json, os, sys
sys.path.insert(0, {str(ROOT)!r})
from corpora.parsers import child, dispatch, launch, rights
from corpora.parsers.dispatch import bytes_parse
from corpora.parsers.limits import Limits
def become(user):
    if user != os.geteuid():
        os.setgroups([]); os.setgid(user); os.setuid(user)
    launch.network_leave(ctypes.CDLL(None))
    rights.rights_drop()
"""


def said(code: str, *arguments: str, feed: bytes = b"") -> Any:
    """What a Python program writes as JSON."""
    command = [sys.executable, "-I", "-c", BECOME + code, *arguments]
    done = subprocess.run(command, input=feed, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.fixture(params=USERS)
def user(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_what_the_doctor_tries_is_impossible(user: int) -> None:
    assert said(f"become({user}); print(json.dumps(rights.rights_left()))") == []


def test_without_giving_up_rights_all_of_it_is_possible() -> None:
    assert len(said("print(json.dumps(rights.rights_left()))")) == 7


@pytest.mark.parametrize(
    "attempt",
    [
        "open({secret!r})",
        "open({secret!r}, 'w')",
        "os.listdir('/proc')",
        "os.open('/proc/self/mem', os.O_RDWR)",
        "os.remove({secret!r})",
        "os.chmod({secret!r}, 0o644)",
        "os.rename({secret!r}, {secret!r} + '.moved')",
        "os.execv('/bin/true', ['true'])",
        "os.fork()",
        "os.kill({parent}, 9)",
        "__import__('socket').socket()",
        "__import__('socket').socketpair()",
        "ctypes.CDLL(None, use_errno=True).ptrace(16, {parent}, 0, 0) and os.stat('/nowhere/at/all')",
    ],
)
def test_a_private_file_of_the_same_user_and_its_processes_are_out_of_reach(user: int, attempt: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder) / "secret_key"
        secret.write_text("of all organisations")
        secret.chmod(0o600)
        for path in (Path(folder), secret):
            os.chown(path, user, -1)
        parent = os.getpid()
        code = f"become({user})\ntry: {attempt.format(secret=str(secret), parent=parent)}\n"
        assert said(f"{code}except OSError as error: print(error.errno)") in {1, 2, 11, 13}
        assert secret.read_text() == "of all organisations"


def docx() -> bytes:
    out = io.BytesIO()
    document = Document()
    document.add_paragraph(MARK)
    document.save(out)
    return out.getvalue()


KINDS = {
    "a.pdf": make_pdf([[Words(72, 700, MARK)]]),
    "a.docx": docx(),
    "a.html": f"<p>{MARK}</p>".encode(),
    "a.md": MARK.encode(),
    "a.txt": MARK.encode("utf-16"),
    "a.jsonl": json.dumps({"id": "1", "text": MARK}).encode(),
    "a.eml": f"From: a@b.example\nSubject: Fees\nContent-Type: text/plain; charset=koi8-r\n\n{MARK}\n".encode(),
    "damaged.pdf": (PDFS / "bad_xref_final_rule.pdf").read_bytes(),
    "law.pdf": (LAW / "dcwp_final_rule.pdf").read_bytes(),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_file_is_read_without_rights(user: int, name: str) -> None:
    code = (
        "data = sys.stdin.buffer.read()\nchild.libraries_load(); dispatch.repair_load(sys.argv[1], data)\n"
        f"become({user})\nprint(json.dumps(bytes_parse(data, name=sys.argv[1], limits=Limits()).text))"
    )
    text = said(code, name, feed=KINDS[name])
    assert (MARK if name.startswith("a.") else "automated employment decision tool") in text


def test_through_the_launcher_no_network_is_left_either() -> None:
    code = "import socket; assert socket.if_nameindex() == [(1, 'lo')], socket.if_nameindex()"
    assert run_limited([sys.executable, "-I", "-S", "-c", code], Limits()).reason == ""


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "word " * 100_000)
    return out.getvalue()


PROGRAMS: dict[str, tuple[bytes, dict[str, Any]]] = {
    "members_child.py": (zipped(), {"kind": "zip", "most": 10, "bytes": 10_000_000}),
    "unlock.py": (encrypted((LAW / "dcwp_final_rule.pdf").read_bytes(), "horse"), {"password": "horse"}),
    "ocr_child.py": ((PDFS / "scan_final_rule_4p.pdf").read_bytes(), {"page": 1, "engine": "/usr/bin/tesseract"}),
}


@pytest.fixture
def answering(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[int]:
    """One of our programs that open strangers' files, while it waits for somebody to read its answer."""
    data, order = PROGRAMS[request.param]
    source = tmp_path / "source"
    source.write_bytes(data)
    out, answer = os.pipe()
    with source.open("rb") as handle:
        command = [sys.executable, "-I", str(PARSERS / request.param), str(handle.fileno()), str(answer)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=(handle.fileno(), answer), env={})
    os.close(answer)
    assert process.stdin is not None
    process.stdin.write(json.dumps(order).encode())
    process.stdin.close()
    try:
        assert os.read(out, 1)
        yield process.pid
    finally:
        process.kill()
        process.wait()
        os.close(out)


@pytest.mark.parametrize("answering", PROGRAMS, indirect=True)
def test_each_program_that_opens_files_has_given_up_its_rights(answering: int) -> None:
    assert_without_rights(answering)
