from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        from judging.experiments.baselines import STRATEGIES
        from legalqa.answering.strategies.registry import strategy_register

        for strategy in STRATEGIES:
            strategy_register(strategy, is_baseline=True)
