"""Pages and endpoints of judging."""

from judging.experiments import urls as experiments
from judging.gold import urls as gold
from judging.home import urls as home
from judging.judges import urls as judges

urlpatterns = [*gold.urlpatterns, *home.urlpatterns, *judges.urlpatterns, *experiments.urlpatterns]
api_urlpatterns = [*gold.api_urlpatterns, *judges.api_urlpatterns, *experiments.api_urlpatterns]

__all__ = ["api_urlpatterns", "urlpatterns"]
