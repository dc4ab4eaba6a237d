"""Endpoints of annotation: a grader's own items, blind as the pages are, and campaigns for those who lead them."""

import json
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from judging.campaigns import blind, lead
from judging.campaigns.exports import campaign_lines, long_rows
from judging.campaigns.items import MAX_ITEMS
from judging.campaigns.rubrics import CANNOT_JUDGE, FORMS
from judging.campaigns.services import campaigns, queue
from judging.campaigns.services.adjudication import grade_adjudicate
from judging.campaigns.services.campaigns import PLAN, Plan
from judging.campaigns.services.grading import MAX_NOTE, Action, Change, assignment_act
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.models import Role
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import error_responses, operation

READ: dict[str, str] = {"get": TokenScope.CORPORA_READ}
LEAD: dict[str, str] = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
LEADERS: dict[str, tuple[Role, ...]] = {"get": MANAGERS, "post": MANAGERS, "delete": MANAGERS}


class QueueSerializer(serializers.Serializer[Any]):
    campaign_id = serializers.UUIDField()
    name = serializers.CharField()
    corpus = serializers.CharField()
    form = serializers.ChoiceField(choices=list(FORMS))
    instructions = serializers.CharField()
    is_closed = serializers.BooleanField()
    done = serializers.IntegerField()
    left = serializers.IntegerField()
    median_seconds = serializers.FloatField(allow_null=True)


class AnnotationSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    campaign_id = serializers.UUIDField()
    place = serializers.IntegerField(help_text="In your own order of the items, from 1.")
    state = serializers.CharField()
    form = serializers.CharField()
    question = serializers.CharField()
    question_type = serializers.CharField()
    reference_answer = serializers.CharField()
    answers = serializers.ListField(child=serializers.DictField(), help_text="letter, text and passages of each.")
    fields_asked = serializers.ListField(
        source="fields", child=serializers.DictField(), help_text="What is asked, with the points of each scale."
    )
    grades = serializers.DictField(help_text="Your own so far, by the name of the field.")
    note = serializers.CharField()
    is_flagged = serializers.BooleanField()
    reference_note = serializers.CharField()
    is_training = serializers.BooleanField()
    feedback = serializers.DictField(allow_null=True, help_text="Of a training item, once it is submitted.")


class AnnotationListApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ}

    @operation("annotations_list", QueueSerializer(many=True))
    def get(self, request: MemberRequest) -> object:
        """The campaigns that you grade in, and how far you are."""
        return blind.queue_list(**request.acting)


class AnnotationNextApi(MemberApi):
    scopes = {"post": TokenScope.ANSWERS_WRITE}

    @extend_schema(
        operation_id="annotations_next",
        request=None,
        responses={200: AnnotationSerializer, 204: None, **error_responses(401, 404, 409)},
    )
    def post(self, request: MemberRequest, campaign_id: UUID) -> Response:
        """Open the item that you left open, or your next one; 204 where nothing is left for you."""
        assignment = queue.assignment_next(**request.acting, campaign_id=campaign_id)
        if assignment is None:
            return Response(status=204)
        return Response(AnnotationSerializer(blind.assignment_document(assignment)).data)


class AnnotationItemApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ, "post": TokenScope.ANSWERS_WRITE}

    @extend_schema_serializer(component_name="AnnotationChange")
    class InputSerializer(serializers.Serializer[Any]):
        action = serializers.ChoiceField(choices=[action.value for action in Action])
        grades = serializers.DictField(
            required=False, default=dict, help_text=f"By the name of the field: a value, or {CANNOT_JUDGE!r}."
        )
        note = serializers.CharField(required=False, default=None, allow_blank=True, max_length=MAX_NOTE)
        is_flagged = serializers.BooleanField(required=False, default=None, allow_null=True)
        reference_note = serializers.CharField(required=False, default=None, allow_blank=True, max_length=MAX_NOTE)
        seconds = serializers.FloatField(required=False, default=0, min_value=0)

    @operation("annotations_get", AnnotationSerializer, 404)
    def get(self, request: MemberRequest, assignment_id: UUID) -> object:
        """One of your items, with your own grades."""
        assignment = queue.assignment_get(**request.acting, assignment_id=assignment_id)
        return blind.assignment_document(assignment)

    @operation("annotations_act", AnnotationSerializer, 404, 409, takes=InputSerializer)
    def post(self, request: MemberRequest, assignment_id: UUID, data: dict[str, Any]) -> object:
        """Store a draft, submit, skip or undo; what is left out stays as it is."""
        sent = dict(data)
        action = Action(sent.pop("action"))
        assignment = assignment_act(**request.acting, assignment_id=assignment_id, action=action, change=Change(**sent))
        return blind.assignment_document(assignment)


class CampaignSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="campaign.pk")
    name = serializers.CharField(source="campaign.name")
    form = serializers.CharField(source="campaign.form")
    items = serializers.IntegerField(source="n_items")
    graders = serializers.IntegerField(source="n_graders")
    submitted = serializers.IntegerField(source="n_done")
    is_closed = serializers.BooleanField()
    created_at = serializers.DateTimeField(source="campaign.created_at")


class CampaignWholeSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    form = serializers.CharField()
    rubric_version = serializers.IntegerField()
    seed = serializers.IntegerField()
    is_closed = serializers.BooleanField()
    progress = serializers.ListField(child=serializers.DictField())
    agreement = serializers.ListField(child=serializers.DictField())
    graders = serializers.ListField(child=serializers.DictField())
    flagged = serializers.ListField(child=serializers.DictField())
    waits = serializers.IntegerField(help_text="Grades that wait for an adjudication.")
    hidden = serializers.CharField(help_text="Why figures are held back; empty where they are not.")


class CampaignListApi(MemberApi):
    scopes = LEAD
    roles = LEADERS

    @extend_schema_serializer(component_name="NewCampaign")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=campaigns.MAX_NAME)
        form = serializers.ChoiceField(choices=list(FORMS), required=False, default="criteria")
        gold_set_id = serializers.UUIDField(required=False, default=None)
        is_with_drafts = serializers.BooleanField(
            required=False, default=False, help_text="Also take questions of the gold set that are not approved yet."
        )
        items = serializers.ListField(
            child=serializers.DictField(),
            required=False,
            default=list,
            max_length=MAX_ITEMS,
            help_text="Each as a line of the file has it; or the records of a downloaded campaign.",
        )
        is_of_asked = serializers.BooleanField(required=False, default=False)
        grader_ids = serializers.ListField(child=serializers.UUIDField(), required=False, default=list)
        overlap = serializers.IntegerField(required=False, default=1)
        overlap_percent = serializers.IntegerField(required=False, default=100)
        repeat_percent = serializers.IntegerField(required=False, default=0)
        lease_minutes = serializers.IntegerField(required=False, default=30)
        seed = serializers.IntegerField(required=False, default=None, min_value=0, max_value=2**31 - 1)
        instructions = serializers.CharField(required=False, default="", allow_blank=True)

    @operation("campaigns_list", CampaignSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """The campaigns of a corpus."""
        return lead.campaign_rows(organization=request.organization, corpus_id=corpus_id)

    @operation("campaigns_create", CampaignWholeSerializer, 404, 409, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Make a campaign of a gold set, of items, or of graded answers."""
        wish = lead.Wish(
            file="\n".join(json.dumps(item) for item in data.pop("items")),
            graders=data.pop("grader_ids"),
            plan=Plan(**{name: data.pop(name) for name in (*PLAN, "seed")}),
            **data,
        )
        campaign = lead.campaign_make(**request.acting, corpus_id=corpus_id, wish=wish)
        return lead.campaign_document(**request.acting, campaign_id=campaign.pk)


class CampaignDetailApi(MemberApi):
    scopes = LEAD | {"delete": TokenScope.CORPORA_WRITE}
    roles = LEADERS

    @extend_schema_serializer(component_name="CampaignChange")
    class InputSerializer(serializers.Serializer[Any]):
        is_closed = serializers.BooleanField(required=False, default=None, allow_null=True)
        add_grader_ids = serializers.ListField(child=serializers.UUIDField(), required=False, default=list)

    @operation("campaigns_get", CampaignWholeSerializer, 404)
    def get(self, request: MemberRequest, campaign_id: UUID) -> object:
        """A campaign: progress, agreement and graders; others' grades only once you have graded your own items."""
        return lead.campaign_document(**request.acting, campaign_id=campaign_id)

    @operation("campaigns_update", CampaignWholeSerializer, 404, takes=InputSerializer)
    def post(self, request: MemberRequest, campaign_id: UUID, data: dict[str, Any]) -> object:
        """End a campaign or open it again, and add graders."""
        campaigns.campaign_graders_add(**request.acting, campaign_id=campaign_id, user_ids=data["add_grader_ids"])
        if data["is_closed"] is not None:
            campaigns.campaign_close(**request.acting, campaign_id=campaign_id, is_closed=data["is_closed"])
        return lead.campaign_document(**request.acting, campaign_id=campaign_id)

    @operation("campaigns_delete", None, 404)
    def delete(self, request: MemberRequest, campaign_id: UUID) -> None:
        """Remove a campaign with its grades."""
        campaigns.campaign_remove(**request.acting, campaign_id=campaign_id)


class CampaignGradesApi(MemberApi):
    scopes = READ
    roles = LEADERS

    @extend_schema_serializer(component_name="CampaignGrades")
    class OutputSerializer(serializers.Serializer[Any]):
        grades = serializers.ListField(child=serializers.DictField())

    @operation("campaigns_grades", OutputSerializer, 404, 409)
    def get(self, request: MemberRequest, campaign_id: UUID) -> object:
        """Every grade that counts, one object each, with graders as pseudonyms."""
        campaign = lead.campaign_export(**request.acting, campaign_id=campaign_id)
        return {"grades": long_rows(campaign=campaign)}


class CampaignFileApi(MemberApi):
    scopes = READ
    roles = LEADERS

    @extend_schema_serializer(component_name="CampaignRecords")
    class OutputSerializer(serializers.Serializer[Any]):
        items = serializers.ListField(child=serializers.DictField())

    @operation("campaigns_file", OutputSerializer, 404, 409)
    def get(self, request: MemberRequest, campaign_id: UUID) -> object:
        """The whole campaign as records; sent as the items of a new one, they make the same state again."""
        campaign = lead.campaign_export(**request.acting, campaign_id=campaign_id)
        return {"items": [json.loads(line) for line in campaign_lines(campaign=campaign)]}


class AdjudicationApi(MemberApi):
    scopes = LEAD
    roles = LEADERS

    @extend_schema_serializer(component_name="NewOutcome")
    class InputSerializer(serializers.Serializer[Any]):
        item = serializers.IntegerField(min_value=1)
        criterion = serializers.CharField(max_length=40)
        answer = serializers.IntegerField(required=False, default=0, min_value=0)
        value = serializers.IntegerField()
        reason = serializers.CharField()

    @extend_schema_serializer(component_name="Dispute")
    class OutputSerializer(serializers.Serializer[Any]):
        item = serializers.IntegerField(source="item.ordinal")
        question = serializers.CharField(source="item.content.question")
        criterion = serializers.CharField(source="criterion.key")
        answer = serializers.IntegerField()
        grades = serializers.ListField(child=serializers.ListField(), help_text="Letter, value and note of each.")
        outcome = serializers.IntegerField(source="outcome.value", default=None)
        reason = serializers.CharField(source="outcome.reason", default="")

    @operation("campaigns_disputes", OutputSerializer(many=True), 404, 409)
    def get(self, request: MemberRequest, campaign_id: UUID) -> object:
        """What graders differ on, without their names."""
        return lead.disputes_of(**request.acting, campaign_id=campaign_id)[1]

    @operation("campaigns_adjudicate", OutputSerializer(many=True), 404, 409, takes=InputSerializer)
    def post(self, request: MemberRequest, campaign_id: UUID, data: dict[str, Any]) -> object:
        """Decide one grade; the grades themselves stay."""
        campaign = campaigns.campaign_get(organization=request.organization, campaign_id=campaign_id)
        lead.blinded_check(campaign=campaign, user=request.user)
        grade_adjudicate(**request.acting, campaign_id=campaign_id, item=data["item"], decided=data)
        return lead.disputes_of(**request.acting, campaign_id=campaign_id)[1]
