"""The partial HNSW index of one large corpus: when it is needed, whether it is there, how it is built."""

from functools import lru_cache
from uuid import UUID

from django.db import connection, connections
from psycopg import sql

from corpora.models import Corpus, Embedding
from legalqa.llm import encoder


def index_name(corpus_id: UUID) -> str:
    return f"embedding_hnsw_{corpus_id.hex}"


def live_windows(*, corpus: Corpus) -> int:
    """How many vectors a search of the corpus compares; counted once for each version of the corpus."""
    return _live_windows(corpus.pk, corpus.version)


@lru_cache(maxsize=1024)
def _live_windows(corpus_id: UUID, _version: int) -> int:
    return Embedding.objects.filter(corpus_id=corpus_id, encoder=encoder.NAME, is_live=True).count()


def index_is_ready(*, corpus: Corpus) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = %s",
            [index_name(corpus.pk)],
        )
        row = cursor.fetchone()
    return row is not None and bool(row[0])


def index_build(*, corpus_id: UUID) -> None:
    """Build the corpus's index beside running searches; an index that a killed build left invalid is replaced.

    Runs as the owner of the table, outside any transaction. m 16, ef_construction 64: storage study C.
    """
    name, literal = sql.Identifier(index_name(corpus_id)), sql.Literal(str(corpus_id))
    with connections["owner"].cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = '256MB'")
        cursor.execute("SET lock_timeout = 0")  # it waits for every transaction that is open
        cursor.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(name))
        cursor.execute(
            sql.SQL(
                "CREATE INDEX CONCURRENTLY {} ON corpora_embedding USING hnsw (vector vector_ip_ops)"
                " WITH (m = 16, ef_construction = 64) WHERE corpus_id = {} AND encoder = {} AND is_live"
            ).format(name, literal, sql.Literal(encoder.NAME))
        )
