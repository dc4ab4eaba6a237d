"""Pages of graders: their queues, and the grading screen."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from judging.campaigns import blind
from judging.campaigns.forms import GradingForm
from judging.campaigns.services import queue
from judging.campaigns.services.grading import Action, assignment_act
from judging.models import Assignment
from judging.models.campaigns import ItemKind
from legalqa.accounts.access import MemberRequest, member_page
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.common.page_errors import errors_told

DRAFT_HEADER = "X-Draft"  # a change that the page's script sends while the grader goes on


@member_page()
def annotation_home(request: MemberRequest) -> HttpResponse:
    queues = blind.queue_list(**request.acting)
    return render(request, "judging/campaigns/home.html", {"queues": queues})


@member_page(methods=("POST",))
def annotation_begin(request: MemberRequest, campaign_id: UUID) -> HttpResponseBase:
    return _next(request, campaign_id)


@member_page(methods=("GET", "POST"))
def annotation_item(request: MemberRequest, assignment_id: UUID) -> HttpResponseBase:
    assignment = queue.assignment_get(**request.acting, assignment_id=assignment_id)
    if request.method != "POST":
        return render(request, "judging/campaigns/item.html", blind.grading_page(assignment))
    form = GradingForm(request.POST, assignment=assignment)
    if not form.is_valid():
        return _item(request, assignment, "The form could not be read. Load the page again.")
    try:
        next_assignment = assignment_act(
            **request.acting,
            assignment_id=assignment_id,
            action=Action(form.cleaned_data["action"]),
            change=form.change(),
        )
    except NotFound:
        raise
    except ApplicationError as error:
        return _item(request, assignment, error.message)
    return _after(request, form.cleaned_data["action"], next_assignment)


def _after(request: MemberRequest, action: str, assignment: Assignment) -> HttpResponseBase:
    if DRAFT_HEADER in request.headers:
        return HttpResponse(status=204)
    is_over = action in (Action.SUBMIT, Action.SKIP)
    has_feedback = action == Action.SUBMIT and assignment.item.kind == ItemKind.TRAINING
    if is_over and not has_feedback:
        return _next(request, assignment.campaign_id)
    return redirect("annotation_item", request.organization.slug, assignment.pk)


def _item(request: MemberRequest, assignment: Assignment, problem: str) -> HttpResponse:
    """The screen again with one sentence; what was sent before is kept as a draft."""
    if DRAFT_HEADER in request.headers:
        return HttpResponse(problem, status=422, content_type="text/plain; charset=utf-8")
    assignment.refresh_from_db()
    context = blind.grading_page(assignment) | {"problem": problem}
    return render(request, "judging/campaigns/item.html", context, status=422)


def _next(request: MemberRequest, campaign_id: UUID) -> HttpResponseBase:
    slug = request.organization.slug
    with errors_told(request):
        assignment = queue.assignment_next(**request.acting, campaign_id=campaign_id)
        if assignment is not None:
            return redirect("annotation_item", slug, assignment.pk)
        messages.success(request, "Nothing is left for you in this campaign. Thank you.")
    return redirect("annotation_home", slug)
