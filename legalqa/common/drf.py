"""One error shape, one page shape for the whole API."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import wraps
from typing import Any, cast

from django.core.exceptions import PermissionDenied
from django.db import DataError
from django.http import Http404, HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.exceptions import APIException
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_exception_handler

from legalqa.common.database.refusals import refusal_of
from legalqa.common.dates import day_sentence
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import NotJson, json_read
from legalqa.common.logs import request_id
from legalqa.common.numbers import MAX_DIGITS, whole_number

logger = logging.getLogger(__name__)
MOMENT = "2024-01-31T09:30:00Z"


class JsonParser(JSONParser):
    """JSON as strictly as in the files that people send: no key twice, nothing nested deeper than Python reads."""

    def parse(self, stream: Any, *_: object, **__: object) -> Any:
        try:
            return json_read(stream.read())
        except NotJson as error:
            raise exceptions.ParseError(f"The body is not valid JSON ({error}). Send one JSON object.") from None


class TextField(serializers.CharField):
    """Text and nothing else: a number that is taken for text hides a mistake of the program that sent it."""

    default_error_messages = {"invalid": "This is not text. Send a string."}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class DayField(serializers.DateField):
    """A day; what is none is refused in the words of `legalqa.common.dates`."""

    def to_internal_value(self, value: Any) -> date:
        try:
            return super().to_internal_value(value)
        except serializers.ValidationError:
            raise serializers.ValidationError(day_sentence(str(value)), "invalid") from None


class MomentField(serializers.DateTimeField):
    """A moment, refused like a day."""

    def to_internal_value(self, value: Any) -> datetime:
        try:
            return super().to_internal_value(value)
        except serializers.ValidationError:
            raise serializers.ValidationError(day_sentence(str(value), example=MOMENT), "invalid") from None


def order_check(values: Mapping[str, Any], first: str, last: str) -> None:
    """
    Raises:
        serializers.ValidationError: both bounds are there, and the last is before the first.
    """
    if first in values and last in values and values[last] < values[first]:
        raise serializers.ValidationError({last: [f"It is before `{first}`. Exchange the two, or leave one out."]})


class Pages(LimitOffsetPagination):
    default_limit = 50
    max_limit = 200

    def get_limit(self, request: Request) -> int | None:
        _check_count(request, "limit", low=1)
        return super().get_limit(request)

    def get_offset(self, request: Request) -> int:
        _check_count(request, "offset", low=0)
        return super().get_offset(request)


def paged(
    rows: Any,
    request: Request,
    serializer: type[serializers.Serializer[Any]],
    *,
    shown: Callable[[list[Any]], object] | None = None,
) -> Response:
    """A page of a list, by the request's limit and offset; `shown` says what of the page's rows is serialised."""
    pages = Pages()
    page: list[Any] = pages.paginate_queryset(rows, request) or []
    return pages.get_paginated_response(serializer(shown(page) if shown else page, many=True).data)


def chosen(request: Request, name: str, choices: Iterable[str]) -> str:
    """What a query parameter chooses; "" where it is not there.

    Raises:
        ApplicationError: it is none of the choices; the message lists them.
    """
    value, known = request.query_params.get(name, ""), list(choices)
    if value and value not in known:
        raise _unknown(name, value, known)
    return value


def _unknown(name: str, value: str, known: Sequence[str]) -> ApplicationError:
    what = f"Choose one of: {', '.join(known)}." if known else "Leave it out."
    return ApplicationError(f"There is no {name} {value[:60]!r} here. {what}", code=f"unknown_{name}")


class ChosenField(serializers.ChoiceField):
    """A query parameter that is one of some names, refused as by `chosen`; "" where it is not there."""

    def __init__(self, choices: Iterable[str], **options: Any) -> None:
        super().__init__(choices=list(choices), default="", **options)

    def to_internal_value(self, data: Any) -> str:
        if data not in self.choices:
            raise _unknown(str(self.field_name), str(data), list(self.choices))
        return str(data)


def _check_count(request: Request, name: str, *, low: int) -> None:
    """
    Raises:
        serializers.ValidationError: the parameter is there, and is not a whole number of at least `low`.
    """
    text = request.query_params.get(name)
    if text is None:
        return
    number = whole_number(text)
    if number is None or number < low:
        what = f"a whole number of at least {low} and at most {MAX_DIGITS} digits"
        raise serializers.ValidationError({name: [f"'{text[:40]}' is not {what}."]})


# What the framework says of a field ("This field is required.") says neither what is wrong with it nor what to do.
PLAIN = {"required": "It is missing. Add it.", "blank": "It is empty. Fill it in.", "null": "It is null. Give a value."}


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Every refusal as `{"message", "code", "extra"}`; what is not a refusal stays a 500."""
    if isinstance(error, ApplicationError):
        body = {"message": error.message, "code": error.code, "extra": error.extra}
        wait = {"Retry-After": str(error.extra["retry_after"])} if "retry_after" in error.extra else {}
        return Response(body, status=error.status, headers=wait)
    if isinstance(error, DataError | UnicodeEncodeError):
        message = "The request contains a character that cannot be stored. Remove it and send it again."
        return Response({"message": message, "code": "unstorable_character", "extra": {}}, status=400)
    if refusal := refusal_of(error):
        logger.warning("unavailable: %s", refusal.code, exc_info=error)
        body = {"message": refusal.message, "code": refusal.code, "extra": {"request_id": request_id()}}
        return Response(body, status=refusal.status, headers={"Retry-After": "60"})
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    response = drf_exception_handler(error, context)
    if response is None or not isinstance(error, APIException):
        return response
    if isinstance(error, exceptions.ValidationError):
        response.data = {"message": _sentence(error.detail), "code": "invalid", "extra": {"fields": error.detail}}
    else:
        message = f"{error.detail}{_what_to_send(error, context['view'])}"
        response.data = {"message": message, "code": str(error.default_code), "extra": {}}
    return response


def _what_to_send(error: APIException, view: Any) -> str:
    """What the framework leaves out of a refusal of its own."""
    if isinstance(error, exceptions.UnsupportedMediaType):
        return f" Send {' or '.join(parser.media_type for parser in view.parser_classes)}."
    if isinstance(error, exceptions.NotAcceptable):
        return f" Accept {' or '.join(renderer.media_type for renderer in view.renderer_classes)}."
    return f" Use {', '.join(view.allowed_methods)}." if isinstance(error, exceptions.MethodNotAllowed) else ""


def _sentence(detail: Any) -> str:
    """The first complaint, with the name of its field in front."""
    if isinstance(detail, dict):
        for field, inner in detail.items():
            return _sentence(inner) if field == "non_field_errors" else f"{field}: {_sentence(inner)}"
    if isinstance(detail, list) and detail:
        return _sentence(detail[0])
    return PLAIN.get(getattr(detail, "code", ""), str(detail))


class ErrorSerializer(serializers.Serializer[Any]):
    """The form of every error reply."""

    message = serializers.CharField(help_text="One sentence: what is wrong, which rule, what to do.")
    code = serializers.CharField()
    extra = serializers.DictField()


def error_responses(*statuses: int) -> dict[int, type[ErrorSerializer]]:
    """The refusals of an endpoint for the OpenAPI schema; bad characters, scopes and 429 can meet every one."""
    return dict.fromkeys(sorted({*statuses, 400, 403, 429}), ErrorSerializer)


PAGING = [OpenApiParameter("limit", int), OpenApiParameter("offset", int)]


def operation(
    name: str,
    gives: object,
    *errors: int,
    takes: type[serializers.Serializer[Any]] | None = None,
    filters: type[serializers.Serializer[Any]] | None = None,
    status: int | None = None,
    is_paged: bool = False,
    **schema: Any,
) -> Callable[[Callable[..., object]], Callable[..., Response]]:
    """Describe a method of an endpoint in the OpenAPI schema, check the body that it takes, and serialise its reply.

    Args:
        name: Its operation id.
        gives: Serializer of what the method returns; None for a reply without content. A method may also return the
            whole reply.
        errors: Statuses of refusals beside 400, 401, 403 and 429, which every endpoint knows.
        takes: Serializer of the body; the method gets what it made of it as `data`.
        filters: Serializer of the query parameters; the method gets what it made of them as `filters`.
        status: Of the reply; 200, or 204 without content.
        is_paged: Whether the reply is a page of the rows that the method returns, by `limit` and `offset`.
        schema: What else `extend_schema` takes.
    """
    code = status or (204 if gives is None else 200)
    parameters = [*schema.pop("parameters", ()), *([filters] if filters else ()), *(PAGING if is_paged else ())]
    described = extend_schema(
        operation_id=name,
        responses={code: gives, **error_responses(401, *errors)},
        parameters=parameters,
        **{"request": takes} | schema,
    )

    def decorate(endpoint: Callable[..., object]) -> Callable[..., Response]:
        @wraps(endpoint)
        def checked(view: object, request: Request, *args: Any, **kwargs: Any) -> object:
            if takes is not None:
                kwargs["data"] = _taken(takes(data=request.data))
            if filters is not None:
                kwargs["filters"] = _taken(filters(data=request.query_params))
            reply = endpoint(view, request, *args, **kwargs)
            if isinstance(reply, HttpResponseBase):
                return reply
            if is_paged:
                return paged(reply, request, _many(gives))
            return Response(None if gives is None else _serialised(gives, reply), status=code)

        return cast(Callable[..., Response], described(checked))

    return decorate


def _taken(serializer: serializers.Serializer[Any]) -> Any:
    """What the serializer made of its data.

    Raises:
        serializers.ValidationError: it does not fit; where a choice does not exist, with those that do.
    """
    if not serializer.is_valid():
        raise serializers.ValidationError(_with_choices(serializer.errors, serializer))
    return serializer.validated_data


def _with_choices(errors: Any, field: Any) -> Any:
    """The errors of a field, or of the fields and items in it."""
    if isinstance(errors, list):
        return [_with_choices(error, field) for error in errors]
    field = getattr(field, "child", field)
    if isinstance(errors, dict):
        fields = getattr(field, "fields", {})
        return {name: _with_choices(error, fields.get(name, field)) for name, error in errors.items()}
    choices = ", ".join(str(choice) for choice in getattr(field, "choices", ()) if choice != "")
    if errors.code != "invalid_choice" or not choices:
        return errors
    return exceptions.ErrorDetail(f"{errors} Choose one of: {choices}.", errors.code)


def _serialised(gives: Any, value: object) -> Any:
    """`gives` is the class of a serializer, or one with many=True."""
    serializer = _many(gives)(value, many=True) if hasattr(gives, "child") else gives(value)
    return serializer.data


def _many(gives: Any) -> type[serializers.Serializer[Any]]:
    """The class of a serializer that was made with many=True."""
    return type(gives.child)
