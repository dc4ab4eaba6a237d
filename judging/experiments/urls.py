"""Pages of experiments under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.experiments import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/experiments/", views.experiment_list, name="experiment_list"),
    path("corpora/<uuid:corpus_id>/experiments/new/", views.experiment_start, name="experiment_start"),
    path("experiments/<uuid:experiment_id>/", views.experiment_detail, name="experiment_detail"),
    path("experiments/<uuid:experiment_id>/state/", views.experiment_state, name="experiment_state"),
    path("experiments/<uuid:experiment_id>/resume/", views.experiment_resume, name="experiment_resume"),
    path("experiments/<uuid:experiment_id>/schedule/", views.experiment_schedule, name="experiment_schedule"),
    path("experiments/<uuid:experiment_id>/remove/", views.experiment_remove, name="experiment_remove"),
]

api_urlpatterns = [
    *api.experiment_routes,
    path(
        "experiments/<uuid:experiment_id>/schedule/",
        api.ExperimentRepeatApi.as_view(),
        name="api_experiment_schedule",
    ),
]
