"""Pages and endpoints of judging."""

from judging.campaigns import urls as campaigns
from judging.gold import urls as gold

urlpatterns = [*gold.urlpatterns, *campaigns.urlpatterns]
api_urlpatterns = [*gold.api_urlpatterns, *campaigns.api_urlpatterns]

__all__ = ["api_urlpatterns", "urlpatterns"]
