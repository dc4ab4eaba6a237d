from django.apps import AppConfig


class AnsweringConfig(AppConfig):
    name = "legalqa.answering"
    label = "answering"
    verbose_name = "Questions and answers"

    def ready(self) -> None:
        from legalqa.answering.presets import presets_register

        presets_register()
