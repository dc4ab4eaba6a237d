"""Pages of campaigns and of grading under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.campaigns import api
from judging.campaigns.views import grading, lead

urlpatterns = [
    path("annotation/", grading.annotation_home, name="annotation_home"),
    path("annotation/<uuid:campaign_id>/", grading.annotation_begin, name="annotation_begin"),
    path("annotation/items/<uuid:assignment_id>/", grading.annotation_item, name="annotation_item"),
    path("corpora/<uuid:corpus_id>/campaigns/", lead.campaign_list, name="campaign_list"),
    path("campaigns/<uuid:campaign_id>/", lead.campaign_detail, name="campaign_detail"),
    path("campaigns/<uuid:campaign_id>/graders/", lead.campaign_graders, name="campaign_graders"),
    path("campaigns/<uuid:campaign_id>/close/", lead.campaign_close, name="campaign_close"),
    path("campaigns/<uuid:campaign_id>/remove/", lead.campaign_remove, name="campaign_remove"),
    path("campaigns/<uuid:campaign_id>/file/", lead.campaign_file, name="campaign_file"),
    path("campaigns/<uuid:campaign_id>/adjudication/", lead.campaign_adjudication, name="campaign_adjudication"),
]

api_urlpatterns = [
    path("annotations/", api.AnnotationListApi.as_view(), name="api_annotation_list"),
    path("annotations/<uuid:campaign_id>/next/", api.AnnotationNextApi.as_view(), name="api_annotation_next"),
    path("annotations/items/<uuid:assignment_id>/", api.AnnotationItemApi.as_view(), name="api_annotation_item"),
    path("corpora/<uuid:corpus_id>/campaigns/", api.CampaignListApi.as_view(), name="api_campaign_list"),
    path("campaigns/<uuid:campaign_id>/", api.CampaignDetailApi.as_view(), name="api_campaign_detail"),
    path("campaigns/<uuid:campaign_id>/grades/", api.CampaignGradesApi.as_view(), name="api_campaign_grades"),
    path("campaigns/<uuid:campaign_id>/file/", api.CampaignFileApi.as_view(), name="api_campaign_file"),
    path("campaigns/<uuid:campaign_id>/adjudication/", api.AdjudicationApi.as_view(), name="api_adjudication"),
]
