"""Pages and endpoints of judging."""

from judging.campaigns import urls as campaigns
from judging.feedback import urls as feedback
from judging.gold import urls as gold

urlpatterns = [*gold.urlpatterns, *campaigns.urlpatterns, *feedback.urlpatterns]
api_urlpatterns = [*gold.api_urlpatterns, *campaigns.api_urlpatterns, *feedback.api_urlpatterns]
