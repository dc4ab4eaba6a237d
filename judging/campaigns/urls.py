"""Pages of campaigns and of grading under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.campaigns import views

urlpatterns = [
    path("annotation/", views.annotation_home, name="annotation_home"),
    path("annotation/<uuid:campaign_id>/", views.annotation_begin, name="annotation_begin"),
    path("annotation/items/<uuid:assignment_id>/", views.annotation_item, name="annotation_item"),
]

api_urlpatterns: list = []
