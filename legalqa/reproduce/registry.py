"""Every row by name, with the function that measures it; the bars stand in `expected.yaml`."""

from legalqa.reproduce.rows import adaptive, asked, complexity, conflicts, encoder, machine, pdfs, rewriting, suites
from legalqa.reproduce.types import Row

ROWS: dict[str, Row] = {
    "ll144": asked.ll144,
    "policy_copilot": asked.policy_copilot,
    "obliqa": asked.obliqa,
    "obliqa_trained": asked.obliqa_trained,
    "contractnli": asked.contractnli,
    "calibration": asked.calibration,
    "adaptive": adaptive.adaptive,
    "complexity_three": complexity.complexity_three,
    "complexity_two": complexity.complexity_two,
    "encoder": encoder.encoder,
    "rewriting": rewriting.rewriting,
    "conflicts": conflicts.conflicts,
    "scale": machine.scale,
    "search": machine.search,
    "ingest": machine.ingest,
    "pdfs": pdfs.pdfs,
    "kills": suites.soaked,
    "works": suites.soaked,
    "schema": suites.soaked,
    "properties": suites.tested,
    "races": suites.soaked,
    "backup": suites.soaked,
}
