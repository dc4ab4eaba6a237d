"""Files that trainings keep while they are at work: a death costs what came after the last, and not more."""

import json
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

MAX_AGE_S = 30 * 86_400  # ours: a training that is resumed later than this begins again


def work_folder(subject_id: UUID) -> Path:
    """Where the training of a version keeps its files."""
    return Path(settings.VAR) / "trainings" / str(subject_id)


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
    """Write a document; a death in it leaves the file as it was before."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".part")
    fresh.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    fresh.replace(file)


def json_kept(file: Path) -> Any:
    """The document of a file; None where there is none, or none that can be read."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
