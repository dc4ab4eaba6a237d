"""Addresses of the search."""

from django.urls import path

from retrieval import api

api_urlpatterns = [path("search/", api.SearchApi.as_view(), name="api_search")]
