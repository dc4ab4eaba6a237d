"""Orders of the driver about a corpus that is removed."""

from typing import Any
from uuid import UUID


def corpus_remove(organization: str, corpus: str) -> None:
    """Ask for the removal of the corpus, to begin at once."""
    from django.conf import settings

    from corpora.services import corpus_remove as remove
    from legalqa.accounts.models import Organization
    from legalqa.accounts.scoping import organization_scope

    settings.CORPUS_REMOVAL_DELAY_S = 0
    firm = Organization.objects.get(pk=organization)
    with organization_scope(firm, user=None):
        remove(organization=firm, user=None, corpus_id=UUID(corpus), name="Law")


def left_over(organization: str) -> dict[str, Any]:
    """How many rows of corpora each table has, how many files there are, and how often the removal was written down."""
    from pathlib import Path

    from django.conf import settings

    from corpora.models import Corpus
    from corpora.removal import parts
    from legalqa.accounts.models import AuditEvent
    from legalqa.accounts.scoping import organization_scope

    with organization_scope(UUID(organization), user=None):
        rows = {part.model._meta.label: part.model._default_manager.count() for part in parts()}
        rows["corpora.Corpus"] = Corpus.objects.count()
        removed = AuditEvent.objects.filter(action__in=("corpus.removal_begun", "corpus.removed"))
        return {
            "rows": {table: n for table, n in rows.items() if n},
            "n_files": len(list((Path(settings.FILES_ROOT) / organization).iterdir())),
            "audit": sorted(removed.values_list("action", flat=True)),
        }
