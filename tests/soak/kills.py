"""Ingestion killed at every step in four ways, many times, in an order drawn by chance."""

import random
from collections.abc import Callable
from threading import Thread
from time import monotonic, sleep
from typing import Any

from legalqa.common.faults import CRASH_POINTS
from tests.faults.environment import Case, wait_until
from tests.soak.ledger import Ledger, Verdict
from tests.soak.product import Product, installed, verdict_of

VICTIMS = ("worker", "tree", "web", "database")
JITTER_S = 0.3  # the kill comes somewhat after the step was reached: here while it stands, or just behind it


def keys(runs: int, only: str) -> list[str]:
    """`step/victim/number` of every run, those whose key holds `only`."""
    found = [f"{point}/{victim}/{n}" for n in range(runs) for point in CRASH_POINTS for victim in VICTIMS]
    return [key for key in found if only in key]


def kills_run(*, runs: int, seed: int, only: str, is_over: Callable[[], bool], say: Callable[[str], None]) -> None:
    """Do the runs that are not done yet; the result is written after each."""
    ledger, wanted = Ledger("kills", seed=seed), keys(runs, only)
    missing = [key for key in wanted if key not in ledger.runs]
    chance = random.Random(seed + len(ledger.runs))
    chance.shuffle(missing)
    if missing:
        with installed() as installation:
            product = Product(installation)
            case = installation.driver.case("undisturbed")
            product.upload_until_taken(case)
            product.wait_until_ended(case)
            expected = product.stored(case)
            for key in missing:
                if is_over():
                    break
                started = monotonic()
                verdict = _one(product, key, chance.uniform(0, JITTER_S), expected)
                ledger.add(key, verdict, seconds=monotonic() - started)
                done = sum(key in ledger.runs for key in wanted)
                say(
                    f"{done}/{len(wanted)} {key}: {'ok' if verdict.is_clean else verdict} {monotonic() - started:.1f} s"
                )
                ledger.result_write(wanted, points=len(CRASH_POINTS), victims=len(VICTIMS))
    ledger.result_write(wanted, points=len(CRASH_POINTS), victims=len(VICTIMS))


def _one(product: Product, key: str, delay: float, expected: dict[str, Any]) -> Verdict:
    point, victim, _ = key.split("/")
    name = key.replace("/", "-").replace(".", "-").replace("_", "-")
    case = Case(**product.patient_order("setup", slug=name))
    with product.held_at(point, name) as marker:
        person = Thread(target=product.upload_until_taken, args=(case,), daemon=True)
        person.start()
        try:
            wait_until(marker.exists, f"{point} to be reached")
            sleep(delay)
            product.kill(victim, held=int(marker.read_text() or 0))
        except AssertionError as failed:
            return Verdict(lost=1, notes=(str(failed),))
    if victim == "tree":
        product.start()
    try:
        person.join(120)
        jobs = product.wait_until_ended(case)
    except AssertionError as failed:
        jobs = product.patient_order("jobs", organization=case.organization)
        return Verdict(lost=1, notes=(str(failed), *map(str, jobs)))
    return verdict_of(expected, product.stored(case), jobs)
