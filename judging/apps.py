from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        from corpora.selectors import job_subjects_add
        from judging.models import TuningRun

        job_subjects_add(TuningRun)
