from django.apps import AppConfig


class ReproduceConfig(AppConfig):
    name = "legalqa.reproduce"
