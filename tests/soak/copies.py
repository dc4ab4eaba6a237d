"""Backup of a product at work, wipe, restore: everything that had been taken in is there once and whole."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Any

from tests.faults.environment import Case, Installation
from tests.soak.ledger import Ledger, Verdict
from tests.soak.product import Product, installed, verdict_of


def copies_run(*, runs: int, seed: int, is_over: Callable[[], bool], say: Callable[[str], None]) -> None:
    """Do the rounds that are not done yet."""
    ledger, wanted = Ledger("backup", seed=seed), [f"round-{n}" for n in range(runs)]
    for key in (key for key in wanted if key not in ledger.runs):
        if is_over():
            break
        started = monotonic()
        with installed() as source, installed() as target:
            verdict = _round(source, target)
        ledger.add(key, verdict, seconds=monotonic() - started)
        say(f"backup {key}: {'ok' if verdict.is_clean else verdict}")
    ledger.result_write(wanted)


def _round(source: Installation, target: Installation) -> Verdict:
    product = Product(source)
    cases = [source.driver.case(f"kept-{n}") for n in range(2)]
    for case in cases:
        product.upload_until_taken(case)
        product.wait_until_ended(case)
    before = {case.organization: product.stored(case) for case in cases}
    archive = str(source.var.parent / "copy.tar")
    with _uploads(product, source.driver.case("at-work")):
        source.manage("backup", archive)
    source.manage("down", "--now")

    target.manage("restore", archive)

    verdicts = [_compared(target, case, before[case.organization]) for case in cases]
    return Verdict(
        sum(v.lost for v in verdicts),
        sum(v.doubled for v in verdicts),
        sum(v.half_published for v in verdicts),
        tuple(note for v in verdicts for note in v.notes),
    )


def _compared(target: Installation, case: Case, before: dict[str, Any]) -> Verdict:
    jobs = target.driver.order("jobs", organization=case.organization)
    return verdict_of(before, target.driver.order("snapshot", organization=case.organization), jobs)


@contextmanager
def _uploads(product: Product, case: Case) -> Iterator[None]:
    """Uploads go on in the background while the block runs."""
    is_over = Event()

    def go_on() -> None:
        while not is_over.is_set():
            product.upload(case)

    thread = Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
