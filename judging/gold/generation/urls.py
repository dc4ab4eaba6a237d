"""Pages of generations under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.gold.generation import api, views

GENERATION = "gold-generations/<uuid:generation_id>/"

urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-generations/", views.generation_start, name="generation_start"),
    path(GENERATION, views.generation_detail, name="generation_detail"),
    path(f"{GENERATION}state/", views.generation_state, name="generation_state"),
    path(f"{GENERATION}cancel/", views.generation_cancel, name="generation_cancel"),
    path(f"{GENERATION}resume/", views.generation_resume, name="generation_resume"),
]

api_urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-generations/", api.GenerationListApi.as_view(), name="api_generation_list"),
    path(GENERATION, api.GenerationDetailApi.as_view(), name="api_generation_detail"),
    path(f"{GENERATION}cancel/", api.GenerationCancelApi.as_view(), name="api_generation_cancel"),
    path(f"{GENERATION}resume/", api.GenerationResumeApi.as_view(), name="api_generation_resume"),
]
