"""The files of the pages: under names that carry a hash of their content, and compressed.

A browser may keep such a file for ever, since another content has another name. Until they have been collected, and
where DEBUG is on, pages name the files plainly and WhiteNoise serves them from where they are.
"""

import fcntl
import hashlib
import logging
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

logger = logging.getLogger(__name__)

UNUSED = ["redoc*"]  # a second viewer of the API's schema, which comes with the one we show


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise ships no types
    """Names a file that has not been collected plainly, instead of refusing the page."""

    def stored_name(self, name: str) -> str:
        stored: str = self.hashed_files.get(self.hash_key(self.clean_name(name)), name)
        return stored


def static_update() -> None:
    """Collect the files unless that has been done with the same ones; one process at a time, the others wait.

    A disk that is full or cannot be written is no reason to serve no pages: they name the files plainly then.
    """
    if settings.DEBUG:
        return
    try:
        with (Path(settings.VAR) / "static.sources").open("a+") as stamp:
            fcntl.flock(stamp, fcntl.LOCK_EX)
            stamp.seek(0)
            if stamp.read() == (sources := _sources()):
                return
            stamp.truncate(0)  # killed on the way, the next start collects again
            call_command("collectstatic", verbosity=0, interactive=False, clear=True, ignore_patterns=UNUSED)
            stamp.write(sources)
    except OSError as error:
        logger.warning("static files could not be collected: %s", error.strerror)


def _sources() -> str:
    """A digest that changes when a file does: of paths, sizes and times."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list(UNUSED):
            status = Path(storage.path(name)).stat()
            digest.update(f"{storage.path(name)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
