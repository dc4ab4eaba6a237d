"""The product's work killed at every step in four ways, many times, in an order drawn by chance.

A kill takes a while to recover from, so one kill serves several runs: as many documents, or trainings, stand still at a
step each when the victim dies, each in an organisation of its own. Every one of them is compared with an undisturbed
one afterwards.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic, sleep, time
from typing import Any

from legalqa.common.faults import HELD_MAX_S
from tests.faults.environment import Case, Installation, wait_until
from tests.soak.ledger import Ledger, Verdict
from tests.soak.product import Product, installed, verdict_of
from tests.soak.samples import CHUNK_TOKENS, POINTS, samples_write
from tests.soak.subjects import Subject
from tests.soak.works import WORK_POINTS, works_made

VICTIMS = ("worker", "tree", "web", "database")
JITTER_S = 0.3  # the kill comes somewhat after the step was reached: here while it stands, or just behind it
PERSON_S = 120


class NotHeld(Exception):
    """On this busy machine the first had left its step before the last had come to its own: the kill proves nothing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is killed: the name under which its runs are kept, its steps, and what makes its subjects."""

    name: str
    points: tuple[str, ...]
    subjects: Callable[[Installation], Sequence[Subject]]


INGESTION = Plan("kills", POINTS, lambda installation: samples_write(installation.var.parent))
WORKS = Plan("works", WORK_POINTS, works_made)


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """Some work, and what is stored of it where nothing is killed."""

    subject: Subject
    stored: dict[str, Any]
    n_jobs: int


def keys(points: Sequence[str], runs: int, only: str) -> list[str]:
    """`step/victim/number` of every run, those whose key holds `only`."""
    found = [f"{point}/{victim}/{n}" for n in range(runs) for point in points for victim in VICTIMS]
    return [key for key in found if only in key]


def groups(missing: Sequence[str], subjects: Sequence[Subject], chance: random.Random) -> list[list[str]]:
    """Runs that one kill serves: of one victim and one subject, drawn by chance, in an order drawn by chance."""
    found = []
    for victim in VICTIMS:
        for subject in subjects:
            mine = [key for key in missing if key.split("/")[0] in subject.points and key.split("/")[1] == victim]
            chance.shuffle(mine)
            found += [mine[start : start + subject.together] for start in range(0, len(mine), subject.together)]
    chance.shuffle(found)
    return found


def kills_run(
    plan: Plan, *, runs: int, seed: int, only: str, again: bool, is_over: Callable[[], bool], say: Callable[[str], None]
) -> None:
    """Do the runs that are not done yet, `again` also those that were not clean; the result is written after each."""
    ledger, wanted = Ledger(plan.name, seed=seed), keys(plan.points, runs, only)
    missing = [key for key in wanted if key not in ledger.runs or (again and not ledger.was_clean(key))]
    chance = random.Random(seed + len(ledger.runs))
    sizes = {"points": len(plan.points), "victims": len(VICTIMS)}
    if missing:
        with installed() as installation:
            subjects = [
                subject
                for subject in plan.subjects(installation)
                if any(key.split("/")[0] in subject.points for key in missing)
            ]
            product = Product(installation)
            undisturbed = [_undisturbed(product, subject) for subject in subjects]
            for group in groups(missing, subjects, chance):
                if is_over():
                    break
                [whole] = [one for one in undisturbed if group[0].split("/")[0] in one.subject.points]
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


def _undisturbed(product: Product, subject: Subject) -> Undisturbed:
    case = product.installation.driver.case(f"undisturbed-{subject.name}", size_tokens=CHUNK_TOKENS)
    subject.prepare(product, case)
    subject.begin(product, case)
    jobs = product.wait_until_ended(case, seconds=subject.patience_s)
    assert {job["state"] for job in jobs} == {"done"}, f"{subject.name} does not end well even undisturbed: {jobs}"
    return Undisturbed(subject, subject.stored(product, case), len(jobs))


def _killed(product: Product, group: Sequence[str], delay: float, whole: Undisturbed) -> list[Verdict]:
    """The verdict of each run of a group, after one kill while a process stands at the step of each.

    Raises:
        NotHeld: they did not stand there together.
    """
    victim, subject = group[0].split("/")[1], whole.subject
    names = [re.sub(r"[/._:]", "-", key) for key in group]
    cases = [Case(**product.patient_order("setup", slug=name, size_tokens=CHUNK_TOKENS)) for name in names]
    for case in cases:
        subject.prepare(product, case)
    people = [Thread(target=subject.begin, args=(product, case), daemon=True) for case in cases]
    planned = [(key.split("/")[0].rpartition(":")[2], name) for key, name in zip(group, names, strict=True)]
    with product.all_held_at(planned) as markers:
        for person in people:
            person.start()
        try:
            wait_until(
                lambda: all(marker.exists() for marker in markers), f"{group} to be reached", seconds=subject.patience_s
            )
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
        jobs = product.wait_until_ended(case, seconds=whole.subject.patience_s)
    except AssertionError as failed:
        jobs = product.patient_order("jobs", organization=case.organization)
        return Verdict(lost=1, notes=(str(failed), *map(str, jobs)))
    return verdict_of(whole.stored, whole.subject.stored(product, case), jobs, n_jobs=whole.n_jobs)
