"""Endpoints of the grades of answers."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.answering import selectors, services
from legalqa.answering.models import Grade
from legalqa.answering.pages.grades import grades_document
from legalqa.answering.services.grades import MAX_CORRECTION, MAX_NOTE
from legalqa.common.drf import operation

MAX_PASSAGES = 100  # passages that one grade may judge


class PassageJudgmentSerializer(serializers.Serializer[Any]):
    paragraph_id = serializers.CharField(max_length=200)
    is_support = serializers.BooleanField(help_text="For a declined answer: whether the passage answers the question.")


class GradeSerializer(serializers.Serializer[Any]):
    grade = serializers.ChoiceField(choices=Grade.choices)
    note = serializers.CharField()
    correction = serializers.CharField(help_text="The corrected answer; empty if nobody gave one.")
    passages = PassageJudgmentSerializer(many=True)
    grader_id = serializers.UUIDField()
    grader = serializers.CharField()
    created_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField()


class AnswerGradeApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ, "put": TokenScope.ANSWERS_WRITE, "delete": TokenScope.ANSWERS_WRITE}

    @extend_schema_serializer(component_name="NewGrade")
    class InputSerializer(serializers.Serializer[Any]):
        grade = serializers.ChoiceField(choices=Grade.choices)
        note = serializers.CharField(default="", allow_blank=True, max_length=MAX_NOTE)
        correction = serializers.CharField(default="", allow_blank=True, max_length=MAX_CORRECTION)
        passages = serializers.ListField(child=PassageJudgmentSerializer(), default=list, max_length=MAX_PASSAGES)

    @extend_schema_serializer(component_name="GradesOfAnswer")
    class OutputSerializer(serializers.Serializer[Any]):
        possible = serializers.ListField(child=serializers.ChoiceField(choices=Grade.choices))
        mine = GradeSerializer(allow_null=True)
        others = GradeSerializer(many=True)

    @operation("answers_grades", OutputSerializer, 404)
    def get(self, request: MemberRequest, answer_id: UUID) -> dict[str, Any]:
        """The grades of one of your answers: yours, and those of others who may see it."""
        return self._reply(request, answer_id)

    @operation("answers_grade", OutputSerializer, 404, 409, takes=InputSerializer)
    def put(self, request: MemberRequest, answer_id: UUID, data: dict[str, Any]) -> dict[str, Any]:
        """Grade an answer, or replace your grade of it whole."""
        passages = {row["paragraph_id"]: row["is_support"] for row in data.pop("passages")}
        services.answer_grade(**request.acting, answer_id=answer_id, passages=passages, **data)
        return self._reply(request, answer_id)

    @operation("answers_ungrade", None, 404)
    def delete(self, request: MemberRequest, answer_id: UUID) -> None:
        """Remove your grade of an answer."""
        services.answer_ungrade(**request.acting, answer_id=answer_id)

    def _reply(self, request: MemberRequest, answer_id: UUID) -> dict[str, Any]:
        answer = selectors.answer_get_own(**request.acting, answer_id=answer_id)
        return grades_document(answer=services.answer_settle(answer=answer), user=request.user)
