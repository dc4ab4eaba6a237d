"""A corpus: documents that are searched together, open to the organisation or walled to named members."""

import uuid
from datetime import datetime

from django.conf import settings
from django.db import models

from legalqa.accounts.scoping import UuidModel
from legalqa.encoder.client import NAME


class Corpus(UuidModel):
    """`version` is raised, under a row lock, in every transaction that changes what a search may find.

    `context` is what is before a chunk's text when it is embedded, one of corpora.configs.CONTEXTS. `encoder` is the
    name of the one whose vectors searches compare now; every live chunk has a vector by it. `answer_threshold` is the
    chance from which an answer is given, 0 to 1; empty for the usual one. `as_of_versions` is not a column: a search as
    of a day reads these versions instead of the live ones. Nor is `kept_set` a column: a search that names a kept chunk
    set reads that one instead of the live one. `is_as_of_today` says that no day was named, and that only documents
    whose current version is not in force yet are read in an earlier one. `removal_due_at` is when its removal begins,
    `removal_begun_at` when it did; both are empty for one that stays.
    """

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, allow_unicode=True)
    description = models.CharField(max_length=300, blank=True, default="")
    language = models.CharField(max_length=20, default="english")
    is_walled = models.BooleanField(default=False)
    chunker = models.JSONField(default=dict)
    context = models.CharField(max_length=10, default="heading")
    encoder = models.CharField(max_length=80, default=NAME)
    version = models.PositiveBigIntegerField(default=0)
    answer_threshold = models.FloatField(null=True)
    removal_due_at = models.DateTimeField(null=True)
    removal_begun_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    as_of_versions: tuple[uuid.UUID, ...] | None = None
    kept_set: tuple[uuid.UUID, datetime] | None = None
    is_as_of_today: bool = False

    @property
    def is_searched_as_live(self) -> bool:
        """Whether searches read what is live: neither a former day nor a kept chunk set was named."""
        return self.as_of_versions is None and self.kept_set is None

    @property
    def is_as_of_former_day(self) -> bool:
        """Whether a day was named on which other versions were in force than the current ones."""
        return self.as_of_versions is not None and not self.is_as_of_today

    class Meta:
        verbose_name_plural = "corpora"
        constraints = [
            # Only open corpora need unique names: "name taken" must not reveal what is behind a wall.
            models.UniqueConstraint(
                fields=["organization", "slug"], condition=models.Q(is_walled=False), name="corpus_slug_once"
            )
        ]

    def __str__(self) -> str:
        return self.name


class CorpusMember(UuidModel):
    """A person inside the wall of a corpus."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = "person inside a wall"
        verbose_name_plural = "people inside walls"
        constraints = [models.UniqueConstraint(fields=["organization", "corpus", "user"], name="corpus_member_once")]

    def __str__(self) -> str:
        return str(self.user)
