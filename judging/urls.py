"""Pages and endpoints of gold sets, tunings and training."""

from judging.gold import urls as gold
from legalqa.training.classifier import urls as complexity
from legalqa.training.encoder import urls as encoders
from legalqa.training.ranker import urls as ranking
from legalqa.training.tuning import urls as tuning

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
