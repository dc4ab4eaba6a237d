"""The HNSW indexes of a corpus: one for each encoder that it has."""

from uuid import uuid4

from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from corpora.hnsw import index_build, index_is_ready, indexes_drop_others
from corpora.models import Corpus
from legalqa.encoder.client import NAME, trained_name


def test_each_encoder_has_an_index_of_its_own_until_the_corpus_has_the_encoder_no_more(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    corpus = Corpus(pk=uuid4(), organization_id=uuid4())
    of = {"pk": corpus.pk, "organization_id": corpus.organization_id}
    both = [corpus, Corpus(**of, encoder=trained_name("ab" * 32))]
    found = []
    with django_db_blocker.unblock():  # outside any transaction, as indexes are built beside running searches
        for kept in ([NAME, both[1].encoder], [NAME], []):
            for one in both if len(kept) == 2 else ():
                index_build(corpus=one)
            indexes_drop_others(corpus_id=corpus.pk, encoder_names=kept)
            found.append([index_is_ready(corpus=one) for one in both])
        for connection in connections.all():
            connection.close()

    assert found == [[True, True], [True, False], [False, False]]
