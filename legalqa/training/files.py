"""Files that trainings keep while they are at work: a crash costs only the work after the last one."""

import json
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from legalqa.common.private import private_file, private_folder

MAX_AGE_S = 30 * 86_400  # ours: a training that is resumed later than this begins again


def work_folder(subject_id: UUID) -> Path:
    """Where the training of a version keeps its files."""
    return Path(settings.VAR) / "trainings" / str(subject_id)


def works_follow(*, subject_ids: Iterable[UUID]) -> None:
    """Remove the files of trainings whose rows are being removed, once that is final (FOLLOWERS)."""
    for subject_id in subject_ids:
        transaction.on_commit(partial(work_remove, subject_id))


def work_remove(subject_id: UUID) -> None:
    """Remove what a training kept."""
    shutil.rmtree(work_folder(subject_id), ignore_errors=True)


def works_sweep() -> None:
    """Remove the files of trainings that nobody has resumed for MAX_AGE_S."""
    oldest, above = time.time() - MAX_AGE_S, Path(settings.VAR) / "trainings"
    for folder in above.iterdir() if above.is_dir() else ():
        with suppress(FileNotFoundError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def json_keep(file: Path, document: Any) -> None:
    """Write a document; a crash meanwhile leaves the file as it was before."""
    private_folder(file.parent)
    fresh = file.with_suffix(".part")
    with private_file(fresh) as stream:
        stream.write(json.dumps(document, ensure_ascii=False).encode())
    fresh.replace(file)


def json_kept(file: Path) -> Any:
    """The document of a file; None where there is none, or none that can be read."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
