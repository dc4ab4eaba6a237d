from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class AccountsConfig(AppConfig):
    name = "legalqa.accounts"
    label = "accounts"
    verbose_name = "People and organisations"

    def ready(self) -> None:
        from legalqa.accounts import checks  # noqa: F401 - registers the system checks
        from legalqa.accounts.sign_in_signal import on_signed_in

        user_logged_in.connect(on_signed_in, dispatch_uid="legalqa.session_note")
