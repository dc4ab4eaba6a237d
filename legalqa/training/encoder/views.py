"""The page about what retrieves: encoders trained on a corpus's own questions, their reports, and the switch."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.services import encoder_remove as encoder_drop
from corpora.services import encoder_roll_back as encoder_back
from corpora.services import encoder_use as encoder_switch
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.jobs.services import job_cancel, job_retry
from legalqa.training.encoder import pages as presentation
from legalqa.training.encoder import services
from legalqa.training.encoder.forms import EncoderForm

STOP_POLLING = 286  # htmx: swap, and do not ask again
SWITCHING = "The switch has begun. Searches go on as before until every passage has its vector."


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def encoder_list(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    choices = presentation.encoder_forms(organization=request.organization, corpus_id=corpus_id)
    form = EncoderForm(request.POST, **choices) if request.method == "POST" else None
    if form is not None and form.is_valid():
        try:
            _start(request, corpus_id, form)
            return _listed(request, corpus_id)
        except NotFound:
            raise
        except ApplicationError as error:
            form.add_error(None, error.message)
    context = presentation.retrieving_page(organization=request.organization, corpus_id=corpus_id, encoder_form=form)
    return render(request, "judging/what_retrieves.html", context, status=422 if form is not None else 200)


def _start(request: MemberRequest, corpus_id: UUID, form: EncoderForm) -> None:
    services.encoder_train(
        organization=request.organization,
        user=request.user,
        corpus_id=corpus_id,
        gold_set_ids=[UUID(pk) for pk in form.cleaned_data["gold_sets"]],
        elsewhere=[UUID(pk) for pk in form.cleaned_data.get("elsewhere", ())],
        settings=services.settings_checked(form.training()),
    )
    messages.success(request, "Training has begun. Searches stay as they are until you put the result into use.")


def _listed(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    return redirect("encoder_list", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS)
def encoder_state(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    context = presentation.state_page(organization=request.organization, corpus_id=corpus_id)
    return render(
        request, "judging/_retrieving_state.html", context, status=200 if context["is_working"] else STOP_POLLING
    )


@member_page(roles=MANAGERS)
def encoder_detail(request: MemberRequest, corpus_id: UUID, encoder_id: UUID) -> HttpResponse:
    context = presentation.report_page(organization=request.organization, corpus_id=corpus_id, encoder_id=encoder_id)
    return render(request, "judging/encoder.html", context)


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_use(request: MemberRequest, corpus_id: UUID, encoder_id: UUID) -> HttpResponseBase:
    encoder_switch(organization=request.organization, user=request.user, corpus_id=corpus_id, encoder_id=encoder_id)
    messages.success(request, SWITCHING)
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_use_packaged(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    encoder_switch(organization=request.organization, user=request.user, corpus_id=corpus_id, encoder_id=None)
    messages.success(request, SWITCHING)
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_roll_back(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    encoder_back(organization=request.organization, user=request.user, corpus_id=corpus_id)
    messages.success(request, "The encoder of before comes back. Its vectors were kept, so that takes seconds.")
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_switch_cancel(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    job = presentation.switch_job(organization=request.organization, corpus_id=corpus_id)
    job_cancel(organization=request.organization, job_id=job.pk)
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_switch_resume(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    job = presentation.switch_job(organization=request.organization, corpus_id=corpus_id)
    job_retry(organization=request.organization, job_id=job.pk)
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_cancel(request: MemberRequest, corpus_id: UUID, encoder_id: UUID) -> HttpResponseBase:
    services.encoder_cancel(organization=request.organization, corpus_id=corpus_id, encoder_id=encoder_id)
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_resume(request: MemberRequest, corpus_id: UUID, encoder_id: UUID) -> HttpResponseBase:
    services.encoder_resume(organization=request.organization, corpus_id=corpus_id, encoder_id=encoder_id)
    return _listed(request, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_remove(request: MemberRequest, corpus_id: UUID, encoder_id: UUID) -> HttpResponseBase:
    encoder_drop(organization=request.organization, user=request.user, corpus_id=corpus_id, encoder_id=encoder_id)
    messages.success(request, "The encoder is removed, with its questions, its report and its vectors.")
    return _listed(request, corpus_id)
