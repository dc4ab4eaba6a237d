"""Endpoints of the clause library and of the clauses of contracts."""

from functools import partial
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.selectors import corpus_get
from legalqa.accounts.api import MemberRequest, ReviewersApi
from legalqa.answering.clauses import services
from legalqa.answering.clauses.models import ClauseState
from legalqa.answering.clauses.pages import verdict_documents
from legalqa.answering.clauses.reading import Clause
from legalqa.answering.clauses.services import REVIEWED
from legalqa.common.drf import PAGING, operation, paged
from legalqa.jobs.api import JobSerializer
from legalqa.jobs.models import Job


class ClauseSerializer(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="Names the clause when contracts are read for it.")
    name = serializers.CharField()
    wording = serializers.CharField(help_text="What is meant; for the first 41, in the words of CUAD (CC BY 4.0).")
    question = serializers.CharField(help_text="What the reader is asked.")


class ClauseVerdictSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    document_id = serializers.UUIDField()
    document = serializers.CharField()
    version = serializers.IntegerField()
    clause = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=ClauseState.choices, help_text="A person's verdict if there is one.")
    read_as = serializers.ChoiceField(choices=ClauseState.choices, help_text="The reader's verdict.")
    probability = serializers.FloatField(help_text="That the best passage contains the clause.")
    quote = serializers.CharField(help_text="The sentence that contains it; empty if it is absent.")
    start = serializers.IntegerField(help_text="Offset of the quote in its paragraph's text.")
    end = serializers.IntegerField(help_text="Offset in the paragraph's text, exclusive.")
    provision = serializers.CharField(help_text="Its heading and number.")
    page_label = serializers.CharField(help_text="The page as printed; empty for files without pages.")
    reviewed_by = serializers.IntegerField(allow_null=True)
    reviewed_at = serializers.DateTimeField(allow_null=True)


class ClauseLibraryApi(ReviewersApi):
    @extend_schema_serializer(component_name="ClauseAdd")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=80)
        question = serializers.CharField(max_length=300)

    @operation("clauses_list", ClauseSerializer(many=True))
    def get(self, request: MemberRequest) -> list[Clause]:
        """The clauses that contracts can be read for: the 41 of CUAD, then your organisation's own."""
        return services.clause_list(organization=request.organization)

    @operation("clauses_create", ClauseSerializer, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> Clause:
        """Add a clause of your organisation's own: a name, and a question that the reader is asked."""
        services.clause_add(**request.acting, **data)
        return services.clause_list(organization=request.organization)[-1]


class ClauseQuestionApi(ReviewersApi):
    @operation("clauses_destroy", None, 404)
    def delete(self, request: MemberRequest, clause_id: UUID) -> None:
        """Remove a clause of your own; verdicts on it are kept."""
        services.clause_remove(**request.acting, clause_id=clause_id)


class ClauseVerdictListApi(ReviewersApi):
    @extend_schema_serializer(component_name="ClausesAsk")
    class InputSerializer(serializers.Serializer[Any]):
        document_ids = serializers.ListField(child=serializers.UUIDField(), max_length=services.MAX_DOCUMENTS)
        clauses = serializers.ListField(
            child=serializers.CharField(max_length=60), default=list, help_text="Keys; none for all."
        )
        again = serializers.BooleanField(
            default=False, help_text="Read again, except verdicts that a person has confirmed or corrected."
        )

    class FilterSerializer(serializers.Serializer[Any]):
        document_id = serializers.UUIDField(required=False)
        clause = serializers.CharField(required=False)

    @operation(
        "clause_verdicts_list",
        ClauseVerdictSerializer(many=True),
        404,
        parameters=PAGING,
        filters=FilterSerializer,
    )
    def get(self, request: MemberRequest, corpus_id: UUID, filters: dict[str, Any]) -> Response:
        """What the current versions of the corpus's contracts say on each clause that they were read for."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        rows = services.verdicts_chosen(organization=request.organization, corpus=corpus, **filters)
        shown = partial(verdict_documents, organization=request.organization)
        return paged(rows, request, ClauseVerdictSerializer, shown=shown)

    @operation("clause_verdicts_create", JobSerializer, 404, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> Job:
        """Read contracts for clauses, in the background."""
        return services.clauses_ask(**request.acting, corpus_id=corpus_id, **data)


class ClauseVerdictApi(ReviewersApi):
    @extend_schema_serializer(component_name="ClauseVerdictReview")
    class InputSerializer(serializers.Serializer[Any]):
        state = serializers.ChoiceField(choices=[(one.value, one.label) for one in REVIEWED])

    @operation("clause_verdicts_review", ClauseVerdictSerializer, 404, takes=InputSerializer)
    def patch(self, request: MemberRequest, verdict_id: UUID, data: dict[str, Any]) -> dict[str, Any]:
        """Confirm or correct a verdict; it is kept with your name and the time."""
        row = services.verdict_review(**request.acting, verdict_id=verdict_id, **data)
        return verdict_documents([row], organization=request.organization)[0]
