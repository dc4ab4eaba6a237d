"""What reading needs is imported before rights are given up: afterwards an installation in root's home is closed."""

import io
import subprocess
import sys
from pathlib import Path

import docx
import pytest

ROOT = Path(__file__).resolve().parents[3]
LAW = ROOT / "corpora" / "demo_data" / "int_1894-a_local_law_text.pdf"
READING = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from corpora.parsers import child
name, data = Path(sys.argv[2]).name, Path(sys.argv[2]).read_bytes()
child.libraries_load()
from corpora.parsers.dispatch import bytes_parse, repair_load
repair_load(name, data)
from corpora.parsers.limits import Limits
from corpora.parsers.wire import document_dump
before = set(sys.modules)
text = "".join(document_dump(bytes_parse(data, name=name, limits=Limits())))
assert "notice" in text.lower()
print(*sorted(set(sys.modules) - before))
"""


def contract() -> bytes:
    written = docx.Document()
    written.add_heading("Notice", level=1)
    written.add_paragraph("The employer shall give notice of ten business days.")
    written.add_table(rows=1, cols=2).rows[0].cells[0].text = "Notice"
    out = io.BytesIO()
    written.save(out)
    return out.getvalue()


HTML = "<html><h1>Notice</h1><p>Ten business days’ notice.</p><table><tr><td>1</td></tr></table>"
FILES = {
    "law.pdf": LAW.read_bytes(),
    "contract.docx": contract(),
    "page.html": HTML.encode(),
    "page.md": b"# Notice\n\nTen *business* days.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "note.txt": "1. Notice of ten days.\n\n2. Café".encode("cp1252"),
    "letter.eml": b"From: a@firm.example\nSubject: =?utf-8?q?Notice?=\nContent-Type: text/plain\n\nTen days.\n",
}


@pytest.mark.parametrize("name", FILES)
def test_reading_imports_nothing_more(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(FILES[name])
    arguments = [sys.executable, "-I", "-c", READING, str(ROOT), str(file)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stderr
