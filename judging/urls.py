"""Pages and endpoints of judging."""

from judging.gold import urls as gold
from judging.judges import urls as judges

urlpatterns = [*gold.urlpatterns, *judges.urlpatterns]
api_urlpatterns = [*gold.api_urlpatterns, *judges.api_urlpatterns]
