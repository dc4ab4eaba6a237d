"""Watched folders, and what happened to each file in them."""

from django.db import models

from corpora.models.corpus import Corpus
from corpora.models.document import Document
from legalqa.accounts.scoping import OrganizationModel, UuidModel
from legalqa.common.transitions import Transitions


class WatchedFolder(UuidModel):
    """A folder on the server whose files go into a corpus.

    One that a command watches may be anywhere its operator says, and `path` is absolute. The others are in the
    organisation's own folder below WATCH_ROOT, and `path` is the way there from it. `busy_until` keeps two processes
    from looking at once.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    path = models.CharField(max_length=1000)
    is_by_command = models.BooleanField(default=False)
    removes_missing = models.BooleanField(default=False)
    problem = models.CharField(max_length=200, default="")
    looked_at = models.DateTimeField(null=True)
    busy_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "corpus", "is_by_command", "path"], name="watched_folder_once"
            )
        ]

    def __str__(self) -> str:
        return self.path


class WatchedState(models.TextChoices):
    """A file is taken at the second look that finds it unchanged, so that none is taken half-written."""

    SEEN = "seen", "Waiting until it is written"
    TAKEN = "taken", "Taken"
    REFUSED = "refused", "Refused"
    MISSING = "missing", "No longer in the folder"
    REMOVED = "removed", "Removed with its file"


_GONE = frozenset({WatchedState.MISSING})  # a document goes at the second look only that misses its file
_NEW = frozenset({WatchedState.SEEN})  # written again, or put back
WATCHED_TRANSITIONS: Transitions[WatchedState] = {
    WatchedState.SEEN: _NEW | _GONE | {WatchedState.TAKEN, WatchedState.REFUSED},
    WatchedState.TAKEN: _NEW | _GONE,
    WatchedState.REFUSED: _NEW | _GONE,
    WatchedState.MISSING: _NEW | {WatchedState.REMOVED},
    WatchedState.REMOVED: _NEW,
}


class WatchedFile(OrganizationModel):
    """A file as the last look found it; another size or time makes it a new one."""

    id = models.BigAutoField(primary_key=True)
    folder = models.ForeignKey(WatchedFolder, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    name = models.CharField(max_length=1000)
    size = models.PositiveBigIntegerField()
    modified_ns = models.BigIntegerField()
    state = models.CharField(max_length=8, choices=WatchedState, default=WatchedState.SEEN)
    reason = models.CharField(max_length=400, default="")
    document = models.ForeignKey(Document, on_delete=models.SET_NULL, null=True, related_name="+", db_constraint=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "folder", "name"], name="watched_file_once"),
            models.CheckConstraint(condition=models.Q(state__in=WatchedState.values), name="watched_state_known"),
        ]

    def __str__(self) -> str:
        return self.name
