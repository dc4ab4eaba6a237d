"""Pages of tunings under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from legalqa.training.tuning import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/tunings/", views.tuning_start, name="tuning_start"),
    path("tunings/<uuid:tuning_id>/", views.tuning_detail, name="tuning_detail"),
    path("tunings/<uuid:tuning_id>/state/", views.tuning_state, name="tuning_state"),
    path("tunings/<uuid:tuning_id>/use/", views.tuning_use, name="tuning_use"),
]

api_urlpatterns = [
    *api.tuning_routes,
    path("tunings/<uuid:tuning_id>/use/", api.TuningUseApi.as_view(), name="api_tuning_use"),
]
