"""Addresses of the classifiers of question complexity: pages under `/o/<slug>/`, and endpoints."""

from django.urls import path

from legalqa.training.classifier import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/training/", views.complexity_training, name="complexity_training"),
    path("corpora/<uuid:corpus_id>/training/versions/", views.complexity_versions, name="complexity_versions"),
    path(
        "corpora/<uuid:corpus_id>/training/back/",
        views.complexity_roll_back,
        name="complexity_roll_back",
    ),
    path("corpora/<uuid:corpus_id>/training/<uuid:classifier_id>/", views.complexity_report, name="complexity_report"),
    path(
        "corpora/<uuid:corpus_id>/training/<uuid:classifier_id>/use/",
        views.complexity_activate,
        name="complexity_activate",
    ),
    path(
        "corpora/<uuid:corpus_id>/training/<uuid:classifier_id>/remove/",
        views.complexity_remove,
        name="complexity_remove",
    ),
    path(
        "corpora/<uuid:corpus_id>/training/<uuid:classifier_id>/cancel/",
        views.complexity_cancel,
        name="complexity_cancel",
    ),
    path(
        "corpora/<uuid:corpus_id>/training/<uuid:classifier_id>/resume/",
        views.complexity_resume,
        name="complexity_resume",
    ),
]

api_urlpatterns = [
    path("corpora/<uuid:corpus_id>/classifiers/", api.ClassifierListApi.as_view(), name="api_classifier_list"),
    path(
        "corpora/<uuid:corpus_id>/classifiers/in-use/",
        api.ClassifierActiveApi.as_view(),
        name="api_classifier_in_use",
    ),
    path(
        "corpora/<uuid:corpus_id>/classifiers/roll-back/",
        api.ClassifierRollBackApi.as_view(),
        name="api_classifier_roll_back",
    ),
    path(
        "corpora/<uuid:corpus_id>/classifiers/<uuid:classifier_id>/",
        api.ClassifierDetailApi.as_view(),
        name="api_classifier_detail",
    ),
    path(
        "corpora/<uuid:corpus_id>/classifiers/<uuid:classifier_id>/cancel/",
        api.ClassifierCancelApi.as_view(),
        name="api_classifier_cancel",
    ),
    path(
        "corpora/<uuid:corpus_id>/classifiers/<uuid:classifier_id>/resume/",
        api.ClassifierResumeApi.as_view(),
        name="api_classifier_resume",
    ),
    path("corpora/<uuid:corpus_id>/complexity/", api.ComplexityApi.as_view(), name="api_complexity"),
]
