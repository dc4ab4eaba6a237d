"""Endpoints of gold sets."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from corpora.selectors import corpus_get
from judging.gold.files import MAX_QUESTIONS, gold_documents, gold_rows_of
from judging.gold.grades import graded_counts
from judging.gold.services import sets
from judging.gold.services.cases import gold_set_keep
from judging.gold.services.files import gold_set_deal
from judging.gold.services.indexing import gold_set_index
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import operation
from retrieval.questions.api import AddedSerializer


class GoldSetSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="gold_set.pk")
    name = serializers.CharField(source="gold_set.name")
    questions = serializers.IntegerField(source="n_questions")
    answerable = serializers.IntegerField(source="n_answerable", help_text="Questions whose passages are known.")
    evidence_unknown = serializers.IntegerField(
        source="n_unknown", help_text="Questions with a reference answer but no passage; search measures skip them."
    )
    created_at = serializers.DateTimeField(source="gold_set.created_at")


class GoldSetListApi(ManagersApi):
    @extend_schema_serializer(component_name="NewGoldSet")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=sets.MAX_NAME)
        questions = serializers.ListField(child=serializers.DictField(), min_length=1, max_length=MAX_QUESTIONS)

    @operation("goldsets_list", GoldSetSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """The gold sets of a corpus."""
        return sets.gold_set_list(organization=request.organization, corpus_id=corpus_id)

    @operation("goldsets_create", GoldSetSerializer, 404, 409, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Store a gold set; each question is an object as a line of the file has it."""
        rows = gold_rows_of(data["questions"])
        gold_set = sets.gold_set_import(**request.acting, corpus_id=corpus_id, name=data["name"], rows=rows)
        return sets.gold_set_counted(gold_set=gold_set)


class GoldSetOfGradesApi(ManagersApi):
    @extend_schema_serializer(component_name="NewGoldSetOfGrades")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=sets.MAX_NAME)

    @extend_schema_serializer(component_name="GradeCounts")
    class OutputSerializer(serializers.Serializer[Any]):
        questions = serializers.IntegerField(source="n_questions")
        answerable = serializers.IntegerField(source="n_answerable")

    @operation("goldsets_graded", OutputSerializer, 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """How many questions a gold set of graded answers would have now."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        return graded_counts(organization=request.organization, corpus=corpus)

    @operation("goldsets_create_of_grades", GoldSetSerializer, 404, 409, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Make a gold set of the answers that people graded."""
        gold_set = sets.gold_set_of_grades(**request.acting, corpus_id=corpus_id, name=data["name"])
        return sets.gold_set_counted(gold_set=gold_set)


class GoldSetDetailApi(ManagersApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ, "delete": TokenScope.CORPORA_WRITE}

    @extend_schema_serializer(component_name="GoldSetWhole")
    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.UUIDField()
        name = serializers.CharField()
        corpus_id = serializers.UUIDField()
        questions = serializers.ListField(child=serializers.DictField())

    @operation("goldsets_get", OutputSerializer, 404)
    def get(self, request: MemberRequest, gold_set_id: UUID) -> object:
        """A gold set with its questions, each as a line of the file has it."""
        gold_set = sets.gold_set_get(organization=request.organization, gold_set_id=gold_set_id)
        rows = list(gold_documents(sets.gold_set_rows(gold_set=gold_set)))
        return {"id": gold_set.pk, "name": gold_set.name, "corpus_id": gold_set.corpus_id, "questions": rows}

    @operation("goldsets_delete", None, 404, 409)
    def delete(self, request: MemberRequest, gold_set_id: UUID) -> None:
        """Remove a gold set that no experiment uses; mappings that were tuned on it stay."""
        sets.gold_set_remove(**request.acting, gold_set_id=gold_set_id)


class GoldSetIndexApi(ManagersApi):
    @operation("goldsets_index", AddedSerializer, 404)
    def post(self, request: MemberRequest, gold_set_id: UUID) -> object:
        """Add its questions to the question index of the corpus; drafts and the test split are left out."""
        return gold_set_index(**request.acting, gold_set_id=gold_set_id)


class GoldSetSplitsApi(ManagersApi):
    @extend_schema_serializer(component_name="GoldSetSplits")
    class OutputSerializer(serializers.Serializer[Any]):
        train = serializers.IntegerField()
        calibration = serializers.IntegerField()
        test = serializers.IntegerField()

    @operation("goldsets_split", OutputSerializer, 404)
    def post(self, request: MemberRequest, gold_set_id: UUID) -> object:
        """Assign the questions to train, calibration and test so that no document is in two of them."""
        return gold_set_deal(**request.acting, gold_set_id=gold_set_id)


class GoldSetCasesApi(ManagersApi):
    @extend_schema_serializer(component_name="GoldSetCases")
    class OutputSerializer(serializers.Serializer[Any]):
        added = serializers.IntegerField()
        known = serializers.IntegerField(help_text="They were there already.")

    @operation("goldsets_cases", OutputSerializer, 404, status=201)
    def post(self, request: MemberRequest, gold_set_id: UUID) -> object:
        """Make solved cases of the approved questions that have a reference answer and known evidence."""
        added = gold_set_keep(**request.acting, gold_set_id=gold_set_id)
        return {"added": len(added.cases), "known": added.n_known}
