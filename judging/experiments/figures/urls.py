"""Pages and endpoints of an experiment's figures."""

from django.urls import path

from judging.experiments.figures import api, views

HERE = "experiments/<uuid:experiment_id>/"

urlpatterns = [
    path(f"{HERE}results/", views.experiment_results, name="experiment_results"),
    path(f"{HERE}items/", views.experiment_items, name="experiment_items"),
    path(f"{HERE}compare/", views.experiment_compare, name="experiment_compare"),
    path(f"{HERE}scores.csv", views.experiment_scores_csv, name="experiment_scores_csv"),
    path(f"{HERE}runs.zip", views.experiment_runs, name="experiment_runs"),
    path(f"{HERE}chart/", views.experiment_chart, name="experiment_chart"),
]

api_urlpatterns = [
    path(f"{HERE}figures/", api.ExperimentFiguresApi.as_view(), name="api_experiment_figures"),
    path(f"{HERE}items/", api.ExperimentItemsApi.as_view(), name="api_experiment_items"),
]
