"""Pages and endpoints of judging."""

from django.urls import path

from judging import views
from judging.campaigns import urls as campaigns
from judging.experiments import urls as experiments
from judging.experiments.cases import urls as cases
from judging.experiments.figures import urls as figures
from judging.experiments.trust import urls as trust
from judging.gold import urls as gold
from judging.gold.feedback import urls as feedback
from judging.gold.generation import urls as generation
from judging.judges import urls as judges

ROOMS = (gold, generation, judges, experiments, figures, cases, campaigns, trust, feedback)

urlpatterns = [
    path("corpora/<uuid:corpus_id>/judging/", views.judging_home, name="judging_home"),
    *(pattern for room in ROOMS for pattern in room.urlpatterns),
]
api_urlpatterns = [pattern for room in ROOMS for pattern in room.api_urlpatterns]
