"""A request may contain only what its endpoint declares in the OpenAPI schema: an unknown name is refused.

If a field were ignored, the reply would answer a different question than the one asked.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from legalqa.common.errors import ApplicationError

WITH_FIELDS = ("POST", "PUT", "PATCH")
LISTS = (serializers.ListField, serializers.MultipleChoiceField)
SHOWN = 60  # characters of an unknown name in the message


def declared_check(*, view: APIView, request: Request, handler: Callable[..., Any]) -> None:
    """Refuse what the handler's `extend_schema` does not name: query parameters, and fields of the body at any depth.

    A repeated name is refused, too, unless its field is a list: using only one of the values would be wrong.

    Raises:
        ApplicationError: a name that is unknown (the message lists the known ones), or repeated.
        APIException: the body cannot be read.
    """
    declared = getattr(handler, "kwargs", {}).get("schema")
    schema = declared() if declared else None
    parameters: dict[str, object] = {}
    body: object = None
    if schema is not None:
        schema.view, schema.method = view, request.method
        for one in schema.get_override_parameters():
            parameters |= _query_fields(one)
        body = schema.get_request_serializer() if request.method in WITH_FIELDS else None
    _names_check(request.query_params, parameters, what="query parameter")
    if request.method in WITH_FIELDS:
        _fields_check(request.data, next(iter(body.values())) if isinstance(body, dict) else body)


def _query_fields(declared: Any) -> dict[str, object]:
    """The query parameters of a declaration: a single parameter, or a serializer with all of them."""
    if isinstance(declared, OpenApiParameter):
        return {declared.name: declared.type} if declared.location == OpenApiParameter.QUERY else {}
    return dict(declared().fields)


def _fields_check(data: object, declared: object, under: str = "") -> None:
    """Check the fields of an object and of the objects in it; the serializer refuses what is not an object."""
    field = declared() if isinstance(declared, type) else declared
    if isinstance(field, serializers.ListField | serializers.ListSerializer) and isinstance(data, list):
        for item in data:
            _fields_check(item, field.child, under)
    elif isinstance(data, Mapping) and (field is None or isinstance(field, serializers.Serializer)):
        fields = {} if field is None else {name: one for name, one in field.fields.items() if not one.read_only}
        _names_check(data, fields, what=f"field of {under}" if under else "field")
        for name, one in fields.items():
            _fields_check(data.get(name), one, name)


def _names_check(data: Mapping[Any, object], known: Mapping[str, object], *, what: str) -> None:
    unknown = next((name for name in data if name not in known), None)
    if unknown is not None:
        rule = f"accepted: {', '.join(known)}" if known else "none are accepted"
        raise ApplicationError(
            f"There is no {what} {str(unknown)[:SHOWN]!r} here; {rule}. Correct the name, or leave it out.",
            code="unknown_field" if what.startswith("field") else "unknown_parameter",
            extra={"known": list(known)},
        )
    if isinstance(data, MultiValueDict):  # an address or a form; JSON with a repeated key was refused before
        _once_check(data, known, what=what)


def _once_check(data: MultiValueDict[str, object], known: Mapping[str, object], *, what: str) -> None:
    for name, values in data.lists():
        if len(values) > 1 and not isinstance(known[name], LISTS):
            raise ApplicationError(
                f"The {what} {name!r} occurs {len(values)} times but takes one value. Send it once.", code="repeated"
            )
