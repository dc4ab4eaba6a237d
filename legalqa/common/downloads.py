"""Files that a page or an endpoint makes and a person saves."""

from collections.abc import Iterable, Sequence

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from legalqa.common.csv_files import csv_text


def download(content: str | bytes, *, name: str, kind: str) -> HttpResponse:
    """The content as an attachment of a name and a media type; opened in a browser it can run and load nothing."""
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"  # noqa: FBT003 - Django's
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def csv_response(*, name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """The table as an attachment."""
    return download(csv_text(header=header, rows=rows), name=name, kind="text/csv; charset=utf-8")
