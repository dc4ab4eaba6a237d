from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "legalqa.accounts"
    label = "accounts"
