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
    path("corpora/<uuid:corpus_id>/graph/", graph_views.graph_page, name="graph_page"),
    path("corpora/<uuid:corpus_id>/graph/paths/", graph_views.graph_paths, name="graph_paths"),
    path("corpora/<uuid:corpus_id>/graph/build/", graph_views.graph_build, name="graph_build"),
    path("corpora/<uuid:corpus_id>/graph/review/", graph_views.graph_review, name="graph_review"),
    path("corpora/<uuid:corpus_id>/graph/export/", graph_views.graph_export, name="graph_export"),
    path("corpora/<uuid:corpus_id>/graph/entities/<uuid:entity_id>/", graph_views.graph_entity, name="graph_entity"),
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
    path("corpora/<uuid:corpus_id>/graph/", graph_api.GraphApi.as_view(), name="api_graph"),
    path("corpora/<uuid:corpus_id>/graph/triplets/", graph_api.TripletListApi.as_view(), name="api_triplet_list"),
    path("corpora/<uuid:corpus_id>/graph/entities/", graph_api.EntityListApi.as_view(), name="api_entity_list"),
    path(
        "corpora/<uuid:corpus_id>/graph/entities/<uuid:entity_id>/",
        graph_api.EntityApi.as_view(),
        name="api_entity",
    ),
    path("corpora/<uuid:corpus_id>/graph/decisions/", graph_api.DecisionListApi.as_view(), name="api_decision_list"),
    path("corpora/<uuid:corpus_id>/graph/paths/", graph_api.PathApi.as_view(), name="api_path"),
    path("corpora/<uuid:corpus_id>/graph/export/", graph_api.GraphExportApi.as_view(), name="api_graph_export"),
]
