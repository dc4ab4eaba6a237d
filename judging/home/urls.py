"""The way into judging, under `/o/<slug>/`."""

from django.urls import path

from judging.home import views

urlpatterns = [path("corpora/<uuid:corpus_id>/judging/", views.judging_home, name="judging_home")]
