"""The page of a run, and the part of it that asks for itself until the run has ended."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from django.shortcuts import render

from corpora.runs.services import Runs
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.models import Role
from legalqa.common.htmx import render_state

Page = Callable[..., HttpResponseBase]


def run_pages(
    runs: Runs[Any], template: str, shown: Callable[..., dict[str, Any]], *, roles: tuple[Role, ...] = MANAGERS
) -> tuple[Page, Page]:
    """The page of a run of this kind, and its partial `state`.

    Args:
        runs: The kind.
        template: Of both.
        shown: What they show of the request, the run and its newest job.
        roles: Who may see it.
    """

    @member_page(roles=roles)
    def whole(request: MemberRequest, /, **ids: UUID) -> HttpResponseBase:
        (run_id,) = ids.values()
        return render(request, template, shown(request, *runs.get(organization=request.organization, run_id=run_id)))

    @member_page(roles=roles)
    def state(request: MemberRequest, /, **ids: UUID) -> HttpResponseBase:
        (run_id,) = ids.values()
        run, job = runs.get(organization=request.organization, run_id=run_id)
        context = shown(request, run, job)
        return render_state(request, f"{template}#state", context, is_working=bool(job and job.is_open))

    return whole, state
