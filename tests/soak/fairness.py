"""How long a small file of one organisation waits while another one's large files fill the queue."""

import random
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from legalqa.jobs.processes import pss_mb
from tests.faults.environment import Case
from tests.soak.product import SETTINGS, Product, installed

WORDS = ("the", "tenant", "landlord", "shall", "may", "not", "rent", "notice", "premises", "clause", "days", "party")
NOTE = b"The tenant pays it.\n"
LOOK_S = 0.2
GIVEN_UP_S = 600.0


def fairness_measure(*, n_texts: int = 12, megabytes: int = 16, notes: int = 3) -> dict[str, Any]:
    """Fill the queue for one organisation, then upload notes of 20 bytes for another, one after the other.

    One worker, the default limits. Returns the seconds from each note's upload until it is ready, the seconds that the
    same takes before the flood, the jobs of the flood that were open meanwhile, and the memory of all processes in MB.
    """
    with installed(**SETTINGS | {"LEGALQA_WORKERS": "1", "LEGALQA_JOB_LEASE_S": "60"}) as installation:
        product = Product(installation)
        large, small = installation.driver.case("large"), installation.driver.case("small")
        quiet = _ready_after(product, small, _file(installation.var, "quiet.txt", b"It is quiet.\n"))
        for number in range(n_texts):
            text = _text(megabytes << 20, seed=number)
            assert product.upload(large, _file(installation.var, f"large {number}.txt", text)) == 202
        sleep(5)  # the worker is inside the first one
        waited = []
        for number in range(notes):
            note = NOTE.replace(b"it", b"no. %d" % number)
            waited.append(_ready_after(product, small, _file(installation.var, f"note {number}.txt", note)))
        jobs = product.patient_order("jobs", organization=large.organization)
        memory = pss_mb([product.supervisor, *product.processes(), *product.postgres()])
    n_open = sum(job["state"] in ("queued", "running") for job in jobs)
    return {"quiet_s": quiet, "ready_s": waited, "open_meanwhile": n_open, "memory_mb": round(memory)}


def _ready_after(product: Product, case: Case, file: Path) -> float:
    started = monotonic()
    assert product.upload(case, file) == 202
    while _state(product, case, file.name) not in ("ready", "refused"):
        assert monotonic() - started < GIVEN_UP_S, f"{file.name} was not ready after {GIVEN_UP_S} s"
        sleep(LOOK_S)
    return round(monotonic() - started, 1)


def _state(product: Product, case: Case, name: str) -> str:
    documents = product.api(case, "GET", f"corpora/{case.corpus}/documents/")["results"]
    return next(str(document["state"]) for document in documents if document["name"] == name)


def _text(size: int, *, seed: int) -> bytes:
    words = random.Random(seed)
    paragraphs: list[str] = []
    length = 0
    while length < size:
        paragraphs.append(f"{len(paragraphs) + 1}. {' '.join(words.choices(WORDS, k=90))}.\n\n")
        length += len(paragraphs[-1])
    return "".join(paragraphs).encode()[:size]


def _file(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{fairness_measure()}\n")
