"""Errors that a person can mend, shown where they were made: in a form, or as a message on the next page."""

from collections.abc import Callable
from functools import partial
from types import TracebackType

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest

from legalqa.common.errors import ApplicationError, NotFound


class ErrorsShown:
    """A block whose errors are shown to the person; only NotFound leaves it, because that has its own page."""

    def __init__(self, show: Callable[[str], object]) -> None:
        self.show = show

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        if not isinstance(error, ApplicationError) or isinstance(error, NotFound):
            return False
        self.show(error.message)
        return True


def errors_in(form: BaseForm, field: str | None = None) -> ErrorsShown:
    """Show the errors of a block at a field of a form, or above the whole form."""
    return ErrorsShown(partial(form.add_error, field))


def errors_told(request: HttpRequest) -> ErrorsShown:
    """Show the errors of a block as messages on the next page."""
    return ErrorsShown(partial(messages.error, request))
