"""Names of a request that are there several times: taken by a list, refused elsewhere."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.views import APIView

from legalqa.accounts.declared import declared_check
from legalqa.common.errors import ApplicationError


class LeaseFilters(serializers.Serializer[Any]):
    kinds = serializers.MultipleChoiceField(choices=["lease", "licence"])
    tenant = serializers.CharField()


class NewLeases(serializers.Serializer[Any]):
    files = serializers.ListField(child=serializers.FileField())
    tenant = serializers.CharField()


class LeasesApi(APIView):
    @extend_schema(parameters=[LeaseFilters])
    def get(self, request: Request) -> None: ...

    @extend_schema(request={"multipart/form-data": NewLeases})
    def post(self, request: Request) -> None: ...


def asked(query: str) -> None:
    _checked(Request(RequestFactory().get(f"/leases/?{query}")))


def sent(form: dict[str, Any]) -> None:
    _checked(Request(RequestFactory().post("/leases/", form), parsers=[MultiPartParser()]))


def _checked(request: Request) -> None:
    view = LeasesApi()
    view.setup(request)
    declared_check(view=view, request=request, handler=view.get if request.method == "GET" else view.post)


def test_a_list_takes_several_values() -> None:
    asked("kinds=lease&kinds=licence&tenant=Harding")
    sent({"files": [SimpleUploadedFile("a.txt", b"A lease."), SimpleUploadedFile("b.txt", b"B.")], "tenant": "Harding"})


def test_what_is_no_list_takes_one_value() -> None:
    with pytest.raises(ApplicationError, match="The query parameter 'tenant' occurs 2 times"):
        asked("kinds=lease&tenant=Harding&tenant=Lowell")
    with pytest.raises(ApplicationError, match="The field 'tenant' occurs 3 times"):
        sent({"tenant": ["Harding", "Lowell", "Harding"]})
