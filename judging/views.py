"""The page from which all judging of a corpus is reached."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from judging.pages import home_page
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page


@member_page(roles=MANAGERS)
def judging_home(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    context = home_page(organization=request.organization, corpus_id=corpus_id)
    return render(request, "judging/home.html", context)
