from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "legalqa.dashboard"
    label = "dashboard"
