"""The row of difficult PDFs: each file taken in by the product, beside what its manifest expects."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from corpora.models import Corpus, DocumentVersion, Page, VersionState
from corpora.parsers.reasons import FileRefused
from judging.measures.intervals import bootstrap_mean
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.reproduce.intake import corpus_own, file_parts, file_take_in
from legalqa.reproduce.types import Context, Figure
from legalqa.training.collections.corpus import rows

SLUG = "bench-pdfs"
FOLDER = Path("pdfs")
SCAN, SCAN_PAGES = "scan_final_rule_4p.pdf", 4
RULE = Path("public_law/ll144/dcwp_final_rule.txt")
RECOVERED = frozenset({"partial", "pages_missing", "repaired"})


@dataclass(frozen=True, slots=True)
class FileIntake:
    """What became of a file: ready, or refused with a reason.

    Attributes:
        is_ready: Whether searches find it.
        reason: Why not, as a code; empty for a ready one.
        warnings: Codes of what its reading had to say, without their numbers.
        n_pages: Pages of a ready one.
        text: What was read.
        confidences: Confidence of each page that was recognised, 0 to 1.
    """

    is_ready: bool
    reason: str = ""
    warnings: frozenset[str] = frozenset()
    n_pages: int = 0
    text: str = ""
    confidences: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Expectation:
    """The manifest's sentence as conditions.

    Attributes:
        pages: Pages of the ready file; None where any number will do.
        notes: One of these must be among the warnings of a ready file; empty for none needed.
        reasons: Reasons for which it may be refused instead; running away (crashed, timeout, memory) is never one.
        is_ready_allowed: Whether being ready is among what is expected.
    """

    pages: int | None = None
    notes: frozenset[str] = frozenset()
    reasons: frozenset[str] = frozenset()
    is_ready_allowed: bool = True

    def fits(self, upload: FileIntake) -> bool:
        if not upload.is_ready:
            return upload.reason in self.reasons
        return (
            self.is_ready_allowed
            and self.pages in (None, upload.n_pages)
            and (not self.notes or not self.notes.isdisjoint(upload.warnings))
        )


def _refused(*reasons: str) -> Expectation:
    return Expectation(reasons=frozenset(reasons), is_ready_allowed=False)


def _read(pages: int, *notes: str, or_refused: tuple[str, ...] = ()) -> Expectation:
    return Expectation(pages, frozenset(notes), frozenset(or_refused))


# The manifest says it in sentences; here is each as conditions. Files with a password are asked for twice.
WANTED: Mapping[str, Expectation] = {
    "scan_final_rule_4p.pdf": _read(4, "recognised", or_refused=("no_text",)),
    "court_scan_2p.pdf": _read(2, "recognised", or_refused=("no_text",)),
    "images_only.pdf": _read(6, "recognised", or_refused=("no_text",)),
    "encrypted_user_password.pdf": _refused("password_needed"),
    "openpassword.pdf": _refused("password_needed"),
    "encrypted_owner_only.pdf": _read(4, "extraction_not_permitted"),
    "protected_empty.pdf": _refused("no_text"),
    "truncated_final_rule.pdf": Expectation(
        notes=frozenset({"partial", "pages_missing"}), reasons=frozenset({"damaged"})
    ),
    "bad_xref_final_rule.pdf": Expectation(10, RECOVERED, frozenset({"damaged"})),
    "empty.pdf": _refused("empty_file"),
    "html_named_pdf.pdf": _refused("not_a_pdf", "wrong_extension"),
    "fuzzed_395.pdf": Expectation(reasons=frozenset({"damaged", "no_text", "password_needed"})),
    "helloworld_bad.pdf": Expectation(1, RECOVERED, frozenset({"damaged"})),
    "xref_command_missing.pdf": Expectation(1, RECOVERED, frozenset({"damaged"})),
    "scotus_slip_opinion_2012.pdf": _read(30),
    "state_opinion_missouri.pdf": _read(5),
    "state_opinion_23p_wrong_mime.pdf": _read(23),
    "appeal_opinion_10p.pdf": _read(10),
    "minimal.pdf": _read(1),
    "multicolumn.pdf": _read(3),
    "with_attachment.pdf": _read(1, "attachment_ignored"),
    "arabic.pdf": _read(1),
}


def pdfs(context: Context) -> Mapping[str, Figure]:
    """Every file as its manifest expects, the words of a scan against the text it shows, the others' confidence."""
    organization, corpus = corpus_own(slug=SLUG, title="Benchmark of PDFs", name="PDFs", is_fresh=True)
    odd: list[str] = []
    scans: list[str] = []
    uploads: dict[str, FileIntake] = {}
    for row in rows(context.data / FOLDER, "manifest.jsonl"):
        name, file = row["file"], context.data / FOLDER / row["file"]
        context.note(name)
        scans += [name] * (row["kind"] == "image-only" and name != SCAN)
        uploads[name] = document_take(organization, corpus, file)
        fits = WANTED[name].fits(uploads[name])
        if fits and row["password"]:
            upload = document_take(organization, corpus, file, password=row["password"])
            fits = upload.is_ready and upload.n_pages == row["pages"]
        if not fits:
            odd.append(f"{name}: {uploads[name].reason or ', '.join(sorted(uploads[name].warnings)) or 'ready'}")
    scan = uploads[SCAN]
    rule = (context.data / RULE).read_text(encoding="utf-8").split("\f")[:SCAN_PAGES]
    others = [uploads[name] for name in scans if uploads[name].is_ready]
    confidences = [value for one in others for value in one.confidences]
    n_words = sum(len(_words(one.text)) for one in others)
    return {
        "expected": Figure.count(len(uploads) - len(odd), len(uploads), note="; ".join(odd)),
        "words_right": Figure(words_right(" ".join(rule), scan.text), len(_words(" ".join(rule)))),
        "words_found": Figure.of(
            bootstrap_mean(confidences, seed=context.seed),
            note=f"{n_words:,} words on {len(confidences)} pages; {len(others)} of {len(scans)} scans show words",
        ),
    }


def document_take(organization: Organization, corpus: Corpus, file: Path, *, password: str = "") -> FileIntake:
    """Upload a file and work on it to the end of its job."""
    try:
        intake = file_take_in(
            organization=organization,
            corpus=corpus,
            name=f"{file.stem}-opened{file.suffix}" if password else file.name,
            parts=file_parts(file),
            password=password,
        )
    except FileRefused as refusal:
        return FileIntake(is_ready=False, reason=refusal.code)
    with organization_scope(organization, user=None):
        version = DocumentVersion.objects.get(pk=intake.version_id)
        pages = Page.objects.filter(version=version).exclude(confidence=None).order_by("number")
        confidences = tuple(one for one in pages.values_list("confidence", flat=True) if one is not None)
    return FileIntake(
        is_ready=version.state == VersionState.READY,
        reason=version.reason,
        warnings=frozenset(warning.partition(":")[0] for warning in version.warnings),
        n_pages=version.n_pages,
        text=version.text,
        confidences=confidences,
    )


def words_right(expected: str, actual: str) -> float:
    """Share of words that agree, in order: twice the words in common over all words of both (difflib's ratio)."""
    return SequenceMatcher(None, _words(expected), _words(actual), autojunk=False).ratio()


def _words(text: str) -> list[str]:
    """Words without case and without the shapes of quotes: what a recognition can get right or wrong."""
    return re.findall(r"[^\W_]+", text.casefold())
