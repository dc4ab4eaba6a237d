from django.apps import AppConfig


class AnsweringConfig(AppConfig):
    name = "legalqa.answering"
    label = "answering"
    verbose_name = "Questions and answers"
