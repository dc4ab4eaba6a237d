"""Pages of the taxonomy: types of question, shipped and of an organisation."""

from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from judging.gold.forms import QuestionTypeForm
from judging.gold.services import kinds
from judging.gold.taxonomy import OWN
from legalqa.accounts.access import EVERYONE, MANAGERS, MemberRequest, member_page
from legalqa.common.page_errors import errors_in


@member_page(roles=EVERYONE)
def question_types(request: MemberRequest) -> HttpResponse:
    return _types(request, QuestionTypeForm())


def _types(request: MemberRequest, form: QuestionTypeForm, *, status: int = 200) -> HttpResponse:
    context = {
        "kinds": [kind for kind in kinds.kinds_all(organization=request.organization) if kind.family != OWN],
        "own": kinds.kinds_own(organization=request.organization),
        "form": form,
        "may_edit": request.membership.role in MANAGERS,
    }
    return render(request, "judging/question_types.html", context, status=status)


@member_page(roles=MANAGERS, methods=("POST",))
def question_type_add(request: MemberRequest) -> HttpResponseBase:
    form = QuestionTypeForm(request.POST)
    if form.is_valid():
        with errors_in(form):
            kinds.kind_add(**request.acting, **form.cleaned_data)
            return redirect("question_types", request.organization.slug)
    return _types(request, form, status=422)


@member_page(roles=MANAGERS, methods=("POST",))
def question_type_remove(request: MemberRequest, type_id: UUID) -> HttpResponseBase:
    kinds.kind_remove(**request.acting, type_id=type_id)
    return redirect("question_types", request.organization.slug)
