"""Settings of the fault tests: the real ones, and a queue that takes the driver's own tasks."""

from legalqa.settings import *  # noqa: F403
from legalqa.settings import TASKS as OURS

TASKS = OURS | {"tests.faults.driver.take_poison", "tests.faults.driver.tell_pid"}
