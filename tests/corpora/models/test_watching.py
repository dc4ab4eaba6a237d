"""What the database itself refuses to keep of a watched folder."""

import pytest
from django.db import IntegrityError, transaction

from corpora.models import WatchedFile, WatchedFolder, WatchedState
from tests.ingestion import make_corpus
from tests.people import Firm


def test_a_watched_file_is_in_a_state_that_is_known(inside: Firm) -> None:
    own = {"organization": inside.organization}
    folder = WatchedFolder.objects.create(**own, corpus=make_corpus(inside), path="leases")
    file = WatchedFile.objects.create(**own, folder=folder, name="lease.md", size=1, modified_ns=1)
    for state in WatchedState:
        WatchedFile.objects.update(state=state)

    with pytest.raises(IntegrityError, match="watched_state_known"), transaction.atomic():
        WatchedFile.objects.filter(pk=file.pk).update(state="eaten")
