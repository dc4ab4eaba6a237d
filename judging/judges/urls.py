"""Pages of judges under `/o/<slug>/`, and their endpoints under `/api/v1/`."""

from django.urls import path

from judging.judges import api, views

urlpatterns = [
    path("judges/", views.judge_list, name="judge_list"),
    path("judges/try/", views.judge_try, name="judge_try"),
    path("judges/<uuid:judge_id>/retire/", views.judge_retire, name="judge_retire"),
]

api_urlpatterns = [
    path("judges/", api.JudgeListApi.as_view(), name="api_judge_list"),
    path("judges/<uuid:judge_id>/", api.JudgeDetailApi.as_view(), name="api_judge_detail"),
    path("judgments/", api.JudgmentApi.as_view(), name="api_judgment"),
]
