"""Endpoints of the case base."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS, REVIEWERS
from legalqa.accounts.api import CorpusApi, ManagersApi, MemberRequest, ReviewersApi
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import PAGING, operation, paged
from legalqa.jobs.api import JobSerializer
from retrieval.cases import selectors, services
from retrieval.cases.files import case_rows_read
from retrieval.cases.indexing import MAX_CUE, case_index_build, case_index_list, case_index_remove
from retrieval.cases.pages import EXPIRED, NO_ACT, case_chosen
from retrieval.cases.reading import case_entities_begin
from retrieval.cases.statistics import case_statistics
from retrieval.models import CaseEntry, CaseOrigin, CaseState, EntitiesBy

MAX_TEXT = 2_500_000
READ, WRITE = TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE


class CaseSerializer(serializers.Serializer[Any]):
    """A solved question; `expired` says that the law it cites has changed, so that no search uses it."""

    id = serializers.UUIDField()
    external_id = serializers.CharField()
    name = serializers.CharField()
    question = serializers.CharField()
    support = serializers.CharField()
    answer = serializers.CharField()
    entities = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    entities_by = serializers.ChoiceField(choices=EntitiesBy.choices)
    paragraph_ids = serializers.ListField(child=serializers.CharField())
    origin = serializers.ChoiceField(choices=CaseOrigin.choices)
    state = serializers.ChoiceField(choices=CaseState.choices)
    expired = serializers.BooleanField(source="is_expired")
    note = serializers.CharField()
    created_at = serializers.DateTimeField()


class CaseListApi(CorpusApi):
    roles = {"get": REVIEWERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="NewCases")
    class InputSerializer(serializers.Serializer[Any]):
        text = serializers.CharField(
            max_length=MAX_TEXT, trim_whitespace=False, help_text="JSONL or CSV, one case a line."
        )

    class AddedSerializer(serializers.Serializer[Any]):
        added = serializers.IntegerField(help_text="They wait for a reviewer.")
        known = serializers.IntegerField(help_text="They were there already.")
        unplaced = serializers.IntegerField(
            help_text="Of those added: not found in the documents, will not expire when the law changes."
        )

    @operation(
        "cases_list",
        CaseSerializer(many=True),
        404,
        parameters=[
            OpenApiParameter("state", str, enum=[*CaseState.values, EXPIRED]),
            OpenApiParameter("act", str, description=f"A legal act that they name; `{NO_ACT}` for none."),
            *PAGING,
        ],
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """The solved cases of a corpus, newest first."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        cases = selectors.case_list(organization=request.organization, corpus_id=corpus_id)
        chosen = case_chosen(cases, corpus=corpus, filters=request.query_params.dict())
        return paged(chosen, request, CaseSerializer, shown=_shown)

    @operation("cases_import", AddedSerializer, 404, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Add solved cases; they wait for a reviewer."""
        added = services.cases_add(**request.acting, corpus_id=corpus_id, rows=case_rows_read(data["text"]))
        return {"added": len(added.cases), "known": added.n_known, "unplaced": added.n_unplaced}


class CaseDetailApi(CorpusApi):
    roles = {"post": REVIEWERS, "delete": MANAGERS}

    @extend_schema_serializer(component_name="CaseReview")
    class InputSerializer(serializers.Serializer[Any]):
        decision = serializers.ChoiceField(choices=list(services.REVIEWS))
        note = serializers.CharField(max_length=services.MAX_NOTE, required=False, default="", allow_blank=True)

    @operation("cases_get", CaseSerializer, 404)
    def get(self, request: MemberRequest, case_id: UUID) -> object:
        """One solved case."""
        return _shown([selectors.case_get(organization=request.organization, case_id=case_id)])[0]

    @operation("cases_review", CaseSerializer, 404, 409, takes=InputSerializer)
    def post(self, request: MemberRequest, case_id: UUID, data: dict[str, Any]) -> object:
        """Approve or reject a case; approving one whose law has changed says that it still holds."""
        return _shown([services.case_review(**request.acting, case_id=case_id, **data)])[0]

    @operation("cases_remove", None, 404)
    def delete(self, request: MemberRequest, case_id: UUID) -> None:
        """Remove a case for good."""
        services.case_remove(**request.acting, case_id=case_id)


@extend_schema_serializer(component_name="CaseIndex")
class CaseIndexSerializer(serializers.Serializer[Any]):
    """An encoder by which cases are compared, and how many have vectors by it."""

    encoder = serializers.CharField(source="index.encoder")
    cue = serializers.CharField(source="index.cue", help_text="What goes before a question that seeks supports.")
    cases = serializers.IntegerField(source="n_cases")
    state = serializers.CharField()


class CaseIndexListApi(ManagersApi):
    @extend_schema_serializer(component_name="NewCaseIndex")
    class InputSerializer(serializers.Serializer[Any]):
        encoder = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
        cue = serializers.CharField(
            max_length=MAX_CUE,
            required=False,
            allow_null=True,
            default=None,
            allow_blank=True,
            trim_whitespace=False,
            help_text="What goes before a question that seeks supports; null leaves the one that the index has.",
        )

    @operation("case_indexes_list", CaseIndexSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """The encoders by which the cases of a corpus are compared."""
        return case_index_list(organization=request.organization, corpus_id=corpus_id)

    @operation("case_indexes_build", CaseIndexSerializer(many=True), 404, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Compare the cases by an encoder, or fill what it lacks, in the background."""
        case_index_build(**request.acting, corpus_id=corpus_id, **data)
        return case_index_list(organization=request.organization, corpus_id=corpus_id)

    @operation("case_indexes_remove", None, 404, parameters=[OpenApiParameter("encoder", str, required=True)])
    def delete(self, request: MemberRequest, corpus_id: UUID) -> None:
        """Compare the cases by an encoder no more, so that it can be removed."""
        case_index_remove(**request.acting, corpus_id=corpus_id, encoder=request.query_params.get("encoder", ""))


class CaseEntitiesApi(ManagersApi):
    @operation("cases_read_entities", JobSerializer, 404, status=202)
    def post(self, request: MemberRequest, corpus_id: UUID) -> object:
        """Let a language model read the acts and entities that rules have found so far, in the background."""
        return case_entities_begin(**request.acting, corpus_id=corpus_id)


class CaseStatisticsApi(ReviewersApi):
    @extend_schema_serializer(component_name="CaseStatistics")
    class OutputSerializer(serializers.Serializer[Any]):
        cases = serializers.IntegerField()
        cases_without_act = serializers.IntegerField()
        acts = serializers.DictField(child=serializers.IntegerField(), help_text="Cases that name it, by act.")
        histograms = serializers.ListField(
            child=serializers.DictField(), help_text="Cosines of nearest neighbours, in equal steps from 0 to 1."
        )

    @operation("cases_statistics", OutputSerializer, 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """The legal acts that the cases in use name, and how close the cases are by each encoder."""
        statistics = case_statistics(organization=request.organization, corpus_id=corpus_id)
        return {
            "cases": statistics.n_cases,
            "cases_without_act": statistics.n_without_act,
            "acts": dict(statistics.acts),
            "histograms": [
                {"encoder": one.encoder, "cue": one.cue, "part": one.part, "counts": list(one.counts)}
                for one in statistics.histograms
            ],
        }


def _shown(cases: list[CaseEntry]) -> list[dict[str, Any]]:
    documents = selectors.case_documents(cases=cases)
    own = ("external_id", "origin", "state", "entities_by", "is_expired", "note", "created_at")
    return [
        document | {"id": case.pk} | {name: getattr(case, name) for name in own}
        for case, document in zip(cases, documents, strict=True)
    ]
