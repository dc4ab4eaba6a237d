from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "legalqa.jobs"
    label = "jobs"
    verbose_name = "Background work"
