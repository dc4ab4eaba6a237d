"""Who did what, when: rows that nobody can change afterwards."""

import uuid

from django.db import models

from legalqa.accounts.scoping import OrganizationModel


class AuditEvent(OrganizationModel):
    """One act. Ids, not content: `details` never holds the text of a document or a question."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    at = models.DateTimeField(auto_now_add=True)
    actor_id = models.UUIDField(null=True)  # not a foreign key: erasing a person must not break the record
    action = models.CharField(max_length=60)
    subject_id = models.UUIDField(null=True)
    details = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["organization", "-at"], name="audit_by_time")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"
