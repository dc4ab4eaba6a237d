"""Pages of the rankers of a corpus; they stand on the page about what retrieves."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.training.encoder.pages import encoder_forms, retrieving_page
from legalqa.training.ranker import pages as presentation
from legalqa.training.ranker import services
from legalqa.training.ranker.forms import RankerForm


@member_page(roles=MANAGERS, methods=("POST",))
def ranker_train(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    choices = encoder_forms(organization=request.organization, corpus_id=corpus_id)
    form = RankerForm(request.POST, gold_sets=choices["gold_sets"])
    if form.is_valid():
        try:
            services.ranker_train_start(
                organization=request.organization,
                user=request.user,
                corpus_id=corpus_id,
                gold_set_ids=[UUID(pk) for pk in form.cleaned_data["gold_sets"]],
            )
        except NotFound:
            raise
        except ApplicationError as error:
            form.add_error(None, error.message)
    if form.errors:
        context = retrieving_page(organization=request.organization, corpus_id=corpus_id, ranker_form=form)
        return render(request, "judging/what_retrieves.html", context, status=422)
    messages.success(request, "Training has begun. Searches stay as they are until you put the result into use.")
    return _listed(request, corpus_id)


def _listed(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    return redirect("encoder_list", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS)
def ranker_detail(request: MemberRequest, corpus_id: UUID, ranker_id: UUID) -> HttpResponse:
    context = presentation.report_page(organization=request.organization, corpus_id=corpus_id, ranker_id=ranker_id)
    return render(request, "judging/ranker.html", context)


@member_page(roles=MANAGERS, methods=("POST",))
def ranker_use(request: MemberRequest, corpus_id: UUID, ranker_id: UUID) -> HttpResponseBase:
    services.ranker_use(organization=request.organization, user=request.user, corpus_id=corpus_id, ranker_id=ranker_id)
    messages.success(request, "The ranker is in use for every search from now on.")
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def ranker_use_packaged(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    services.ranker_use(organization=request.organization, user=request.user, corpus_id=corpus_id, ranker_id=None)
    messages.success(request, "The packaged ranker is in use for every search from now on.")
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def ranker_roll_back(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    services.ranker_roll_back(organization=request.organization, user=request.user, corpus_id=corpus_id)
    messages.success(request, "The ranker of before is in use again.")
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def ranker_cancel(request: MemberRequest, corpus_id: UUID, ranker_id: UUID) -> HttpResponseBase:
    services.ranker_cancel(organization=request.organization, corpus_id=corpus_id, ranker_id=ranker_id)
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def ranker_resume(request: MemberRequest, corpus_id: UUID, ranker_id: UUID) -> HttpResponseBase:
    services.ranker_resume(organization=request.organization, corpus_id=corpus_id, ranker_id=ranker_id)
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def ranker_remove(request: MemberRequest, corpus_id: UUID, ranker_id: UUID) -> HttpResponseBase:
    services.ranker_remove(
        organization=request.organization, user=request.user, corpus_id=corpus_id, ranker_id=ranker_id
    )
    messages.success(request, "The ranker is removed, with its report.")
    return _listed(request, corpus_id)
