"""The partial HNSW index of one large corpus: when it is needed, whether it is there, how it is built."""

from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from django.conf import settings
from django.db import connection, connections
from psycopg import sql

from corpora.in_force import windows_searched
from corpora.models import Corpus, Embedding
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder.client import DIMENSIONS

BUILDS = 0x686E7377  # ours: the number of the advisory lock that lets one build run at a time
INDEXED_MAX = 2000  # pgvector's, of single precision; DIMENSIONS_MAX of half
DIMENSIONS_MAX = 4000
LATER_S = 15.0  # ours: wait before looking again if a build is under way


def index_name(corpus: Corpus) -> str:
    """The index over the vectors of the corpus's encoder: one for each encoder, so that a switch back finds its own."""
    _, _, mark = corpus.encoder.partition("+")
    return f"{_first(corpus.pk)}_{mark[:12]}" if mark else _first(corpus.pk)


def _first(corpus_id: UUID) -> str:
    """How the names of all indexes of a corpus begin; the packaged encoder's is called just that."""
    return f"embedding_hnsw_{corpus_id.hex}"


def live_windows(*, corpus: Corpus) -> int:
    """How many vectors a search of the corpus compares; counted once for each version of the corpus."""
    if not corpus.is_searched_as_live:
        return windows_searched(corpus=corpus).count()
    return _live_windows(corpus.pk, corpus.encoder, corpus.version)


@lru_cache(maxsize=1024)
def _live_windows(corpus_id: UUID, encoder_name: str, _version: int) -> int:
    return Embedding.objects.filter(corpus_id=corpus_id, encoder=encoder_name, is_live=True).count()


def index_is_wanted(*, corpus: Corpus) -> bool:
    """Whether searches by the corpus's encoder, in use already or not, would need an index that is not there."""
    n = Embedding.objects.filter(corpus_id=corpus.pk, encoder=corpus.encoder, is_live=True).count()
    return n > settings.EXACT_SEARCH_MAX and not index_is_ready(corpus=corpus)


def index_is_ready(*, corpus: Corpus) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = %s",
            [index_name(corpus)],
        )
        row = cursor.fetchone()
    return row is not None and bool(row[0])


def indexed_as(vector: str, dimensions: int) -> str:
    """SQL that reads a vector as the index of its encoder does; a search must order by the same expression."""
    return f"{vector}::{_type(dimensions)}({dimensions:d})"


def _type(dimensions: int) -> str:
    """What an index holds: above INDEXED_MAX dimensions pgvector indexes half the precision only."""
    return "vector" if dimensions <= INDEXED_MAX else "halfvec"


def _dimensions(corpus: Corpus) -> int:
    """Of the vectors of a corpus's encoder; as the owner, who sees no rows of it, so through the organisation."""
    with organization_scope(corpus.organization_id, user=None):
        one = Embedding.objects.filter(corpus=corpus, encoder=corpus.encoder).values_list("vector", flat=True).first()
    return DIMENSIONS if one is None else len(one)


def index_build(*, corpus: Corpus) -> bool:
    """Build the corpus's index beside running searches; False, and nothing is done, where another build is under way.

    An index that a killed build left invalid is replaced. The server continues the build of a client that was
    killed, so ask `index_is_wanted` again before the next try. Two builds at once would wait for each other.

    Runs as the owner of the table, outside any transaction. m 16, ef_construction 64: storage study C.
    """
    name, literal = sql.Identifier(index_name(corpus)), sql.Literal(str(corpus.pk))
    dimensions = _dimensions(corpus)
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [BUILDS])  # waiting for the lock would hold up its owner
        if not cursor.fetchone()[0]:
            return False
        try:
            cursor.execute("SET maintenance_work_mem = '256MB'")
            cursor.execute("SET lock_timeout = 0")  # it waits for every transaction that is open
            cursor.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(name))
            cursor.execute(
                sql.SQL(
                    "CREATE INDEX CONCURRENTLY {} ON corpora_embedding USING hnsw (({}) {}) "
                    "WITH (m = 16, ef_construction = 64) WHERE corpus_id = {} AND encoder = {} AND is_live"
                ).format(
                    name,
                    sql.SQL(indexed_as("vector", dimensions)),
                    sql.SQL(f"{_type(dimensions)}_ip_ops"),
                    literal,
                    sql.Literal(corpus.encoder),
                )
            )
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [BUILDS])
    return True


def indexes_drop_others(*, corpus_id: UUID, encoder_names: Sequence[str]) -> None:
    """Drop the corpus's indexes over vectors of any other encoder; as the owner, outside any transaction."""
    current = {index_name(Corpus(pk=corpus_id, encoder=name)) for name in encoder_names}
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'i' AND starts_with(relname, %s)", [_first(corpus_id)]
        )
        names = {row[0] for row in cursor.fetchall()}
        cursor.execute("SET lock_timeout = 0")
        for name in sorted(names - current):
            cursor.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(sql.Identifier(name)))
