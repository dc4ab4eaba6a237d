"""Pages of the case base under `/o/<slug>/`, and its endpoints under `/api/v1/`."""

from django.urls import path

from retrieval.cases import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/cases/", views.case_list, name="case_list"),
    path("corpora/<uuid:corpus_id>/cases/import/", views.case_import, name="case_import"),
    path("corpora/<uuid:corpus_id>/cases/approve/", views.case_approve_waiting, name="case_approve_waiting"),
    path("corpora/<uuid:corpus_id>/cases/build/", views.case_build, name="case_build"),
    path("corpora/<uuid:corpus_id>/cases/compare/remove/", views.case_index_remove, name="case_index_remove"),
    path("corpora/<uuid:corpus_id>/cases/entities/", views.case_entities, name="case_entities"),
    path("corpora/<uuid:corpus_id>/cases/file/", views.case_file, name="case_file"),
    path("corpora/<uuid:corpus_id>/cases/statistics/", views.case_statistics, name="case_statistics"),
    path("cases/<uuid:case_id>/", views.case_detail, name="case_detail"),
    path("cases/<uuid:case_id>/review/", views.case_review, name="case_review"),
    path("cases/<uuid:case_id>/remove/", views.case_remove, name="case_remove"),
]

api_urlpatterns = [
    path("corpora/<uuid:corpus_id>/cases/", api.CaseListApi.as_view(), name="api_case_list"),
    path("corpora/<uuid:corpus_id>/cases/indexes/", api.CaseIndexListApi.as_view(), name="api_case_index_list"),
    path("corpora/<uuid:corpus_id>/cases/entities/", api.CaseEntitiesApi.as_view(), name="api_case_entities"),
    path("corpora/<uuid:corpus_id>/cases/statistics/", api.CaseStatisticsApi.as_view(), name="api_case_statistics"),
    path("cases/<uuid:case_id>/", api.CaseDetailApi.as_view(), name="api_case_detail"),
]
