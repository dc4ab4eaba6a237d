"""Background work as its pages show it, and a step with it, such as cancelling it, as a page and as an endpoint.

A step is a POST that sends nothing else.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from rest_framework import serializers

from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.api import ManagersApi, MemberApi
from legalqa.accounts.api import MemberRequest as ApiRequest
from legalqa.accounts.models import Role
from legalqa.common.drf import operation
from legalqa.common.htmx import render_state

Page = Callable[..., HttpResponseBase]
Step = Callable[..., object]  # takes the organisation, and what the address names


def work_pages(
    template: str, shown: Callable[[MemberRequest, UUID], dict[str, Any]], *, roles: tuple[Role, ...] = MANAGERS
) -> tuple[Page, Page]:
    """The page of background work, and its partial `state`, which asks for itself until the work has ended.

    Args:
        template: Of both.
        shown: What they show of the subject that the address names, the work's job as `job`.
        roles: Who may see it.
    """

    @member_page(roles=roles)
    def whole(request: MemberRequest, /, **ids: UUID) -> HttpResponseBase:
        return render(request, template, shown(request, *ids.values()))

    @member_page(roles=roles)
    def state(request: MemberRequest, /, **ids: UUID) -> HttpResponseBase:
        context = shown(request, *ids.values())
        job = context["job"]
        return render_state(request, f"{template}#state", context, is_working=bool(job and job.is_open))

    return whole, state


def step_page(step: Step, *, back: str) -> Page:
    """A page for managers that takes a step and leads back to the page of that name, which has the same ids."""

    @member_page(roles=MANAGERS, methods=("POST",))
    def take(request: MemberRequest, /, **ids: UUID) -> HttpResponseBase:
        step(organization=request.organization, **ids)
        return redirect(back, request.organization.slug, *ids.values())

    return take


def step_api(
    step: Step,
    *,
    name: str,
    words: str,
    answer: Callable[[ApiRequest, UUID], object],
    serializer: type[serializers.Serializer[Any]],
) -> type[MemberApi]:
    """An endpoint for managers that takes a step and answers with what has become of its subject.

    Args:
        step: A service.
        name: Its operation id in the OpenAPI schema.
        words: What the schema says of it.
        answer: What is serialised, of the subject that the address names.
        serializer: Of the answer.
    """

    class StepApi(ManagersApi):
        @operation(name, serializer, 404, 409)
        def post(self, request: ApiRequest, **ids: UUID) -> object:
            step(organization=request.organization, **ids)
            return answer(request, *ids.values())

    StepApi.post.__doc__ = words  # from which the schema makes summary and description
    return StepApi
