"""Pages and endpoints of judging."""

from judging.experiments import urls as experiments
from judging.experiments.figures import urls as figures
from judging.gold import urls as gold
from judging.home import urls as home

urlpatterns = [*gold.urlpatterns, *home.urlpatterns, *experiments.urlpatterns, *figures.urlpatterns]
api_urlpatterns = [*gold.api_urlpatterns, *experiments.api_urlpatterns, *figures.api_urlpatterns]

__all__ = ["api_urlpatterns", "urlpatterns"]
