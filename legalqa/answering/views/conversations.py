"""Pages of conversations: name, delete, share."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from legalqa.accounts.access import MemberRequest, member_page
from legalqa.answering import services
from legalqa.common.errors import ApplicationError


@member_page(methods=("POST",))
def conversation_rename(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    services.conversation_rename(**request.acting, answer_id=answer_id, title=request.POST.get("title", ""))
    messages.success(request, "The name of the conversation is saved.")
    return redirect("answer_detail", request.organization.slug, answer_id)


@member_page(methods=("POST",))
def conversation_delete(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    if not request.POST.get("is_sure"):
        raise ApplicationError("Deleting cannot be undone. Tick the box to confirm it.", code="not_confirmed")
    services.conversation_delete(**request.acting, answer_id=answer_id)
    messages.success(request, "The conversation was deleted.")
    return redirect("question_list", request.organization.slug)


@member_page(methods=("POST",))
def conversation_share(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    share = services.conversation_share(**request.acting, answer_id=answer_id, member_id=_member(request))
    messages.success(request, f"{share.member} can now read this conversation.")
    return redirect("answer_detail", request.organization.slug, answer_id)


@member_page(methods=("POST",))
def conversation_unshare(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    services.conversation_unshare(**request.acting, answer_id=answer_id, member_id=_member(request))
    messages.success(request, "Your colleague can no longer read this conversation.")
    return redirect("answer_detail", request.organization.slug, answer_id)


def _member(request: MemberRequest) -> UUID:
    try:
        return UUID(request.POST.get("member", ""))
    except ValueError:
        raise ApplicationError("Choose a colleague from the list.", code="member") from None
