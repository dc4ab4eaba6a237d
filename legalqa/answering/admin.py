"""Operators' pages about questions and answers: how many there are and how they ended, not what they say."""

from django.contrib import admin

from legalqa.answering.models import Answer, Question
from legalqa.common.admin import ReadOnlyAdmin


@admin.register(Question)
class QuestionAdmin(ReadOnlyAdmin[Question]):
    list_display = ("created_at", "corpus", "asker")
    list_select_related = ("corpus", "asker")
    ordering = ("-created_at",)


@admin.register(Answer)
class AnswerAdmin(ReadOnlyAdmin[Answer]):
    list_display = ("created_at", "state", "mode", "preset", "confidence", "seconds")
    list_filter = ("state", "mode", "preset")
    ordering = ("-created_at",)
    fields = ("question", "state", "mode", "preset", "confidence", "seconds", "created_at")
