"""Who did what and when: rows that nobody can change afterwards."""

from django.db import models

from legalqa.accounts.scoping import UuidModel


class AuditEvent(UuidModel):
    """One act. Ids, not content: `details` never holds the text of a document or a question.

    The database sets `at`, `sequence`, `previous` and `digest` when the row is written, whatever is sent: each row's
    digest covers the previous digest, so that rows that are changed, removed or inserted later are detected
    (`services/audit_chain.py`).
    """

    at = models.DateTimeField(auto_now_add=True)
    sequence = models.BigIntegerField(default=0, editable=False)
    actor_id = models.UUIDField(null=True)  # not a foreign key: erasing a person must not break the record
    action = models.CharField(max_length=60)
    subject_id = models.UUIDField(null=True)
    details = models.JSONField(default=dict)
    source = models.CharField(max_length=10, default="machine")
    address = models.CharField(max_length=45, default="")
    previous = models.CharField(max_length=64, default="", editable=False)
    digest = models.CharField(max_length=64, default="", editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "sequence"], name="audit_sequence_once")]
        indexes = [
            models.Index(fields=["organization", "-at"], name="audit_by_time"),
            models.Index(fields=["organization", "actor_id", "-sequence"], name="audit_by_person"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"
