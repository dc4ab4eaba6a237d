"""Keeping an answer as a solved case, from its page."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect

from legalqa.accounts.access import MemberRequest, member_page
from legalqa.answering.services.cases import answer_keep
from legalqa.common.page_errors import errors_told


@member_page(methods=("POST",))
def answer_keep_as_case(request: MemberRequest, answer_id: UUID) -> HttpResponseBase:
    with errors_told(request):
        added = answer_keep(**request.acting, answer_id=answer_id)
        message = (
            "Kept as a solved case. It is used once a reviewer approves it." if added.cases else "It is a case already."
        )
        messages.success(request, message)
    return redirect("answer_detail", request.organization.slug, answer_id)
