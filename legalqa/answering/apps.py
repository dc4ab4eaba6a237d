from typing import Any

from django.apps import AppConfig


class AnsweringConfig(AppConfig):
    name = "legalqa.answering"
    label = "answering"
    verbose_name = "Questions and answers"

    def ready(self) -> None:
        from legalqa.answering.presets import presets_register
        from legalqa.answering.strategies.quoted import Quoted
        from legalqa.answering.strategies.registry import strategy_register
        from legalqa.answering.strategies.written import Written
        from legalqa.jobs.signals import job_failed

        strategy_register(Quoted())
        strategy_register(Written())
        presets_register()
        job_failed.connect(_job_failed, dispatch_uid="answer failed")


def _job_failed(**event: Any) -> None:
    from legalqa.answering.services import answer_give_up

    answer_give_up(job=event["job"])
