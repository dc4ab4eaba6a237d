"""Pages of generations under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.generation import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-generations/", views.generation_start, name="generation_start"),
    path("gold-generations/<uuid:generation_id>/", views.generation_detail, name="generation_detail"),
    path("gold-generations/<uuid:generation_id>/state/", views.generation_state, name="generation_state"),
    path("gold-generations/<uuid:generation_id>/cancel/", views.generation_cancel, name="generation_cancel"),
    path("gold-generations/<uuid:generation_id>/resume/", views.generation_resume, name="generation_resume"),
]

api_urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-generations/", api.GenerationListApi.as_view(), name="api_generation_list"),
    path("gold-generations/<uuid:generation_id>/", api.GenerationDetailApi.as_view(), name="api_generation_detail"),
    path(
        "gold-generations/<uuid:generation_id>/cancel/", api.GenerationCancelApi.as_view(), name="api_generation_cancel"
    ),
    path(
        "gold-generations/<uuid:generation_id>/resume/", api.GenerationResumeApi.as_view(), name="api_generation_resume"
    ),
]
