"""Pages of gold sets and tunings under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging import gold_api, gold_views

urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-sets/", gold_views.gold_set_list, name="gold_set_list"),
    path("corpora/<uuid:corpus_id>/gold-sets/marked/", gold_views.gold_set_of_marks, name="gold_set_of_marks"),
    path("corpora/<uuid:corpus_id>/tunings/", gold_views.tuning_start, name="tuning_start"),
    path("gold-sets/<uuid:gold_set_id>/", gold_views.gold_set_detail, name="gold_set_detail"),
    path("gold-sets/<uuid:gold_set_id>/file/", gold_views.gold_set_file, name="gold_set_file"),
    path("gold-sets/<uuid:gold_set_id>/remove/", gold_views.gold_set_remove, name="gold_set_remove"),
    path("tunings/<uuid:tuning_id>/", gold_views.tuning_detail, name="tuning_detail"),
    path("tunings/<uuid:tuning_id>/state/", gold_views.tuning_state, name="tuning_state"),
    path("tunings/<uuid:tuning_id>/cancel/", gold_views.tuning_cancel, name="tuning_cancel"),
    path("tunings/<uuid:tuning_id>/go-on/", gold_views.tuning_go_on, name="tuning_go_on"),
    path("tunings/<uuid:tuning_id>/use/", gold_views.tuning_use, name="tuning_use"),
]

api_urlpatterns = [
    path("corpora/<uuid:corpus_id>/gold-sets/", gold_api.GoldSetListApi.as_view(), name="api_gold_set_list"),
    path("corpora/<uuid:corpus_id>/tunings/", gold_api.TuningListApi.as_view(), name="api_tuning_list"),
    path("gold-sets/<uuid:gold_set_id>/", gold_api.GoldSetDetailApi.as_view(), name="api_gold_set_detail"),
    path("tunings/<uuid:tuning_id>/", gold_api.TuningDetailApi.as_view(), name="api_tuning_detail"),
    path("tunings/<uuid:tuning_id>/use/", gold_api.TuningUseApi.as_view(), name="api_tuning_use"),
]
