"""Pages and endpoints of judging."""

from judging.gold import urls as gold
from legalqa.training.classifier import urls as complexity
from legalqa.training.encoder import urls as encoders
from legalqa.training.ranker import urls as ranking
from legalqa.training.tuning import urls as tuning

__all__ = ["api_urlpatterns", "urlpatterns"]
