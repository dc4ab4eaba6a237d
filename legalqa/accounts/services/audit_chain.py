"""The audit log as a chain: verifying and exporting it.

Every row holds the digest of the previous row and a digest over its own fields. A row that is changed, removed or
inserted breaks the chain there. If everything is rewritten from some row on, or the end is cut off, the chain is still
intact; an export on another machine reveals that too, because its last digest must still be in the chain.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from legalqa.accounts.models import Organization
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import json_read
from legalqa.common.text_files import file_at

START = "0" * 64
FIELDS = (
    "organization_id",
    "sequence",
    "id",
    "at",
    "actor_id",
    "action",
    "subject_id",
    "details",
    "source",
    "address",
    "previous",
)
# `event.sequence` is the number; `sequence` alone would be its text, which sorts 10 before 2.
# As text, exactly as the database digested them. `details` is jsonb, whose text is always the same.
_QUERY = """
    SELECT organization_id::text, sequence::text, id::text,
        to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        actor_id::text, action, subject_id::text, details::text, source, address, previous, digest
    FROM accounts_auditevent event WHERE organization_id = %s AND event.sequence > %s
    ORDER BY event.sequence, event.id LIMIT %s
"""
_ROWS_A_FETCH = 5_000


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A row as text: its fields in the order of FIELDS, and its stored digest."""

    fields: tuple[str | None, ...]
    digest: str

    @property
    def sequence(self) -> int:
        return int(self.fields[1] or 0)

    @property
    def previous(self) -> str:
        return self.fields[-1] or ""

    def document(self) -> dict[str, str | None]:
        return {**dict(zip(FIELDS, self.fields, strict=True)), "digest": self.digest}


@dataclass(frozen=True, slots=True)
class Break:
    """The first place where the chain is broken, in a sentence."""

    sequence: int
    why: str


@dataclass(frozen=True, slots=True)
class ChainReport:
    """The result of verifying one organisation's chain; `head` is the digest of its last row."""

    organization: str
    n_rows: int
    head: str
    broken: Break | None

    def document(self) -> dict[str, Any]:
        fault = {"sequence": self.broken.sequence, "why": self.broken.why} if self.broken else None
        return {
            "organization": self.organization,
            "rows": self.n_rows,
            "head": self.head,
            "ok": fault is None,
            "broken": fault,
        }


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The length of the chain and its last digest when an export was made."""

    organization_id: UUID
    sequence: int
    head: str


def row_digest(*, fields: Sequence[str | None]) -> str:
    """SHA-256, as 64 hex digits, over the fields, each preceded by its length in bytes; `-` for none.

    The lengths keep two different rows from having the same text.
    """
    parts = ("-" if field is None else f"{len(field.encode())}:{field}" for field in fields)
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def audit_verify(*, organization: Organization, against: Checkpoint | None = None) -> ChainReport:
    """Verify the chain of an organisation by recomputing every digest; inside its scope.

    Args:
        against: The end of an earlier export, which must still be in the chain.
    """
    n_rows, head, fault, seen = 0, START, None, against is None or against.sequence == 0
    for row in chain_rows(organization=organization):
        fault = _break(row, n_rows, head)
        if fault is None and against is not None and row.sequence == against.sequence:
            seen = True
            if row.digest != against.head:
                fault = Break(row.sequence, f"Row {row.sequence} is not the last row of the export.")
        if fault is not None:
            break
        n_rows, head = n_rows + 1, row.digest
    if fault is None and not seen and against is not None:
        why = f"The chain ends at row {n_rows}, but the export ends at row {against.sequence}: rows were cut off."
        fault = Break(n_rows, why)
    return ChainReport(organization.slug, n_rows, head, fault)


def _break(row: ChainRow, n_before: int, head: str) -> Break | None:
    if row.sequence != n_before + 1:
        why = f"Row {n_before + 1} is missing: row {row.sequence} follows row {n_before}."
        if row.sequence <= n_before:
            why = f"There are two rows {row.sequence}."
        return Break(n_before + 1, why)
    if row.previous != head:
        return Break(row.sequence, f"Row {row.sequence} does not match the row before it.")
    if row.digest != row_digest(fields=row.fields):
        return Break(row.sequence, f"Row {row.sequence} was changed after it was written.")
    return None


def chain_rows(*, organization: Organization) -> Iterator[ChainRow]:
    """All rows in order, read in batches."""
    after = -1
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_QUERY, [organization.pk, after, _ROWS_A_FETCH])
            rows = cursor.fetchall()
        yield from (ChainRow(tuple(row[:-1]), row[-1]) for row in rows)
        if len(rows) < _ROWS_A_FETCH:
            return
        after = int(rows[-1][1])


def audit_export(*, organization: Organization) -> Iterator[str]:
    """The log as JSON lines, inside the organisation: one per row, and at the end the last digest of the chain.

    The fields are the texts that were digested, so that anybody can verify the file without LegalQA.
    """
    n_rows, head = 0, START
    for row in chain_rows(organization=organization):
        n_rows, head = row.sequence, row.digest
        yield json.dumps({"type": "event", **row.document()}, ensure_ascii=False)
    end = {"type": "head", "organization_id": str(organization.pk), "slug": organization.slug}
    yield json.dumps({**end, "sequence": n_rows, "head": head})


def checkpoint_read(*, path: str) -> Checkpoint:
    """The end of an export.

    Raises:
        ApplicationError: there is no such file, it is not an export, or it was changed after it was written.
    """
    file = file_at(path)
    lines = file.read_text(encoding="utf-8", errors="replace").rstrip("\n").split("\n")
    try:
        end = json_read(lines[-1])
        checkpoint = Checkpoint(UUID(end["organization_id"]), int(end["sequence"]), str(end["head"]))
        fault = export_check(lines=lines)
    except (ValueError, KeyError, TypeError):
        raise ApplicationError(
            f"{file.name} does not end with the head of a chain. Give a file written by `manage.py audit export`.",
            code="no_export",
        ) from None
    if fault:
        raise ApplicationError(
            f"{file.name} was changed after it was written, at row {fault.sequence}. {fault.why}", code="changed_export"
        )
    return checkpoint


def export_check(*, lines: Iterable[str]) -> Break | None:
    """The first broken place of an export, found without the database; None if it is intact."""
    n_rows, head = 0, START
    for line in lines:
        entry = json_read(line)
        if entry["type"] == "head":
            is_end = (entry["sequence"], entry["head"]) == (n_rows, head)
            return None if is_end else Break(n_rows, "The file does not end where its chain ended.")
        row = ChainRow(tuple(entry[name] for name in FIELDS), entry["digest"])
        if fault := _break(row, n_rows, head):
            return fault
        n_rows, head = n_rows + 1, row.digest
    return Break(n_rows, "The file was cut off: its last line is missing.")
