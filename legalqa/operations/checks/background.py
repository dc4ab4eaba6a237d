"""Processes that should run: the product, the queue, the encoder."""

from pathlib import Path

from django.conf import settings

from legalqa.common.errors import ApplicationError
from legalqa.encoder.client import is_server_up, model_folder
from legalqa.jobs.run_lock import run_state
from legalqa.jobs.selectors import jobs_stuck, queue_silent_s
from legalqa.jobs.supervisor import Address
from legalqa.operations.checks.types import Check, Level, fail, ok, warn

SILENT_S = 120 + settings.JOB_SLICE_S  # the queue beats every half minute, after the current slice
PORT = 8000
START = "Start LegalQA with `manage.py up`."


def running() -> Check:
    """Whether `up` runs here; if not, whether its default port is free."""
    if (state := run_state(Path(settings.VAR))) is not None:
        return ok(f"at {state.url}") if state.url else warn("starting", "Wait a minute and check again.")
    try:
        Address("127.0.0.1", PORT).bound().close()
    except ApplicationError:
        return warn(f"not here; port {PORT} is taken", "Start it with `manage.py up --port` and another number.")
    return warn("not here", START)


def queue_beats() -> Check:
    silent = queue_silent_s()
    if silent is None:
        return fail("the queue has never worked", START)
    if silent > SILENT_S:
        return fail(f"the queue is silent for {silent:.0f} s", f"{START} If it runs, its log says why.")
    return ok(f"seen {silent:.0f} s ago")


def workers() -> Check:
    """The same as `queue_beats`, for people: if nothing runs, nothing can beat."""
    result = queue_beats()
    if result.level is Level.FAIL and run_state(Path(settings.VAR)) is None:
        return warn(result.result, START)
    return result


def jobs_move() -> Check:
    if n_stuck := jobs_stuck():
        return fail(f"{n_stuck} open jobs make no progress", f"{START} If it runs, restart it.")
    return ok("no job is stuck")


def encoder_weights() -> Check:
    return ok(f"the pinned ones ({model_folder().name})")  # raises for any other


def encoder_answers() -> Check:
    if is_server_up():
        return ok("answers")
    if settings.ENCODER_SERVER:
        return fail("does not answer", "It restarts automatically; if not, the log of `up` says why.")
    return ok("not running: each command loads the model itself")
