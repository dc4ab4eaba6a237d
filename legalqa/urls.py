"""The whole site on one screen: pages, API, admin."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from corpora.urls import api_urlpatterns as corpora_api
from judging.urls import api_urlpatterns as judging_api
from legalqa.accounts.urls import api_urlpatterns as accounts_api
from legalqa.accounts.urls import organization_urlpatterns
from legalqa.answering.urls import api_urlpatterns as answering_api
from legalqa.common.views import ApiDocsView, ApiSchemaView
from legalqa.dashboard.urls import api_urlpatterns as dashboard_api
from legalqa.jobs.urls import api_urlpatterns as jobs_api
from legalqa.llm.urls import api_urlpatterns as llm_api
from legalqa.training.urls import api_urlpatterns as training_api
from legalqa.webhooks.urls import api_urlpatterns as webhooks_api
from retrieval.urls import api_urlpatterns as retrieval_api

organization_pages: list[URLPattern | URLResolver] = [
    *organization_urlpatterns,
    path("", include("legalqa.jobs.urls")),
    path("", include("corpora.urls")),
    path("", include("retrieval.urls")),
    path("", include("judging.urls")),
    path("", include("legalqa.training.urls")),
    path("", include("legalqa.answering.urls")),
    path("", include("legalqa.webhooks.urls")),
    path("", include("legalqa.llm.urls")),
    path("", include("legalqa.dashboard.urls")),
]

handler404 = "legalqa.common.views.not_found"
handler500 = "legalqa.common.views.fault"

api: list[URLPattern | URLResolver] = [
    *accounts_api,
    *jobs_api,
    *corpora_api,
    *retrieval_api,
    *judging_api,
    *training_api,
    *answering_api,
    *webhooks_api,
    *llm_api,
    *dashboard_api,
    path("schema/", ApiSchemaView.as_view(), name="api_schema"),
    path("docs/", ApiDocsView.as_view(), name="api_docs"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("legalqa.accounts.urls")),
    path("o/<slug:slug>/", include(organization_pages)),
    path("api/v1/", include(api)),
    path("operators/", admin.site.urls),
    path("", include("legalqa.operations.urls")),
]
