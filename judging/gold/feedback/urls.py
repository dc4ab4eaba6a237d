"""Pages of feedback under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.gold.feedback import api, views

urlpatterns = [
    path("feedback/mine/", views.mine, name="feedback_mine"),
    path("feedback/<uuid:grade_id>/", views.review, name="feedback_review"),
    path("corpora/<uuid:corpus_id>/feedback/", views.queue, name="feedback_list"),
    path("corpora/<uuid:corpus_id>/feedback/export/", views.export, name="feedback_export"),
    path("corpora/<uuid:corpus_id>/threshold/", views.threshold, name="threshold_page"),
]

api_urlpatterns = [
    path("feedback/mine/", api.MyFeedbackApi.as_view(), name="api_feedback_mine"),
    path("feedback/<uuid:grade_id>/", api.FeedbackDetailApi.as_view(), name="api_feedback_detail"),
    path("corpora/<uuid:corpus_id>/feedback/", api.FeedbackListApi.as_view(), name="api_feedback_list"),
    path("corpora/<uuid:corpus_id>/feedback/export/", api.FeedbackExportApi.as_view(), name="api_feedback_export"),
    path("corpora/<uuid:corpus_id>/threshold/", api.ThresholdApi.as_view(), name="api_threshold"),
]
