"""Pages and endpoints of judging."""

from judging.experiments.figures import urls as figures
from judging.gold import urls as gold

urlpatterns = [*gold.urlpatterns, *figures.urlpatterns]
api_urlpatterns = [*gold.api_urlpatterns, *figures.api_urlpatterns]

__all__ = ["api_urlpatterns", "urlpatterns"]
