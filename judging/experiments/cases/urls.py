"""Pages of evaluations of case bases under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.experiments.cases import api, views

OF_CORPUS, ONE = "corpora/<uuid:corpus_id>/case-evaluations/", "case-evaluations/<uuid:evaluation_id>/"

urlpatterns = [
    path(OF_CORPUS, views.case_evaluation_list, name="case_evaluation_list"),
    path(f"{OF_CORPUS}start/", views.case_evaluation_start, name="case_evaluation_start"),
    path(ONE, views.case_evaluation_detail, name="case_evaluation_detail"),
    path(f"{ONE}state/", views.case_evaluation_state, name="case_evaluation_state"),
    path(f"{ONE}measure/", views.case_evaluation_measure, name="case_evaluation_measure"),
    path(f"{ONE}remove/", views.case_evaluation_remove, name="case_evaluation_remove"),
]
api_urlpatterns = api.case_evaluation_routes
