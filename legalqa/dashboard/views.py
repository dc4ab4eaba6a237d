"""Pages for owners and corpus managers: the dashboard, the audit log, who can see what."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from corpora.selectors import corpus_list
from legalqa.accounts.access import MANAGERS, OWNERS, MemberRequest, member_page
from legalqa.accounts.services import audit, audit_verify
from legalqa.common.downloads import csv_response
from legalqa.dashboard.access_matrix import access_matrix
from legalqa.dashboard.audit_page import CSV_HEADER, audit_cells, audit_events, audit_rows
from legalqa.dashboard.forms import AuditFilterForm, DashboardForm
from legalqa.dashboard.selectors.answers import KINDS, AskedFilter, answers_asked
from legalqa.dashboard.selectors.overview import overview_get
from legalqa.dashboard.use_page import overview_page, question_rows, use_rows
from legalqa.jobs.use import use_get

ROWS_A_PAGE = 50
ROWS_A_FILE = 50_000


@member_page(roles=OWNERS)
def audit_log(request: MemberRequest) -> HttpResponse:
    form = AuditFilterForm(request.GET, organization=request.organization)
    filters = form.cleaned_data if form.is_valid() else {}
    events = audit_events(organization=request.organization, filters=filters)
    page = Paginator(events, ROWS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "rows": audit_rows(page.object_list),
        "page_obj": page,
        "query": request.GET.urlencode(),
        "is_filtered": any(filters.values()),
    }
    return render(request, "dashboard/audit_log.html", context, status=200 if form.is_valid() else 422)


@member_page(roles=OWNERS, fresh="download the audit log")
def audit_csv(request: MemberRequest) -> HttpResponse:
    form = AuditFilterForm(request.GET, organization=request.organization)
    if not form.is_valid():
        return redirect(f"{reverse('audit_log', args=[request.organization.slug])}?{request.GET.urlencode()}")
    events = audit_events(organization=request.organization, filters=form.cleaned_data)[:ROWS_A_FILE]
    rows = list(audit_cells(events))
    audit(organization=request.organization, actor=request.user, action="audit.exported", rows=len(rows))
    return csv_response(name=_file_name(request, "audit"), header=CSV_HEADER, rows=rows)


@member_page(roles=OWNERS, methods=("POST",))
def audit_check(request: MemberRequest) -> HttpResponse:
    report = audit_verify(organization=request.organization)
    if report.broken is None:
        messages.success(request, f"The log is intact: all {report.n_rows} rows are unchanged.")
    else:
        messages.error(request, f"The log was tampered with. {report.broken.why} Tell the operator.")
    return redirect("audit_log", request.organization.slug)


@member_page(roles=MANAGERS)
def access_page(request: MemberRequest) -> HttpResponse:
    matrix = access_matrix(organization=request.organization)
    return render(request, "dashboard/access.html", {"matrix": matrix})


@member_page(roles=MANAGERS, fresh="download the table of who can see what")
def access_csv(request: MemberRequest) -> HttpResponse:
    matrix = access_matrix(organization=request.organization)
    audit(organization=request.organization, actor=request.user, action="access.exported")
    header = ("Person", "E-mail address", "Role", *(corpus.name for corpus in matrix.corpora))
    return csv_response(name=_file_name(request, "access"), header=header, rows=matrix.table())


@member_page(roles=MANAGERS)
def use_page(request: MemberRequest) -> HttpResponse:
    use, form = use_get(organization=request.organization), DashboardForm(request.GET)
    overview = overview_get(
        organization=request.organization, with_costs=request.membership.role in OWNERS, **form.choices()
    )
    corpora = list(corpus_list(organization=request.organization))
    page = overview_page(overview=overview, corpora=corpora, slug=request.organization.slug)
    upload_limit = f"{use.documents_of_upload_limit:,}"
    context = {"use": use, "upload_limit": upload_limit, "rows": use_rows(use), **page}
    return render(request, "dashboard/use.html", context)


@member_page(roles=MANAGERS)
def dashboard_questions(request: MemberRequest) -> HttpResponse:
    answers = AskedFilter(request.GET, answers_asked(organization=request.organization)).qs
    page = Paginator(answers, ROWS_A_PAGE).get_page(request.GET.get("page"))
    rows = question_rows(answers=list(page.object_list), user_id=request.user.pk)
    kind = KINDS.get(request.GET.get("kind", ""), KINDS["asked"])
    return render(request, "dashboard/questions.html", {"rows": rows, "page_obj": page, "kind": kind})


def _file_name(request: MemberRequest, what: str) -> str:
    return f"{what}-{request.organization.slug}-{timezone.now():%Y-%m-%d}.csv"
