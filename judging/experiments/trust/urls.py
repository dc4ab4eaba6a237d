"""The page of trust in a judge, and its endpoint."""

from django.urls import path

from judging.experiments.trust import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/trust/", views.trust, name="trust_page"),
    path("corpora/<uuid:corpus_id>/trust/campaign/", views.trust_campaign, name="trust_campaign"),
]

api_urlpatterns = [path("corpora/<uuid:corpus_id>/trust/", api.TrustApi.as_view(), name="api_trust")]
