"""Re-encrypting stored secrets with a new key."""

from django.apps import apps
from django.db import models, transaction

from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import OrganizationModel, organization_scope
from legalqa.common.encryption import EncryptedTextField


def secrets_reencrypt() -> int:
    """Re-encrypt every stored secret with the first key and return how many; outside any scope.

    Raises:
        SecretUnreadable: one cannot be decrypted with any of the keys; its table is unchanged.
    """
    n_written = 0
    for model in apps.get_models():
        names = [field.attname for field in model._meta.local_fields if isinstance(field, EncryptedTextField)]
        if not names:
            continue
        if not issubclass(model, OrganizationModel):
            n_written += _rewrite(model, names)
            continue
        for organization in Organization.objects.order_by("pk"):
            with organization_scope(organization, user=None):
                n_written += _rewrite(model, names)
    return n_written


def _rewrite(model: type[models.Model], names: list[str]) -> int:
    with transaction.atomic():
        rows = list(model._default_manager.select_for_update().order_by("pk"))
        for row in rows:
            row.save(update_fields=names)
    return len(rows)
