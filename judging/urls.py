"""Pages and endpoints of gold sets, tunings and training."""

from judging.complexity import urls as complexity
from judging.encoders import urls as encoders
from judging.gold import urls as gold
from judging.ranking import urls as ranking
from judging.tuning import urls as tuning

urlpatterns = [
    *gold.urlpatterns,
    *tuning.urlpatterns,
    *complexity.urlpatterns,
    *encoders.urlpatterns,
    *ranking.urlpatterns,
]
api_urlpatterns = [
    *gold.api_urlpatterns,
    *tuning.api_urlpatterns,
    *complexity.api_urlpatterns,
    *encoders.api_urlpatterns,
    *ranking.api_urlpatterns,
]
