from django.apps import AppConfig


class LlmConfig(AppConfig):
    name = "legalqa.llm"
    label = "llm"
    verbose_name = "Language models"
