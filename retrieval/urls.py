"""Addresses of the search: the lab under `/o/<slug>/`, and the endpoints."""

from django.urls import path

from retrieval.api import mappings as mapping_api
from retrieval.api import presets as preset_api
from retrieval.api import search as api
from retrieval.cases import urls as cases
from retrieval.questions import urls as questions
from retrieval.views import lab as views
from retrieval.views import mappings as mapping_views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/lab/", views.search_lab, name="search_lab"),
    path(
        "corpora/<uuid:corpus_id>/lab/presets/<uuid:preset_id>/remove/",
        views.preset_remove,
        name="preset_remove",
    ),
    path("corpora/<uuid:corpus_id>/mapping/<int:n_classes>/", mapping_views.mapping_page, name="mapping_page"),
    path("corpora/<uuid:corpus_id>/mapping/<int:n_classes>/use/", mapping_views.mapping_again, name="mapping_again"),
    *cases.urlpatterns,
    *questions.urlpatterns,
]

api_urlpatterns = [
    path("search/", api.SearchApi.as_view(), name="api_search"),
    path("corpora/<uuid:corpus_id>/presets/", preset_api.PresetListApi.as_view(), name="api_preset_list"),
    path(
        "corpora/<uuid:corpus_id>/presets/<uuid:preset_id>/",
        preset_api.PresetDetailApi.as_view(),
        name="api_preset_detail",
    ),
    path("corpora/<uuid:corpus_id>/mappings/<int:n_classes>/", mapping_api.MappingApi.as_view(), name="api_mapping"),
    *cases.api_urlpatterns,
    *questions.api_urlpatterns,
]
