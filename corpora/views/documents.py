"""Pages of corpora and documents."""

from uuid import UUID

from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.clickjacking import xframe_options_sameorigin

from corpora import selectors, services
from corpora.forms.documents import CorpusForm, CorpusMemberForm, CorpusSettingsForm, PasswordForm, WatchedFolderForm
from corpora.models import Corpus
from corpora.pages import documents as presentation
from corpora.removal import removals
from legalqa.accounts.access import MANAGERS, REVIEWERS, MemberRequest, member_page
from legalqa.common.errors import ApplicationError
from legalqa.common.htmx import render_partial
from legalqa.common.page_errors import errors_in


@member_page()
def corpus_list(request: MemberRequest) -> HttpResponse:
    return _corpora_page(request, CorpusForm())


def _corpora_page(request: MemberRequest, form: CorpusForm, *, status: int = 200) -> HttpResponse:
    leaving = removals(organization=request.organization).values()
    context = {
        "corpora": presentation.corpus_cards(organization=request.organization),
        "can_manage": request.membership.role in MANAGERS,
        "can_review": request.membership.role in REVIEWERS,
        "form": form,
        "removals": leaving,
        "is_removing": any(removal.state == "removing" for removal in leaving),
    }
    return render(request, "corpora/corpus_list.html", context, status=status)


@member_page(roles=MANAGERS, methods=("POST",))
def corpus_create(request: MemberRequest) -> HttpResponseBase:
    form = CorpusForm(request.POST)
    if form.is_valid():
        with errors_in(form, "name"):
            corpus = services.corpus_create(**request.acting, **form.cleaned_data)
            return redirect("corpus_detail", request.organization.slug, corpus.pk)
    return _corpora_page(request, form, status=422)


@member_page()
def corpus_detail(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    corpus = selectors.corpus_get(organization=request.organization, corpus_id=corpus_id)
    form = CorpusSettingsForm(
        initial={"name": corpus.name, "description": corpus.description, "is_walled": corpus.is_walled}
    )
    return _corpus_page(request, corpus, form)


def _corpus_page(
    request: MemberRequest, corpus: Corpus, form: CorpusSettingsForm, *, status: int = 200
) -> HttpResponse:
    context = presentation.document_page(organization=request.organization, corpus=corpus, query=request.GET) | {
        "corpus": corpus,
        "removal": removals(organization=request.organization).get(corpus.pk),
        "max_mb": settings.MAX_UPLOAD_BYTES // 2**20,
        "folders": selectors.folder_statuses(corpus=corpus),
        "folder_form": WatchedFolderForm(organization=request.organization),
        "can_manage": request.membership.role in MANAGERS,
        "can_review": request.membership.role in REVIEWERS,
        "form": form,
        "members": selectors.corpus_member_list(corpus=corpus),
        "member_form": CorpusMemberForm(organization=request.organization),
    }
    return render_partial(request, "corpora/corpus_detail.html", context, partial="document-table", status=status)


@member_page(roles=MANAGERS, methods=("POST",))
def corpus_update(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    form = CorpusSettingsForm(request.POST)
    corpus = selectors.corpus_get(organization=request.organization, corpus_id=corpus_id)
    if form.is_valid():
        with errors_in(form, "name"):
            services.corpus_update(**request.acting, corpus_id=corpus_id, **form.cleaned_data)
            messages.success(request, "Settings saved.")
            return redirect("corpus_detail", request.organization.slug, corpus_id)
    return _corpus_page(request, corpus, form, status=422)


@member_page(roles=MANAGERS, methods=("POST",))
def corpus_member_add(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus = selectors.corpus_get(organization=request.organization, corpus_id=corpus_id)
    form = CorpusMemberForm(request.POST, organization=request.organization)
    if form.is_valid():
        services.corpus_member_add(**request.acting, corpus_id=corpus.pk, member_id=UUID(form.cleaned_data["member"]))
        return redirect("corpus_detail", request.organization.slug, corpus_id)
    raise ApplicationError("Choose a member of the organisation from the list.", code="unknown_member")


@member_page(roles=MANAGERS, methods=("POST",))
def corpus_member_remove(request: MemberRequest, corpus_id: UUID, member_id: UUID) -> HttpResponseBase:
    services.corpus_member_remove(**request.acting, corpus_id=corpus_id, member_id=member_id)
    return redirect("corpus_detail", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",), in_scope=False)
def document_upload(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    results = presentation.upload_each(
        **request.acting,
        corpus_id=corpus_id,
        files=request.FILES.getlist("files"),
        password=request.POST.get("password", ""),
    )
    return presentation.upload_response(request, results, corpus_id=corpus_id)


@member_page()
def document_rows(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    """The rows that were at work, for the one poll of the list; once none is left, the list is loaded once more."""
    corpus = selectors.corpus_get(organization=request.organization, corpus_id=corpus_id)
    rows = presentation.rows_asked(request, corpus)
    poll = presentation.poll_query(rows)
    context = {"corpus": corpus, "rows": rows, "poll": poll, "can_manage": request.membership.role in MANAGERS}
    response = render(request, "corpora/_document_poll.html", context)
    if not poll:
        response.headers["HX-Trigger"] = "documents-changed"
    return response


@csp_replace({"frame-ancestors": [SELF]})  # the page of an answer shows it beside the answer
@xframe_options_sameorigin
@member_page()
def document_detail(request: MemberRequest, document_id: UUID) -> HttpResponse:
    version = services.document_view(
        **request.acting, document_id=document_id, number=presentation.version_number(request)
    )
    return render(request, "corpora/document_detail.html", presentation.reader(request, version=version))


@member_page()
def document_rects(request: MemberRequest, document_id: UUID) -> HttpResponse:
    return presentation.rects(request, document_id=document_id)


@member_page()
def document_file(request: MemberRequest, document_id: UUID) -> HttpResponseBase:
    return presentation.file_response(request, document_id=document_id)


@member_page(roles=MANAGERS, methods=("POST",), in_scope=False)
def document_password(request: MemberRequest, document_id: UUID) -> HttpResponseBase:
    form = PasswordForm(request.POST)
    corpus_id = presentation.corpus_of_document(request, document_id)
    try:
        password = form.cleaned_data["password"] if form.is_valid() else ""
        services.version_unlock(**request.acting, document_id=document_id, password=password)
        messages.success(request, "The password was right, and the file is being read now.")
    except ApplicationError as error:
        messages.error(request, error.message)
    return redirect("corpus_detail", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def document_delete(request: MemberRequest, document_id: UUID) -> HttpResponseBase:
    document = services.document_remove(**request.acting, document_id=document_id)
    messages.success(request, f"{document.title} was removed. Upload the file again to bring it back.")
    return redirect("corpus_detail", request.organization.slug, document.corpus_id)
