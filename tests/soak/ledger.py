"""What a long test has done so far: one line a run, so that it goes on where it stopped, and a result for the table."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.environment import SOAK_FOLDER

KINDS = ("lost", "doubled", "half_published")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one run ended: what was accepted and is gone, what is there twice, what is visible but not whole."""

    lost: int = 0
    doubled: int = 0
    half_published: int = 0
    notes: tuple[str, ...] = field(default=())

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.half_published)


class Ledger:
    """The runs of one long test."""

    def __init__(self, name: str, *, seed: int, folder: Path = SOAK_FOLDER) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.name, self.seed, self._folder = name, seed, folder
        self._file = folder / f"{name}.runs.jsonl"
        self.runs: dict[str, dict[str, Any]] = {}
        self.first_bad: dict[str, dict[str, Any]] = {}  # runs that were not clean and were done again
        for line in self._file.read_text().splitlines() if self._file.exists() else []:
            try:
                run = json.loads(line)
            except ValueError:
                continue  # we were killed while it was written: that run is done again
            self._take(run)

    def _take(self, run: dict[str, Any]) -> None:
        if (before := self.runs.get(run["key"])) is not None and not _is_clean(before):
            self.first_bad[run["key"]] = before
        self.runs[run["key"]] = run

    def was_clean(self, key: str) -> bool:
        return _is_clean(self.runs[key])

    def add(self, key: str, verdict: Verdict, *, seconds: float) -> None:
        run = {"key": key, "seconds": round(seconds, 1), "at": _now(), **asdict(verdict)}
        self._take(run)
        with self._file.open("a") as handle:
            handle.write(json.dumps(run) + "\n")

    def result_write(self, wanted: list[str], **more: Any) -> dict[str, Any]:
        """The result so far, for `make results`; `planned` says of how many."""
        runs = [self.runs[key] for key in wanted if key in self.runs]
        total: Counter[str] = Counter()
        for run in runs:
            total.update({key: run[key] for key in KINDS})
        result = {
            "name": self.name,
            "runs": len(runs),
            "planned": len(wanted),
            **{key: total[key] for key in KINDS},
            "seconds": round(sum(run["seconds"] for run in runs)),
            "seed": self.seed,
            "date": _now(),
            "bad": [run for run in runs if not _is_clean(run)],
            "done_again": [self.first_bad[key] for key in wanted if key in self.first_bad],
            **more,
        }
        (self._folder / f"{self.name}.json").write_text(json.dumps(result, indent=1) + "\n")
        return result


def _is_clean(run: dict[str, Any]) -> bool:
    return not any(run[kind] for kind in KINDS)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
