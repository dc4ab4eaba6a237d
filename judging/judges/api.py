"""Endpoints of judges."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from judging.judges import services
from judging.judges.asking import Law
from judging.judges.lines import item_read, judgment_document
from judging.judges.registry import KINDS
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.common.drf import operation


@extend_schema_serializer(component_name="SavedJudge")
class SavedJudgeSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    kind = serializers.CharField()
    settings = serializers.DictField()
    version = serializers.CharField()
    created_at = serializers.DateTimeField()


class JudgeListApi(ManagersApi):
    @extend_schema_serializer(component_name="JudgeByName")
    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.UUIDField(allow_null=True, help_text="Null where it is built in.")
        name = serializers.CharField()
        kind = serializers.CharField()
        title = serializers.CharField()
        settings = serializers.DictField()

    @extend_schema_serializer(component_name="NewJudge")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=services.MAX_NAME)
        kind = serializers.ChoiceField(choices=KINDS.names())
        settings = serializers.DictField(
            default=dict, help_text="Settings of the kind; those left out have their usual values."
        )

    @operation("judges_list", OutputSerializer(many=True))
    def get(self, request: MemberRequest) -> object:
        """The judges of the organisation: its own, then the built-in ones. `name+law` names one with law."""
        return services.setup_list(**request.acting)

    @operation("judges_create", SavedJudgeSerializer, 409, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> object:
        """Set up a judge, or give a name that is taken a new version."""
        return services.judge_save(**request.acting, **data)


class JudgeDetailApi(ManagersApi):
    @operation("judges_delete", None, 404)
    def delete(self, request: MemberRequest, judge_id: UUID) -> None:
        """Take a judge out of use; what it has judged stays."""
        services.judge_retire(**request.acting, judge_id=judge_id)


class JudgmentApi(ManagersApi):
    in_scope = False

    @extend_schema_serializer(component_name="NewJudgment")
    class InputSerializer(serializers.Serializer[Any]):
        judge = serializers.CharField(max_length=80, help_text="Such as custom2, or words.")
        law = serializers.ChoiceField(
            choices=[(law.value, law.name.capitalize()) for law in Law if law], allow_blank=True, default=""
        )
        corpus_id = serializers.UUIDField(required=False, help_text="Whose law the judge is shown.")
        item = serializers.DictField(help_text="question, answers, reference_answer, gold_passages: as a line has it.")

    @extend_schema_serializer(component_name="Judgments")
    class OutputSerializer(serializers.Serializer[Any]):
        judgments = serializers.ListField(child=serializers.DictField())
        cost = serializers.DecimalField(max_digits=14, decimal_places=8)

    @operation("judgments_create", OutputSerializer, 404, takes=InputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> object:
        """Judge one item now; nothing is stored but the calls in the ledger."""
        item = item_read(data["item"])
        trial = services.judge_try(
            **request.acting,
            name=services.name_with(name=data["judge"], law=data["law"]),
            item=item,
            corpus_id=data.get("corpus_id"),
        )
        rows = [judgment_document(item.id, judgment) for judgment in trial.judgments]
        return {"judgments": rows, "cost": trial.cost}
