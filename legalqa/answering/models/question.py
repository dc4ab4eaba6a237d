"""Questions, the conversations that they form, and who may read along."""

from django.conf import settings
from django.db import models

from corpora.models import Corpus
from legalqa.accounts.scoping import OrganizationModel, UuidModel


class Question(UuidModel):
    """What was asked. A question and those that follow it up are a conversation, named by the id of its first one.

    A conversation is of one corpus: others may read it who may read that one. `title` is its asker's name for it, kept
    with the first question that is still there; "" if that question's words are the name.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    text = models.TextField()
    # The question that this one follows up, of the same person; its words may be needed to understand these.
    follows = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+", db_constraint=False)
    conversation = models.UUIDField(editable=False)
    title = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["organization", "asker", "-created_at"], name="question_history"),
            models.Index(fields=["organization", "conversation"], name="question_conversation"),
        ]

    def __str__(self) -> str:
        return f"Question {self.pk}"  # not its words, because operators' pages show this


class ConversationShare(OrganizationModel):
    """A colleague who may read a conversation, while both may see its corpus; `question` is its first question."""

    id = models.BigAutoField(primary_key=True)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    shared_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "question", "member"], name="conversation_shared_once"),
        ]

    def __str__(self) -> str:
        return f"Share of conversation {self.question_id}"
