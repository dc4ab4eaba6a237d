"""Pages of gold sets under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.gold import api, views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-sets/", views.gold_set_list, name="gold_set_list"),
    path("corpora/<uuid:corpus_id>/gold-sets/marked/", views.gold_set_of_marks, name="gold_set_of_marks"),
    path("corpora/<uuid:corpus_id>/gold-sets/graded/", views.gold_set_of_grades, name="gold_set_of_grades"),
    path("gold-sets/<uuid:gold_set_id>/", views.gold_set_detail, name="gold_set_detail"),
    path("gold-sets/<uuid:gold_set_id>/file/", views.gold_set_file, name="gold_set_file"),
    path("gold-sets/<uuid:gold_set_id>/remove/", views.gold_set_remove, name="gold_set_remove"),
]

api_urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-sets/", api.GoldSetListApi.as_view(), name="api_gold_set_list"),
    path("corpora/<uuid:corpus_id>/gold-sets/graded/", api.GoldSetOfGradesApi.as_view(), name="api_gold_set_of_grades"),
    path("gold-sets/<uuid:gold_set_id>/", api.GoldSetDetailApi.as_view(), name="api_gold_set_detail"),
]
