"""The endpoint of trust in a judge: the same document as the page."""

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.selectors import corpus_get
from judging.experiments.figures.api import FigureSerializer
from judging.experiments.trust.pages import ratings_page, trust_page
from judging.measures.agreement.ratings import JUDGE
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.drf import chosen, operation
from legalqa.common.forms import MAX_FILE_BYTES


class GradeIntervalSerializer(serializers.Serializer[Any]):
    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    n = serializers.IntegerField(help_text="Answers that people graded.")


class EstimateSerializer(serializers.Serializer[Any]):
    experiment = serializers.UUIDField(source="of.experiment")
    configuration = serializers.CharField(source="of.cell")
    estimate = GradeIntervalSerializer(
        source="powered.estimate", allow_null=True, help_text="From people and judge together; null: too few."
    )
    people_alone = GradeIntervalSerializer(source="powered.human_only", allow_null=True)
    judge_mean = serializers.FloatField(
        source="powered.judge_mean", allow_null=True, help_text="Over all answers that the judge scored."
    )
    judge_minus_people = serializers.FloatField(source="powered.bias", allow_null=True)
    graded_by_people = serializers.IntegerField(source="n_people")
    scored_by_the_judge_alone = serializers.IntegerField(source="n_alone")
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no estimate.")


class TrustSerializer(serializers.Serializer[Any]):
    campaign = serializers.UUIDField(allow_null=True, help_text="Null where the corpus has no campaign.")
    criterion = serializers.CharField(allow_blank=True)
    judge = serializers.CharField(allow_blank=True, help_text="Whose matrices these are.")
    judges = serializers.ListField(child=serializers.CharField())
    left_out = serializers.ListField(
        child=serializers.CharField(), help_text="Judges' measures that are on another scale than the criterion."
    )
    graded = serializers.IntegerField(help_text="Answers with a grade.")
    disagreements = serializers.IntegerField()
    estimates = EstimateSerializer(many=True, help_text="What people would give to all answers of a configuration.")
    figures = FigureSerializer(many=True)


class TrustApi(ManagersApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ, "post": TokenScope.DOCUMENTS_READ}
    in_scope = False  # measuring ratings takes seconds and needs no database

    @extend_schema_serializer(component_name="RatingsFromElsewhere")
    class InputSerializer(serializers.Serializer[Any]):
        ratings = serializers.CharField(
            max_length=MAX_FILE_BYTES, trim_whitespace=False, help_text="A file of ratings as text, CSV or JSONL."
        )
        judge = serializers.CharField(
            max_length=100, default=JUDGE, allow_blank=True, help_text="The rater compared with the others."
        )

    @operation(
        "corpora_trust",
        TrustSerializer,
        404,
        parameters=[
            OpenApiParameter("campaign", str, description="Default: the newest."),
            OpenApiParameter("criterion", str, description="Default: the campaign's first."),
            OpenApiParameter("judge", str, description="Default: the first."),
        ],
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """How far judges agree with the people who graded the same answers in a campaign."""
        query = request.query_params.dict()
        with organization_scope(request.organization, user=request.user):
            page = trust_page(organization=request.organization, corpus_id=corpus_id, query=query)
        chosen(request, "criterion", (one.key for one in page.get("criteria", ())))
        chosen(request, "judge", page.get("judges", ()))
        campaign, criterion = page.get("campaign"), page.get("criterion")
        return {
            "campaign": campaign.pk if campaign else None,
            "criterion": criterion.key if criterion else "",
            "judge": page.get("judge", ""),
            "judges": page.get("judges", []),
            "left_out": page.get("left_out", []),
            "graded": page.get("n_items", 0),
            "disagreements": page.get("n_apart", 0),
            "estimates": page.get("estimates", []),
            "figures": page.get("charts", []),
        }

    @operation("corpora_trust_ratings", OpenApiTypes.OBJECT, 404, request=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """How far ratings from elsewhere agree, as the command `agreement` says it; nothing is stored."""
        with organization_scope(request.organization, user=request.user):
            corpus_get(organization=request.organization, corpus_id=corpus_id)
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent = data.validated_data
        return Response(ratings_page(text=sent["ratings"], judge=sent["judge"])["rated"].document())
