"""Pages and endpoints of judging."""

from judging.generation import urls as generation
from judging.gold import urls as gold

urlpatterns = [*gold.urlpatterns, *generation.urlpatterns]
api_urlpatterns = [*gold.api_urlpatterns, *generation.api_urlpatterns]
