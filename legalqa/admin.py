"""The operators' admin as the default admin site."""

from django.contrib.admin.apps import AdminConfig


class LegalQAAdminConfig(AdminConfig):
    default_site = "legalqa.admin_site.OperatorSite"
