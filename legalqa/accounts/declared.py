"""A request holds what its endpoint declares in the OpenAPI schema, and nothing else: an unknown name is refused.

A field that is taken and ignored answers another question than the one that was asked.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from legalqa.common.errors import ApplicationError

WITH_FIELDS = ("POST", "PUT", "PATCH")
SHOWN = 60  # characters of a name that nobody declared


def declared_check(*, view: APIView, request: Request, handler: Callable[..., Any]) -> None:
    """Refuse what the handler's `extend_schema` does not name: query parameters, and fields of the body at any depth.

    Raises:
        ApplicationError: an unknown name; the message lists the known ones.
        APIException: the body cannot be read.
    """
    declared = getattr(handler, "kwargs", {}).get("schema")
    schema = declared() if declared else None
    names: Collection[str] = ()
    body: object = None
    if schema is not None:
        schema.view, schema.method = view, request.method
        names = [name for one in schema.get_override_parameters() for name in _query_names(one)]
        body = schema.get_request_serializer() if request.method in WITH_FIELDS else None
    _names_check(request.query_params, names, what="query parameter")
    if request.method in WITH_FIELDS:
        _fields_check(request.data, next(iter(body.values())) if isinstance(body, dict) else body)


def _query_names(declared: Any) -> list[str]:
    """The query parameters of a declaration: one that names itself, or a serializer with all of them."""
    if isinstance(declared, OpenApiParameter):
        return [declared.name] if declared.location == OpenApiParameter.QUERY else []
    return list(declared().fields)


def _fields_check(data: object, declared: object, under: str = "") -> None:
    """Fields of an object, and of the objects in it; what is not an object is for its serializer to refuse."""
    field = declared() if isinstance(declared, type) else declared
    if isinstance(field, serializers.ListField | serializers.ListSerializer) and isinstance(data, list):
        for item in data:
            _fields_check(item, field.child, under)
    elif isinstance(data, Mapping) and (field is None or isinstance(field, serializers.Serializer)):
        fields = {} if field is None else {name: one for name, one in field.fields.items() if not one.read_only}
        _names_check(data, fields, what=f"field of {under}" if under else "field")
        for name, one in fields.items():
            _fields_check(data.get(name), one, name)


def _names_check(fields: Collection[Any], names: Collection[str], *, what: str) -> None:
    unknown = next((name for name in fields if name not in names), None)
    if unknown is None:
        return
    rule = f"accepted: {', '.join(names)}" if names else "none are accepted"
    raise ApplicationError(
        f"There is no {what} {str(unknown)[:SHOWN]!r} here; {rule}. Correct the name, or leave it out.",
        code="unknown_field" if what.startswith("field") else "unknown_parameter",
        extra={"known": list(names)},
    )
