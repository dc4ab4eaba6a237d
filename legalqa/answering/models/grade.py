"""What people say of answers."""

from django.conf import settings
from django.db import models

from corpora.models import Corpus, Paragraph
from legalqa.accounts.scoping import OrganizationModel, UuidModel
from legalqa.answering.models.answer import Answer


class Grade(models.TextChoices):
    """What a person says of an answer: the first three of one that was given, the others of a silence."""

    RIGHT = "right", "Right"
    PARTLY = "partly", "Partly right"
    WRONG = "wrong", "Wrong"
    RIGHTLY_SILENT = "rightly_silent", "Rightly silent"
    MISSED = "missed", "The documents do answer this"


class AnswerGrade(UuidModel):
    """One person's grade of one answer, behind the wall of the corpus that was asked.

    `correction` is what they would have answered instead; "" where they do not say.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    grader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    grade = models.CharField(max_length=16, choices=Grade)
    note = models.TextField(default="")
    correction = models.TextField(default="")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "answer", "grader"], name="answer_grade_once"),
            models.CheckConstraint(condition=models.Q(grade__in=Grade.values), name="answer_grade_known"),
        ]
        indexes = [models.Index(fields=["organization", "corpus", "changed_at"], name="answer_grade_by_corpus")]

    def __str__(self) -> str:
        return self.get_grade_display()


class PassageJudgment(OrganizationModel):
    """Whether a passage supports the answer, as its grader sees it: a paragraph, which outlives re-chunking."""

    id = models.BigAutoField(primary_key=True)
    grade = models.ForeignKey(
        AnswerGrade, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    paragraph = models.ForeignKey(
        Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    is_support = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "grade", "paragraph"], name="passage_judgment_once"),
        ]

    def __str__(self) -> str:
        return f"judgment of paragraph {self.paragraph_id}"
