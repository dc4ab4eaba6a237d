"""Addresses of the search: the lab under `/o/<slug>/`, and the endpoint."""

from django.urls import path

from retrieval import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/lab/", views.search_lab, name="search_lab"),
    path(
        "corpora/<uuid:corpus_id>/lab/presets/<uuid:preset_id>/remove/",
        views.preset_remove,
        name="preset_remove",
    ),
]

api_urlpatterns = [path("search/", api.SearchApi.as_view(), name="api_search")]
