"""The page from which all judging of a corpus is reached."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from judging.home import pages as presentation
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page


@member_page(roles=MANAGERS)
def judging_home(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    context = presentation.home_page(organization=request.organization, corpus_id=corpus_id)
    return render(request, "judging/home.html", context)
