"""`make soak`: the long forms of the fault and schema tests, which resume where they were stopped, floods, a full disk.

Runs are noted in var/soak/*.runs.jsonl, results are in var/soak/*.json.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from tests.environment import ROOT, SOAK_FOLDER, SOAK_SEED
from tests.soak.copies import copies_run
from tests.soak.floods import floods_run
from tests.soak.kills import INGESTION, WORKS, kills_run
from tests.soak.ledger import Ledger, Verdict
from tests.soak.races import races_run

SCHEMA = Path(__file__).parent / "test_schema.py"
FULL_DISK = ROOT / "tests" / "faults" / "test_full_disk.py"
FULL_S = 60
PARTS = ("kills", "works", "races", "backup", "schema", "floods", "disk")


def main() -> int:
    options = _options()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell has made us ignore them: what runs is ended
        signal.signal(number, lambda *_: sys.exit(1))
    deadline = monotonic() + 60 * options.minutes

    def is_over() -> bool:
        return bool(monotonic() > deadline)

    if options.fresh:
        for file in SOAK_FOLDER.glob("*.runs.jsonl"):
            file.unlink()
    common: dict[str, Callable[..., None]] = {"races": races_run, "backup": copies_run}
    status = 0
    for part in options.parts or PARTS:
        if part in ("kills", "works"):
            kills_run(
                INGESTION if part == "kills" else WORKS,
                runs=options.runs,
                seed=options.seed,
                only=options.only,
                again=options.again,
                is_over=is_over,
                say=_say,
            )
        elif part == "floods":
            floods_run(only=options.only, is_over=is_over, say=_say)
        elif part == "schema":
            status |= _schema(options.cases)
        elif part == "disk":
            status |= _disk()
        else:
            common[part](runs=options.runs, seed=options.seed, is_over=is_over, say=_say)
    for result in sorted(SOAK_FOLDER.glob("*.json")):
        _say(f"{result.name}: {result.read_text()[:400]}")
    return status


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all of them without a name")
    parser.add_argument("--runs", type=int, default=5, help="runs of each step and victim, rounds of the others (5)")
    parser.add_argument("--cases", type=int, default=5000, help="cases of the schema test (5000)")
    parser.add_argument("--seed", type=int, default=20261121, help="order and moments of the kills")
    parser.add_argument("--only", default="", help="part of a key `step/victim/number`, or floods, with commas")
    parser.add_argument("--minutes", type=float, default=600.0, help="begin no run after this many minutes")
    parser.add_argument("--again", action="store_true", help="do the kills that were not clean once more")
    parser.add_argument("--fresh", action="store_true", help="forget the runs done so far")
    return parser.parse_args()


def _schema(cases: int) -> int:
    """Requests made up from the whole schema, in a pytest of its own; any fault fails it."""
    started = monotonic()
    SOAK_FOLDER.mkdir(parents=True, exist_ok=True)
    counts = SOAK_FOLDER / "schema.counts"
    counts.unlink(missing_ok=True)
    environment = os.environ | {"LEGALQA_SOAK_CASES": str(cases), "LEGALQA_SOAK_COUNTS": str(counts)}
    command = [sys.executable, "-m", "pytest", str(SCHEMA)]
    status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    ledger = Ledger("schema", seed=SOAK_SEED)
    failed = Verdict(lost=int(status != 0), notes=("a reply was a fault, or not as the schema says",) * (status != 0))
    ledger.add(f"{cases} cases", failed, seconds=monotonic() - started)
    found = json.loads(counts.read_text()) if counts.exists() else {"runs": 0}
    ledger.result_write([f"{cases} cases"], planned=cases, passed=status == 0, **found)
    counts.unlink(missing_ok=True)
    return status


def _disk() -> int:
    """A disk that is full for a minute, in a pytest of its own; nothing runs where no disk can be mounted."""
    SOAK_FOLDER.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"LEGALQA_SOAK_FULL_S": str(FULL_S)}
    command = [sys.executable, "-m", "pytest", str(FULL_DISK)]
    status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    found = {"full_s": FULL_S, "passed": status == 0, "status": status}
    (SOAK_FOLDER / "disk.json").write_text(json.dumps(found) + "\n")
    return status


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - a program for a terminal


if __name__ == "__main__":
    sys.exit(main())
