"""Gold sets that come from files of any shape and go to them: what page, endpoint and command share."""

from uuid import UUID

from corpora.selectors import corpus_get
from judging.gold.files import gold_rows_of
from judging.gold.formats import gold_brought, gold_written
from judging.gold.passages import Passages
from judging.gold.services.doubles import (
    doubles_of,
    gold_set_doubles_mark,
    question_as_text,
    splits_deal,
    splits_shared,
)
from judging.gold.services.kinds import kinds_unknown
from judging.gold.services.sets import gold_questions, gold_set_get, gold_set_import, gold_set_rows
from judging.models import GoldSet
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.work import Places, Work
from legalqa.encoder.client import EncoderDown, FloatMatrix

MAX_SEARCHED = 3_000_000_000  # ours: characters looked through for passages while a person waits; five seconds
UNSEARCHED = (
    "Not looked for: {n:,} passages, because that would take too long here: they count as not in the corpus. "
    "`manage.py goldset import` looks for all."
)
IMPORTS = Places(
    of_one=2, of_all=4, refusal="Other gold sets are being imported. Wait a minute, then send this file again."
)


def gold_set_bring(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    name: str,
    data: bytes,
    shape: str = "jsonl",
    n_compared: int | None = None,
) -> tuple[GoldSet, tuple[str, ...]]:
    """Store the questions of a file, all or none, and say what is unknown, duplicate or shared between splits.

    Searching and encoding are done while no transaction is open.

    Returns:
        The gold set, and what the person should know about it, a sentence each.

    Args:
        shape: One of `judging.gold.formats.READERS`.
        n_compared: At most this many questions are compared in meaning, the others in words, and passages are looked
            for in at most MAX_SEARCHED characters, because a person waits. None for all.

    Raises:
        NotFound, GoldFileError, ApplicationError, Conflict: as `gold_brought` and `gold_set_import`.
        TooMany, Unavailable: too many imports are under way.
    """
    with IMPORTS.one(organization.pk):
        with organization_scope(organization, user=user):
            corpus = corpus_get(organization=organization, corpus_id=corpus_id)
        connection_give_back()
        work = None if n_compared is None else Work(MAX_SEARCHED)
        passages = Passages(corpus, user=user, work=work)
        brought = gold_brought(data, shape=shape, passages=passages)
        if passages.n_unsearched:
            brought.notes.insert(0, UNSEARCHED.format(n=passages.n_unsearched))
        rows = gold_rows_of(brought.documents, lines=brought.lines)
        vectors: dict[str, FloatMatrix] = {}
        try:
            doubles_of(
                texts=[question_as_text(text=row.question, history=row.history) for row in rows],
                n_compared=n_compared,
                vectors=vectors,
            )
        except EncoderDown:
            n_compared = 0
        with organization_scope(organization, user=user):
            gold_set = gold_set_import(organization=organization, user=user, corpus_id=corpus_id, name=name, rows=rows)
            notes = gold_set_check(organization=organization, gold_set=gold_set, n_compared=n_compared, vectors=vectors)
    return gold_set, (*brought.notes, *notes)


def gold_set_check(
    *,
    organization: Organization,
    gold_set: GoldSet,
    n_compared: int | None = None,
    vectors: dict[str, FloatMatrix] | None = None,
) -> list[str]:
    """Mark duplicates, and name them with unknown types and with what splits share; [] where all is well."""
    notes = []
    names = list(gold_questions(gold_set=gold_set).order_by().values_list("question_type", flat=True).distinct())
    if unknown := kinds_unknown(organization=organization, names=sorted(names)):
        notes.append(f"Types that the taxonomy does not have count as “other”: {', '.join(unknown[:10])}.")
    n_questions = gold_questions(gold_set=gold_set).count()
    try:
        n_doubles = gold_set_doubles_mark(gold_set=gold_set, n_compared=n_compared, vectors=vectors)
    except EncoderDown:
        n_doubles, n_compared = gold_set_doubles_mark(gold_set=gold_set, n_compared=0), 0
    if n_doubles:
        notes.append(f"{n_doubles} of {n_questions} questions ask the same as an earlier one; they are marked.")
    if n_compared is not None and n_compared < n_questions:
        notes.append(
            f"{n_questions - n_compared} questions were compared by their words only; "
            "`manage.py goldset check` compares all in meaning."
        )
    for shared in splits_shared(gold_set=gold_set):
        documents = f"documents ({', '.join(shared.documents[:3])})" if shared.documents else ""
        duplicates = "1 duplicate question" if shared.n_doubles == 1 else f"{shared.n_doubles} duplicate questions"
        sentence = " and ".join(part for part in (documents, duplicates if shared.n_doubles else "") if part)
        notes.append(f"The splits {shared.first} and {shared.second} share {sentence}.")
    return notes


def gold_set_deal(*, organization: Organization, user: User | None, gold_set_id: UUID) -> dict[str, int]:
    """Deal the questions of a set into splits; raises NotFound, and as `splits_deal`."""
    gold_set = gold_set_get(organization=organization, gold_set_id=gold_set_id)
    counts = splits_deal(gold_set=gold_set)
    audit(organization=organization, actor=user, action="gold_set.split", subject_id=gold_set.corpus_id)
    return counts


def gold_set_file(
    *, organization: Organization, user: User | None, gold_set: GoldSet, shape: str
) -> tuple[bytes, str, str]:
    """A gold set as a file: its content, the ending of its name, the content type; raises as `gold_written`."""
    passages = Passages(gold_set.corpus, user=user)
    file = gold_written(gold_set_rows(gold_set=gold_set), shape=shape, passages=passages)
    audit(organization=organization, actor=user, action="gold_set.exported", subject_id=gold_set.corpus_id)
    return file
