"""Every row by name, with the function that measures it; the bars stand in `expected.yaml`."""

from judging.results import machine, pdfs, suites
from judging.results.types import Row

ROWS: dict[str, Row] = {
    "scale": machine.scale,
    "search": machine.search,
    "ingest": machine.ingest,
    "pdfs": pdfs.pdfs,
    "kills": suites.soaked,
    "schema": suites.soaked,
    "properties": suites.tested,
    "races": suites.soaked,
    "backup": suites.soaked,
}
