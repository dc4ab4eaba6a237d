"""Pages and endpoints of judging."""

from judging.campaigns import urls as campaigns
from judging.cases import urls as cases
from judging.experiments import urls as experiments
from judging.experiments.figures import urls as figures
from judging.feedback import urls as feedback
from judging.generation import urls as generation
from judging.gold import urls as gold
from judging.home import urls as home
from judging.judges import urls as judges
from judging.trust import urls as trust

ROOMS = (gold, generation, home, judges, experiments, figures, cases, campaigns, trust, feedback)

urlpatterns = [pattern for room in ROOMS for pattern in room.urlpatterns]
api_urlpatterns = [pattern for room in ROOMS for pattern in getattr(room, "api_urlpatterns", ())]
