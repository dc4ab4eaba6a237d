"""Each file of the collection does what its manifest expects, through the child process."""

import codecs
import json
import os
from pathlib import Path

import pytest

from corpora.parsers.limits import MEBIBYTE, Limits
from corpora.parsers.reasons import RETRYABLE, FileRefused
from corpora.parsers.sandbox import parse_file
from corpora.parsers.unlock import decrypt_pdf
from tests.corpora.parsers.builders import LAW, PDFS, Words, encrypted, make_pdf, with_attachment

MANIFEST = {
    row["file"]: row for row in map(json.loads, (PDFS / "manifest.jsonl").read_text(encoding="utf-8").splitlines())
}
READ = {
    "encrypted_owner_only.pdf": ("extraction_not_permitted",),
    "bad_xref_final_rule.pdf": ("repaired",),
    "scotus_slip_opinion_2012.pdf": ("pages_without_text:2",),
    "state_opinion_missouri.pdf": (),
    "state_opinion_23p_wrong_mime.pdf": (),
    "appeal_opinion_10p.pdf": (),
    "helloworld_bad.pdf": ("repaired",),
    "xref_command_missing.pdf": ("repaired",),
}
REFUSED = {
    "scan_final_rule_4p.pdf": "no_text",
    "court_scan_2p.pdf": "no_text",
    "protected_empty.pdf": "no_text",
    "encrypted_user_password.pdf": "password_needed",
    "truncated_final_rule.pdf": "damaged",
    "fuzzed_395.pdf": "damaged",
    "empty.pdf": "empty_file",
    "html_named_pdf.pdf": "not_a_pdf",
}


def test_every_file_of_the_collection_is_judged() -> None:
    assert READ.keys() | REFUSED.keys() == MANIFEST.keys()


@pytest.mark.parametrize("name", READ)
def test_a_readable_file_is_read_with_its_warnings(name: str) -> None:
    document = parse_file(PDFS / name, name=name)
    assert document.warnings == READ[name]
    assert len(document.pages) == (MANIFEST[name]["pages"] or 10)
    assert document.text.strip()


@pytest.mark.parametrize("name", REFUSED)
def test_an_unreadable_file_is_refused_with_its_reason(name: str) -> None:
    with pytest.raises(FileRefused) as caught:
        parse_file(PDFS / name, name=name)
    assert caught.value.code == REFUSED[name]
    assert caught.value.code not in RETRYABLE


def test_the_password_opens_an_encrypted_file_and_a_wrong_one_does_not(tmp_path: Path) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes((PDFS / "encrypted_user_password.pdf").read_bytes())
    with pytest.raises(FileRefused) as caught:
        decrypt_pdf(path, password="wrong-horse")
    assert caught.value.code == "wrong_password"
    decrypt_pdf(path, password="correct-horse")
    assert "automated employment decision tool" in parse_file(path, name=path.name).text


def test_the_password_leaves_no_trace(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes(encrypted(make_pdf([[Words(72, 700, "Fees are due.")]]), "tr0ub4dor-marker"))
    with pytest.raises(FileRefused) as caught:
        decrypt_pdf(path, password="tr0ub4dor-marker?")
    assert "tr0ub4dor" not in caplog.text + str(caught.value)


@pytest.mark.parametrize("start", [b"\x00A", b"A\x00", codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_a_locked_file_whose_random_bytes_look_like_utf_16_is_opened(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "locked.pdf"
    identifier = start + b"bcdefghijklmno"
    path.write_bytes(encrypted(make_pdf([[Words(72, 700, "Fees are due.")]]), "horse", identifier=identifier))
    decrypt_pdf(path, password="horse")
    assert "Fees are due." in parse_file(path, name=path.name).text


def test_a_file_repaired_says_the_same_as_the_file_itself() -> None:
    repaired = parse_file(PDFS / "bad_xref_final_rule.pdf", name="rule.pdf")
    whole = parse_file(LAW / "dcwp_final_rule.pdf", name="rule.pdf")
    assert (repaired.text, repaired.paragraphs) == (whole.text, whole.paragraphs)


def test_an_embedded_file_is_neither_run_nor_read(tmp_path: Path) -> None:
    path = tmp_path / "carrier.pdf"
    path.write_bytes(with_attachment(make_pdf([[Words(72, 700, "Fees are due.")]])))
    document = parse_file(path, name="carrier.pdf")
    assert document.warnings == ("attachment_ignored",)
    assert document.text == "Fees are due."


def test_a_file_over_the_size_limit_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"words " * 10)
    with pytest.raises(FileRefused, match="60 bytes"):
        parse_file(path, name="big.txt", limits=Limits(file_bytes=50))


def test_too_many_pages_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    path.write_bytes(make_pdf([[Words(72, 700, "Page")]] * 6))
    with pytest.raises(FileRefused) as caught:
        parse_file(path, name="long.pdf", limits=Limits(pages=5))
    assert caught.value.code == "too_many_pages"


def test_a_page_over_its_limit_is_cut_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "dense.pdf"
    path.write_bytes(make_pdf([[Words(72, 700 - 12 * row, "Some words of the law") for row in range(20)]]))
    document = parse_file(path, name="dense.pdf", limits=Limits(page_characters=100))
    assert document.warnings == ("truncated_page",)
    assert len(document.text) <= 100


def test_a_reader_without_memory_or_time_is_reported_as_such() -> None:
    path = LAW / "eu_ai_act_ep_corrigendum_2024-04-19.pdf"
    for limits, code in (
        (Limits(memory_bytes=60 * MEBIBYTE), {"memory", "crashed"}),
        (Limits(cpu_seconds=1), {"cpu"}),
        (Limits(wall_seconds=0.3), {"timeout"}),
    ):
        with pytest.raises(FileRefused) as caught:
            parse_file(path, name=path.name, limits=limits)
        assert caught.value.code in code
        assert (caught.value.code in RETRYABLE) == (code != {"cpu"}), "a second try would take as long"


def test_reading_stops_when_asked() -> None:
    with pytest.raises(FileRefused) as caught:
        parse_file(LAW / "dcwp_final_rule.pdf", name="rule.pdf", should_stop=lambda: True)
    assert caught.value.code == "cancelled"


def test_a_file_that_only_its_owner_may_open_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "private"
    folder.mkdir(mode=0o700)
    path = folder / "notes.txt"
    path.write_text("Fees are due.")
    os.chmod(path, 0o600)  # noqa: PTH101 - the mode is what the test is about
    assert parse_file(path, name="notes.txt").text == "Fees are due."


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # other processes leave files in the common folder
    parse_file(LAW / "int_1894-a_local_law_text.pdf", name="law.pdf")
    with pytest.raises(FileRefused):
        parse_file(PDFS / "fuzzed_395.pdf", name="fuzzed.pdf")
    assert list(tmp_path.iterdir()) == []
