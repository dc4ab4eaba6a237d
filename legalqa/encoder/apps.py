from django.apps import AppConfig


class EncoderConfig(AppConfig):
    name = "legalqa.encoder"
