"""Pages for owners and corpus managers, under `/o/<slug>/`."""

from django.urls import URLPattern, URLResolver, path

from legalqa.dashboard import api, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("audit/", views.audit_log, name="audit_log"),
    path("audit/export.csv", views.audit_csv, name="audit_csv"),
    path("audit/check/", views.audit_check, name="audit_check"),
    path("access/", views.access_page, name="access_page"),
    path("use/", views.use_page, name="use_page"),
    path("use/questions/", views.dashboard_questions, name="dashboard_questions"),
    path("access/export.csv", views.access_csv, name="access_csv"),
]

api_urlpatterns: list[URLPattern | URLResolver] = [
    path("audit/", api.AuditListApi.as_view(), name="api_audit_list"),
    path("dashboard/", api.DashboardApi.as_view(), name="api_dashboard"),
    path("use/", api.UseApi.as_view(), name="api_use"),
]
