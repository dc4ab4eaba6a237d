"""What a long test has done so far: one line a run, so that it goes on where it stopped, and a result for the table."""

import json
import os
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("LEGALQA_SOAK", ROOT / "var" / "soak"))


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

    def __init__(self, name: str, *, seed: int) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.name, self.seed = name, seed
        self._file = FOLDER / f"{name}.runs.jsonl"
        self.runs: dict[str, dict[str, Any]] = {}
        for line in self._file.read_text().splitlines() if self._file.exists() else []:
            try:
                run = json.loads(line)
            except ValueError:
                continue  # we were killed while it was written: that run is done again
            self.runs[run["key"]] = run

    def add(self, key: str, verdict: Verdict, *, seconds: float) -> None:
        run = {"key": key, "seconds": round(seconds, 1), "at": _now(), **asdict(verdict)}
        self.runs[key] = run
        with self._file.open("a") as handle:
            handle.write(json.dumps(run) + "\n")

    def result_write(self, wanted: list[str], **more: Any) -> dict[str, Any]:
        """The result so far, for `make results`; `planned` says of how many."""
        runs = [self.runs[key] for key in wanted if key in self.runs]
        total: Counter[str] = Counter()
        for run in runs:
            total.update({key: run[key] for key in ("lost", "doubled", "half_published")})
        result = {
            "name": self.name,
            "runs": len(runs),
            "planned": len(wanted),
            **{key: total[key] for key in ("lost", "doubled", "half_published")},
            "seconds": round(sum(run["seconds"] for run in runs)),
            "seed": self.seed,
            "date": _now(),
            "bad": [run for run in runs if run["lost"] or run["doubled"] or run["half_published"]],
            **more,
        }
        (FOLDER / f"{self.name}.json").write_text(json.dumps(result, indent=1) + "\n")
        return result


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
