"""Pages and endpoints of judging."""

from judging.feedback import urls as feedback
from judging.gold import urls as gold

urlpatterns = [*gold.urlpatterns, *feedback.urlpatterns]
api_urlpatterns = [*gold.api_urlpatterns, *feedback.api_urlpatterns]
