"""Rows that are tests: run here, or read from what the long runs of `make soak` left behind."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping

from django.conf import settings

from legalqa.reproduce.types import Context, Figure, NotRun

_COUNTS = re.compile(r"(\d+) (passed|failed|errors?|skipped)")


def soaked(context: Context) -> Mapping[str, Figure]:
    """The counts of a long run, as `make soak` wrote them.

    Raises:
        NotRun: there is no such file.
    """
    file = context.soak / f"{context.spec.soak}.json"
    if not file.is_file():
        raise NotRun("run `make soak` first")
    document = json.loads(file.read_text(encoding="utf-8"))
    note = f"run on {document['date'][:10]}, seed {document['seed']}"
    if n_again := len(document.get("done_again", ())):
        note += f", {n_again} done again that had not been clean"
    return {key: Figure(float(document[key]), note=note) for key in context.spec.figures if key in document}


def tested(context: Context) -> Mapping[str, Figure]:
    """How many of the row's tests pass, run in a process and a database of their own.

    Raises:
        NotRun: one of the tests' files is not there.
    """
    missing = [name for name in context.spec.tests if not (settings.BASE_DIR / name).exists()]
    if missing:
        raise NotRun(f"there is no {missing[0]}")
    environment = os.environ | {
        "LEGALQA_VAR": str(context.var / "results" / "tests"),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "--tb=no", *context.spec.tests],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    counts = {word.rstrip("s"): int(number) for number, word in _COUNTS.findall(process.stdout)}
    n = sum(counts.values())
    if not n:
        raise NotRun(f"no test was run; pytest ended with {process.returncode}")
    return {"passed": Figure.count(counts.get("passed", 0), n)}
