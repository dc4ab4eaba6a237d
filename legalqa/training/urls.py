"""Pages and endpoints of everything that a corpus can train."""

from legalqa.training.classifier import urls as classifier
from legalqa.training.encoder import urls as encoder
from legalqa.training.ranker import urls as ranker
from legalqa.training.tuning import urls as tuning

urlpatterns = [
    *tuning.urlpatterns,
    *classifier.urlpatterns,
    *encoder.urlpatterns,
    *ranker.urlpatterns,
]
api_urlpatterns = [
    *tuning.api_urlpatterns,
    *classifier.api_urlpatterns,
    *encoder.api_urlpatterns,
    *ranker.api_urlpatterns,
]
