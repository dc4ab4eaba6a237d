"""Pages and endpoints of everything that a corpus can train."""

from django.urls import URLPattern, path

from legalqa.training.classifier.api import ComplexityApi
from legalqa.training.registry import FACES
from legalqa.training.tuning import urls as tuning
from legalqa.training.versions.api import api_routes
from legalqa.training.versions.pages import AnyFace
from legalqa.training.versions.views import page_routes


def listed_together(face: AnyFace) -> list[AnyFace]:
    """The kinds on the page that lists this one."""
    return [other for other in FACES if other.addresses.listed == face.addresses.listed]


urlpatterns: list[URLPattern] = [
    *tuning.urlpatterns,
    *(route for face in FACES for route in page_routes(face, listed_together(face))),
]
api_urlpatterns: list[URLPattern] = [
    *tuning.api_urlpatterns,
    *(route for face in FACES for route in api_routes(face)),
    path("corpora/<uuid:corpus_id>/complexity/", ComplexityApi.as_view(), name="api_complexity"),
]
