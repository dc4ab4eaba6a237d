"""Settings of the fault tests: the real ones, and a queue that takes the driver's own tasks."""

from legalqa.settings import *  # noqa: F403 - the real ones
from legalqa.settings_queue import JOB_TASKS as JOBS_OF_OURS
from legalqa.settings_queue import TASKS as OURS
from legalqa.settings_queue import JobKind

JOB_TASKS = JOBS_OF_OURS | {"tests.faults.driver.take_poison": JobKind("Take poison")}
TASKS = OURS | {"tests.faults.driver.take_poison", "tests.faults.driver.tell_pid"}
