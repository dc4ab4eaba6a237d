"""Pages of generations under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.gold.generation import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-generations/", views.generation_start, name="generation_start"),
    path("gold-generations/<uuid:generation_id>/", views.generation_detail, name="generation_detail"),
    path("gold-generations/<uuid:generation_id>/state/", views.generation_state, name="generation_state"),
]
api_urlpatterns = api.generation_routes
