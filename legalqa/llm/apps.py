from django.apps import AppConfig


class LlmConfig(AppConfig):
    name = "legalqa.llm"
    label = "llm"
