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

        strategy_register(Quoted())
        strategy_register(Written())
        presets_register()
