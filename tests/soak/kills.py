"""Ingestion killed at every step in four ways, many times, in an order drawn by chance.

A kill takes a while to recover from, so one kill serves several runs: as many documents stand still at a step each when
the victim dies, each in an organisation of its own. Every one of them is compared with an undisturbed one afterwards.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic, sleep, time
from typing import Any

from legalqa.common.faults import HELD_MAX_S
from tests.faults.environment import Case, wait_until
from tests.soak.ledger import Ledger, Verdict
from tests.soak.product import Product, installed, verdict_of
from tests.soak.samples import CHUNK_TOKENS, POINTS, Sample, samples_write

VICTIMS = ("worker", "tree", "web", "database")
JITTER_S = 0.3  # the kill comes somewhat after the step was reached: here while it stands, or just behind it
TOGETHER = 6
PERSON_S = 120


class NotHeld(Exception):
    """On this busy machine the first had left its step before the last had come to its own: the kill proves nothing."""


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """A file, and what is stored of it where nothing is killed."""

    sample: Sample
    stored: dict[str, Any]
    n_jobs: int


def keys(runs: int, only: str) -> list[str]:
    """`step/victim/number` of every run, those whose key holds `only`."""
    found = [f"{point}/{victim}/{n}" for n in range(runs) for point in POINTS for victim in VICTIMS]
    return [key for key in found if only in key]


def groups(missing: Sequence[str], samples: Sequence[Sample], chance: random.Random) -> list[list[str]]:
    """Runs that one kill serves: of one victim and one file, drawn by chance, in an order drawn by chance."""
    found = []
    for victim in VICTIMS:
        for sample in samples:
            mine = [key for key in missing if key.split("/")[0] in sample.points and key.split("/")[1] == victim]
            chance.shuffle(mine)
            found += [mine[start : start + TOGETHER] for start in range(0, len(mine), TOGETHER)]
    chance.shuffle(found)
    return found


def kills_run(
    *, runs: int, seed: int, only: str, again: bool, is_over: Callable[[], bool], say: Callable[[str], None]
) -> None:
    """Do the runs that are not done yet, `again` also those that were not clean; the result is written after each."""
    ledger, wanted = Ledger("kills", seed=seed), keys(runs, only)
    missing = [key for key in wanted if key not in ledger.runs or (again and not ledger.was_clean(key))]
    chance = random.Random(seed + len(ledger.runs))
    sizes = {"points": len(POINTS), "victims": len(VICTIMS), "together": TOGETHER}
    if missing:
        with installed() as installation:
            product = Product(installation)
            undisturbed = [_undisturbed(product, sample) for sample in samples_write(installation.var.parent)]
            for group in groups(missing, [one.sample for one in undisturbed], chance):
                if is_over():
                    break
                [whole] = [one for one in undisturbed if group[0].split("/")[0] in one.sample.points]
                started = monotonic()
                try:
                    verdicts = _killed(product, group, chance.uniform(0, JITTER_S), whole)
                except NotHeld:
                    say(f"{', '.join(group)}: not all held at once, to be done again")
                    continue
                seconds = monotonic() - started
                for key, verdict in zip(group, verdicts, strict=True):
                    ledger.add(key, verdict, seconds=seconds / len(group))
                done = sum(key in ledger.runs for key in wanted)
                bad = [f"{key}: {v}" for key, v in zip(group, verdicts, strict=True) if not v.is_clean]
                say(f"{done}/{len(wanted)} {', '.join(group)}: {bad or 'ok'} {seconds:.1f} s")
                ledger.result_write(wanted, **sizes)
    ledger.result_write(wanted, **sizes)


def _undisturbed(product: Product, sample: Sample) -> Undisturbed:
    case = product.installation.driver.case(f"undisturbed-{sample.path.stem}", size_tokens=CHUNK_TOKENS)
    product.upload_until_taken(case, sample.path)
    jobs = product.wait_until_ended(case)
    assert {job["state"] for job in jobs} == {"done"}, f"{sample.path.name} is not taken in even undisturbed: {jobs}"
    return Undisturbed(sample, product.stored(case), len(jobs))


def _killed(product: Product, group: Sequence[str], delay: float, whole: Undisturbed) -> list[Verdict]:
    """The verdict of each run of a group, after one kill while a process stands at the step of each.

    Raises:
        NotHeld: they did not stand there together.
    """
    victim = group[0].split("/")[1]
    names = [key.replace("/", "-").replace(".", "-").replace("_", "-") for key in group]
    cases = [Case(**product.patient_order("setup", slug=name, size_tokens=CHUNK_TOKENS)) for name in names]
    path = whole.sample.path
    people = [Thread(target=product.upload_until_taken, args=(case, path), daemon=True) for case in cases]
    planned = [(key.split("/")[0], name) for key, name in zip(group, names, strict=True)]
    with product.all_held_at(planned) as markers:
        for person in people:
            person.start()
        try:
            wait_until(lambda: all(marker.exists() for marker in markers), f"{group} to be reached")
        except AssertionError as failed:
            return [Verdict(lost=1, notes=(str(failed),)) for _ in group]
        sleep(delay)
        product.kill(victim, held=[int(marker.read_text()) for marker in markers])
        were_held = _are_held(markers)
    if victim == "tree":
        product.start()
    verdicts = [_verdict(product, case, person, whole) for case, person in zip(cases, people, strict=True)]
    if not were_held and all(verdict.is_clean for verdict in verdicts):
        raise NotHeld
    return verdicts


def _are_held(markers: Sequence[Path]) -> bool:
    return min(marker.stat().st_mtime for marker in markers) > time() - HELD_MAX_S


def _verdict(product: Product, case: Case, person: Thread, whole: Undisturbed) -> Verdict:
    try:
        person.join(PERSON_S)
        jobs = product.wait_until_ended(case)
    except AssertionError as failed:
        jobs = product.patient_order("jobs", organization=case.organization)
        return Verdict(lost=1, notes=(str(failed), *map(str, jobs)))
    return verdict_of(whole.stored, product.stored(case), jobs, n_jobs=whole.n_jobs)
