from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "legalqa.operations"
    label = "operations"
