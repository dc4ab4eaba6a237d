"""Measuring rows one by one: each is stored when it is done, so that a run that was stopped goes on where it was."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from time import perf_counter

from legalqa.common.errors import ApplicationError
from legalqa.reproduce.registry import ROWS
from legalqa.reproduce.types import Context, Expected, Measured, NotRun, RowSpec

REPOSITORY = Path(__file__).resolve().parents[2]


def row_measure(context: Context) -> Measured:
    """Run a row's function; what is missing is written down as the reason why it was not run."""
    started, reason = perf_counter(), ""
    figures = {}
    data, weights = versions(context.spec, context.data)
    try:
        figures = dict(ROWS[context.name](context))
    except NotRun as missing:
        reason = str(missing)
    return Measured(
        row=context.name,
        date=date.today().isoformat(),  # noqa: DTZ011 - the day on which somebody ran it, where they are
        seed=context.seed,
        data=data,
        weights=weights,
        seconds=round(perf_counter() - started, 1),
        figures=figures,
        reason=reason,
    )


def versions(spec: RowSpec, data: Path) -> tuple[dict[str, str], dict[str, str]]:
    """SHA-256 of every file that a row reads: of the data sets, and of the repository's own weights.

    Raises:
        ApplicationError: a file of the data sets is missing.
    """
    missing = [name for name in spec.reads if not (data / name).is_file()]
    if missing:
        raise ApplicationError(
            f"There is no {data / missing[0]}. Set LEGALQA_DATA to the folder of the data sets.", code="no_data"
        )
    weights = {name: _sha256(REPOSITORY / name) for name in spec.weights}
    return {name: _sha256(data / name) for name in spec.reads}, weights


def _sha256(file: Path) -> str:
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def is_current(measured: Measured | None, *, seed: int, spec: RowSpec, data: Path) -> bool:
    """Whether a stored row was measured with this seed, on these files and weights."""
    if measured is None or measured.reason or spec.soak:  # what a long run left may be newer than what we read
        return False
    return measured.seed == seed and (dict(measured.data), dict(measured.weights)) == versions(spec, data)


def stored(folder: Path, names: Iterable[str]) -> dict[str, Measured]:
    """The rows that are in the folder, by name."""
    files = {name: folder / f"{name}.json" for name in names}
    return {name: Measured.read(json.loads(file.read_text())) for name, file in files.items() if file.is_file()}


def store(folder: Path, measured: Measured) -> None:
    """Write a row beside its final name and rename it: a kill leaves the old one or the new one."""
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f".{measured.row}.json"
    fresh.write_text(json.dumps(measured.document(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(folder / f"{measured.row}.json")


def names_chosen(expected: Expected, only: Iterable[str]) -> list[str]:
    """The rows to measure, in the order of the file.

    Raises:
        ApplicationError: a name that no row has.
    """
    names = set(only)
    if unknown := sorted(names - set(expected.rows)):
        raise ApplicationError(
            f"There is no row {unknown[0]!r}; choose from: {', '.join(expected.rows)}.", code="unknown_row"
        )
    return [name for name in expected.rows if not names or name in names]


def data_version(measured: Measured) -> str:
    """One short name for all files that a row was measured on; a dash where it reads none."""
    files: Mapping[str, str] = {**measured.data, **measured.weights}
    if not files:
        return "–"
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:12]
