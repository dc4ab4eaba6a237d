"""Long comparisons of versions have a process of their own: in the web process they would hold up every request."""

import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Lock, Thread

from corpora.differences import Difference, VersionParagraph, compare
from legalqa.common.work import Work

SHORT_CHARACTERS = 100_000  # ours: characters of both versions up to which comparing takes hundredths of a second

_lock = Lock()
_pool: ProcessPoolExecutor | None = None


def compared(
    old: Sequence[VersionParagraph], new: Sequence[VersionParagraph], *, work: Work, with_words: bool = True
) -> tuple[Difference, ...]:
    """As `corpora.differences.compare`, in this process where it is short, else in another one, at a lower priority."""
    if sum(len(paragraph.text) for paragraph in (*old, *new)) <= SHORT_CHARACTERS:
        return compare(old, new, work=work, with_words=with_words)
    try:
        pairs, left, is_spent = _elsewhere().submit(_compare, old, new, work.left, with_words).result()
    except BrokenProcessPool:  # it was killed; the next one is a new process
        pairs, left, is_spent = _elsewhere(is_broken=True).submit(_compare, old, new, work.left, with_words).result()
    work.left, work.is_spent = left, work.is_spent or is_spent
    return pairs


def _elsewhere(*, is_broken: bool = False) -> ProcessPoolExecutor:
    global _pool  # noqa: PLW0603 - one for the process, made when it is first needed
    with _lock:
        if _pool is None or is_broken:
            _pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
        return _pool


def _begin() -> None:
    os.nice(10)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent-death signal would be sent when the thread that started this process ends, not the parent itself."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


def _compare(
    old: Sequence[VersionParagraph],
    new: Sequence[VersionParagraph],
    steps: int,
    with_words: bool,  # noqa: FBT001 - positions are what the pool takes
) -> tuple[tuple[Difference, ...], int, bool]:
    work = Work(steps)
    return compare(old, new, work=work, with_words=with_words), work.left, work.is_spent
