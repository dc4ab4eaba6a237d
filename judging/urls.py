"""Pages and endpoints of judging."""

from judging.gold.urls import api_urlpatterns, urlpatterns

__all__ = ["api_urlpatterns", "urlpatterns"]
