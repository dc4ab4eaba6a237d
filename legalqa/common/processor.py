"""Processor time that work of this process took in processes that live on after it, s."""

import resource
from time import thread_time

_elsewhere_s = 0.0


def elsewhere_add(seconds: float) -> None:
    """Count time that a process beside this one spent on its work."""
    global _elsewhere_s  # noqa: PLW0603 - as the kernel's own count, one of the process
    _elsewhere_s += seconds


def processor_s() -> float:
    """Processor time of this thread, of processes of ours that have ended, and of those that work for us, s."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return thread_time() + children.ru_utime + children.ru_stime + _elsewhere_s
