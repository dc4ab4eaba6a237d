"""Operators' page about background work."""

from django.contrib import admin

from legalqa.common.admin import ReadOnlyAdmin
from legalqa.jobs.models import Job


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin[Job]):
    needs_organization = False
    list_display = ("task", "state", "stage", "cursor", "total", "attempts", "reason", "organization_id", "updated_at")
    list_filter = ("state", "task")
    fields = (*list_display, "subject_id", "requested_by_id", "request_id", "waits", "lease_until", "created_at")
    ordering = ("-created_at",)
