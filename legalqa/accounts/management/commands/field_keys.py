"""`field_keys`: re-encrypt stored secrets with the first key of LEGALQA_FIELD_KEYS."""

from typing import Any

from legalqa.accounts.services import secrets_reencrypt
from legalqa.common.commands import LegalQACommand
from legalqa.common.encryption import SecretUnreadable
from legalqa.common.errors import ApplicationError


class Command(LegalQACommand):
    help = "Re-encrypt every stored secret with the first key of LEGALQA_FIELD_KEYS; the other keys can then be "
    "removed."

    def run(self, options: dict[str, Any]) -> None:
        try:
            n_written = secrets_reencrypt()
        except SecretUnreadable as error:
            raise ApplicationError(f"{error} Put back the key that encrypted it.", code="field_key") from None
        self.emit({"secrets": n_written}, options, f"{n_written} secrets are encrypted with the first key.")
