from django.apps import AppConfig


class CorporaConfig(AppConfig):
    name = "corpora"

    def ready(self) -> None:
        from corpora.services.notices import failure_notice
        from legalqa.jobs.signals import job_failed

        job_failed.connect(failure_notice, dispatch_uid="document failed")
