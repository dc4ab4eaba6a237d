"""Addresses of the search: the lab under `/o/<slug>/`, and the endpoints."""

from django.urls import path

from retrieval.api import graph as graph_api
from retrieval.api import mappings as mapping_api
from retrieval.api import presets as preset_api
from retrieval.api import search as api
from retrieval.cases import urls as cases
from retrieval.questions import urls as questions
from retrieval.views import graph as graph_views
from retrieval.views import lab as views
from retrieval.views import mappings as mapping_views

CORPUS = "corpora/<uuid:corpus_id>/"

urlpatterns = [
    path(f"{CORPUS}lab/", views.search_lab, name="search_lab"),
    path(f"{CORPUS}lab/presets/<uuid:preset_id>/remove/", views.preset_remove, name="preset_remove"),
    path(f"{CORPUS}mapping/<int:n_classes>/", mapping_views.mapping_page, name="mapping_page"),
    path(f"{CORPUS}mapping/<int:n_classes>/use/", mapping_views.mapping_again, name="mapping_again"),
    *cases.urlpatterns,
    *questions.urlpatterns,
    path(f"{CORPUS}graph/", graph_views.graph_page, name="graph_page"),
    path(f"{CORPUS}graph/paths/", graph_views.graph_paths, name="graph_paths"),
    path(f"{CORPUS}graph/build/", graph_views.graph_build, name="graph_build"),
    path(f"{CORPUS}graph/review/", graph_views.graph_review, name="graph_review"),
    path(f"{CORPUS}graph/export/", graph_views.graph_export, name="graph_export"),
    path(f"{CORPUS}graph/entities/<uuid:entity_id>/", graph_views.graph_entity, name="graph_entity"),
]

api_urlpatterns = [
    path("search/", api.SearchApi.as_view(), name="api_search"),
    path(f"{CORPUS}presets/", preset_api.PresetListApi.as_view(), name="api_preset_list"),
    path(f"{CORPUS}presets/<uuid:preset_id>/", preset_api.PresetDetailApi.as_view(), name="api_preset_detail"),
    path(f"{CORPUS}mappings/<int:n_classes>/", mapping_api.MappingApi.as_view(), name="api_mapping"),
    *cases.api_urlpatterns,
    *questions.api_urlpatterns,
    path(f"{CORPUS}graph/", graph_api.GraphApi.as_view(), name="api_graph"),
    path(f"{CORPUS}graph/triplets/", graph_api.TripletListApi.as_view(), name="api_triplet_list"),
    path(f"{CORPUS}graph/entities/", graph_api.EntityListApi.as_view(), name="api_entity_list"),
    path(f"{CORPUS}graph/entities/<uuid:entity_id>/", graph_api.EntityApi.as_view(), name="api_entity"),
    path(f"{CORPUS}graph/decisions/", graph_api.DecisionListApi.as_view(), name="api_decision_list"),
    path(f"{CORPUS}graph/paths/", graph_api.PathApi.as_view(), name="api_path"),
    path(f"{CORPUS}graph/export/", graph_api.GraphExportApi.as_view(), name="api_graph_export"),
]
