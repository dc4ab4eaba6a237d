"""Addresses of the rankers of a corpus: pages under `/o/<slug>/`, and endpoints."""

from django.urls import path

from legalqa.training.ranker import api, views

PAGE = "corpora/<uuid:corpus_id>/rankers/"
ONE = f"{PAGE}<uuid:ranker_id>/"

urlpatterns = [
    path(PAGE, views.ranker_train, name="ranker_train"),
    path(f"{PAGE}back/", views.ranker_roll_back, name="ranker_roll_back"),
    path(f"{PAGE}packaged/", views.ranker_use_packaged, name="ranker_use_packaged"),
    path(ONE, views.ranker_detail, name="ranker_detail"),
    path(f"{ONE}use/", views.ranker_use, name="ranker_use"),
    path(f"{ONE}cancel/", views.ranker_cancel, name="ranker_cancel"),
    path(f"{ONE}resume/", views.ranker_resume, name="ranker_resume"),
    path(f"{ONE}remove/", views.ranker_remove, name="ranker_remove"),
]

api_urlpatterns = [
    path(PAGE, api.RankerListApi.as_view(), name="api_ranker_list"),
    path(f"{PAGE}in-use/", api.RankerInUseApi.as_view(), name="api_ranker_in_use"),
    path(f"{PAGE}roll-back/", api.RankerRollBackApi.as_view(), name="api_ranker_roll_back"),
    path(ONE, api.RankerDetailApi.as_view(), name="api_ranker_detail"),
    path(f"{ONE}cancel/", api.RankerCancelApi.as_view(), name="api_ranker_cancel"),
    path(f"{ONE}resume/", api.RankerResumeApi.as_view(), name="api_ranker_resume"),
]
