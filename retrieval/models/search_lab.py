"""What people save in the search lab: settings under a name, and passages that answer a query."""

from django.conf import settings
from django.db import models

from corpora.models import Corpus, Paragraph
from legalqa.accounts.scoping import OrganizationModel, SameOrganizationKey, UuidModel


class SavedPreset(UuidModel):
    """A preset with single settings changed, under a name that the people of one corpus can choose."""

    corpus = SameOrganizationKey(Corpus)
    name = models.CharField(max_length=40)
    base = models.CharField(max_length=40)
    overrides = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "name"], name="saved_preset_name_once")
        ]

    def __str__(self) -> str:
        return self.name


class RelevantPassage(OrganizationModel):
    """A person's mark that a paragraph answers a query; the query's blanks and letter case do not count."""

    id = models.BigAutoField(primary_key=True)
    corpus = SameOrganizationKey(Corpus)
    query = models.TextField()
    query_hash = models.CharField(max_length=64)
    paragraph = SameOrganizationKey(Paragraph)
    marked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "corpus", "query_hash", "paragraph"], name="relevant_passage_once"
            )
        ]

    def __str__(self) -> str:
        return f"passage for {self.query[:40]}"
