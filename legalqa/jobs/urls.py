"""Addresses of background work: pages under `/o/<slug>/`, and endpoints."""

from django.urls import path

from legalqa.jobs import api, views

LIST = "corpora/<uuid:corpus_id>/jobs/"
JOB = "jobs/<uuid:job_id>/"

urlpatterns = [
    path(LIST, views.job_list, name="job_list"),
    path(f"{JOB}cancel/", views.job_cancel, name="job_cancel"),
    path(f"{JOB}retry/", views.job_retry, name="job_retry"),
]

api_urlpatterns = [
    path(LIST, api.JobListApi.as_view(), name="api_job_list"),
    path(JOB, api.JobDetailApi.as_view(), name="api_job_detail"),
    path(f"{JOB}cancel/", api.JobCancelApi.as_view(), name="api_job_cancel"),
    path(f"{JOB}retry/", api.JobRetryApi.as_view(), name="api_job_retry"),
]
