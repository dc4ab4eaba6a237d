"""What can be wrong with an installation: small checks, each with its finding and what to do about it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from legalqa.operations.checks import background, database, machine, setup, storage
from legalqa.operations.checks.types import Check, Level

Checking = Callable[[], Check]

# Conditions for answering requests and reading documents; checked every few seconds.
READINESS: Sequence[Checking] = (
    database.reachable,
    database.migrations_applied,
    storage.writable,
    background.queue_beats,
    background.encoder_answers,
)
ALL: Sequence[Checking] = (
    machine.python_version,
    machine.packages,
    machine.tesseract,
    machine.reader_confined,
    machine.memory,
    machine.disk_space,
    database.reachable,
    database.roles_bound,
    database.rows_isolated,
    database.migrations_applied,
    database.vector_extension,
    database.clock,
    storage.writable,
    storage.private,
    storage.documents_have_files,
    storage.no_orphans,
    setup.secret_keys,
    setup.debug_off,
    setup.address,
    setup.mail,
    background.running,
    background.workers,
    background.jobs_move,
    background.encoder_weights,
    background.encoder_answers,
)


def checks_run(checks: Iterable[Checking]) -> list[Check]:
    """Run each check; one that cannot run because something below it is broken says so, and the others still run."""
    return [_outcome(check) for check in checks]


def _outcome(check: Checking) -> Check:
    name = f"{check.__module__.rpartition('.')[2]}.{check.__name__}"
    try:
        result = check()
    except Exception as error:  # noqa: BLE001 - one broken check must not stop the others
        result = Check(Level.FAIL, f"could not be checked ({type(error).__name__})", "Fix the problems above first.")
    return replace(result, name=name)
