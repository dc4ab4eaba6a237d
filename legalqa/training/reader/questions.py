"""Training data of a corpus's own reader: gold questions and graded answers, with passages as answers read them."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from corpora.in_force import positions_live
from corpora.models import Corpus, Position
from corpora.provisions.around import text_read
from corpora.services.passages import passage_vectors
from corpora.services.provisions import provisions_around
from judging.gold.grades import GradedQuestion, graded_questions
from judging.models import GoldSet
from judging.splits import document_groups, groups_kept
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.answering.composing.ranking import PASSAGES_READ
from legalqa.answering.memory import PassageEncoder
from legalqa.answering.strategies.search import PASSAGES_OPENED
from legalqa.common.errors import Conflict
from legalqa.training.encoder.data import gold_asked
from legalqa.training.reader.mix import EVERYDAY, Example, examples_of
from legalqa.training.reader.rivals import MOST, nearest_unlike
from legalqa.training.reader.rows import AnswerRow
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.lab import query_hash
from retrieval.services.search import MAX_QUERY_CHARS, corpus_search

OWN = f"{EVERYDAY} own"  # the source of the rows: whole passages, as answers read them


@dataclass(frozen=True, slots=True)
class ReaderQuestion:
    """A question of a corpus, and once it was searched for, its passages.

    Attributes:
        text: As it was asked.
        right: Paragraphs that answer it.
        wrong: Paragraphs of which graders say that they do not.
        is_silent: Whether nothing in the documents answers it. Where nothing is right and this is not said, only what
            is wrong is known.
        group: Questions with one paragraph that answers in common have the same, directly or through others.
        is_held_out: Whether it is kept from training.
        answering: The passages of `right`, as answers read them.
        others: Passages that do not answer: first those of which graders say so, then those nearest to the question.
    """

    text: str
    right: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    is_silent: bool = False
    group: int = 0
    is_held_out: bool = False
    answering: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def is_of_use(self) -> bool:
        """Whether passages were found for it; if it has right passages, these must be among them."""
        return bool(self.answering if self.right else self.others)


def questions_packed(questions: Sequence[ReaderQuestion]) -> bytes:
    """Gzipped JSON; the same for the same questions."""
    return gzip.compress(json.dumps([asdict(one) for one in questions], ensure_ascii=False).encode(), mtime=0)


def questions_read(data: bytes) -> list[ReaderQuestion]:
    """The questions that `questions_packed` wrote."""
    return [question_of(row) for row in json.loads(gzip.decompress(data))]


def question_of(row: dict[str, object]) -> ReaderQuestion:
    """A question as a file keeps it."""
    return ReaderQuestion(**{name: tuple(v) if isinstance(v, list) else v for name, v in row.items()})  # type: ignore[arg-type]  # a dictionary's values have one type


def questions_gathered(*, corpus: Corpus, gold_sets: Sequence[GoldSet], with_grades: bool) -> list[ReaderQuestion]:
    """The questions of gold sets and, if asked for, of graded answers, each once with all that is known of it.

    An answer graded right makes its passages right, a passage said not to support it is wrong, a silence graded right
    says that nothing answers (`judging.gold.grades`). Graded follow-ups are left out: alone they ask something else.
    """
    by_hash: dict[str, ReaderQuestion] = {}
    for gold in gold_asked(gold_sets=gold_sets, with_unanswerable=True):
        right = tuple(dict.fromkeys(reference.paragraph_id for reference in gold.references))
        by_hash[query_hash(query=gold.text)] = ReaderQuestion(gold.text, right, is_silent=not right)
    graded = graded_questions(organization=corpus.organization, corpus=corpus) if with_grades else []
    for one in graded:
        if not one.history:
            key = query_hash(query=one.text)
            by_hash[key] = _with_grades(by_hash.get(key, ReaderQuestion(one.text)), one)
    questions = [one for one in by_hash.values() if one.right or one.wrong or one.is_silent]
    return [one for one in questions if len(one.text) <= MAX_QUERY_CHARS]


def _with_grades(question: ReaderQuestion, graded: GradedQuestion) -> ReaderQuestion:
    right = tuple(dict.fromkeys([*question.right, *graded.relevant()]))
    wrong = tuple(paragraph for paragraph in graded.refuted() if paragraph not in right)
    is_silent = not right and (question.is_silent or graded.is_silence())
    return replace(question, right=right, wrong=wrong, is_silent=is_silent)


def questions_dealt(questions: Sequence[ReaderQuestion], *, share: float, seed: int) -> list[ReaderQuestion]:
    """Keep a share of the questions, 0 to 1, from training, drawn by the seed; those of one paragraph go together."""
    groups = document_groups([question.right for question in questions])
    held_groups = groups_kept(groups, share=share, seed=seed, is_near=True)
    return [
        replace(question, group=group, is_held_out=group in held_groups)
        for question, group in zip(questions, groups, strict=True)
    ]


def question_searched(question: ReaderQuestion, *, corpus: Corpus) -> ReaderQuestion:
    """The question with its passages, by the default search; without any where what answers it is gone.

    Opens its own short transactions; what is encoded is encoded outside them.
    """
    preset = preset_get(DEFAULT_PRESET, {"rewriter": "off"})
    try:
        result = corpus_search(request=SearchRequest(corpus.organization, None, corpus.pk, question.text, preset))
    except Conflict:  # versions were published all the while: one question less
        return question
    with organization_scope(corpus.organization, user=None):
        rows = positions_live(corpus=corpus).filter(paragraph__in=[*question.right, *question.wrong])
        first = [passage.position for passage in result.passages[:PASSAGES_OPENED]]
        positions = {one.paragraph_id: one for one in (*first, *rows.select_related("paragraph"))}
        provisions = provisions_around(positions=positions.values())
        encoder = PassageEncoder(corpus_id=corpus.pk, stored=passage_vectors(positions=positions.values()))
    connection_give_back()
    texts = {
        pk: text_read(provisions[key], one.ordinal, one.paragraph.text)
        for pk, one in positions.items()
        if (key := (one.version_id, one.ordinal)) in provisions
    }
    answering = tuple(dict.fromkeys(texts[pk].strip() for pk in question.right if pk in texts))
    others = [texts[pk] for pk in question.wrong if pk in texts]
    if answering or question.is_silent:
        others += _nearest(question, positions, texts, encoder)
    others = [text for text in dict.fromkeys(one.strip() for one in others) if text not in answering]
    return replace(question, answering=answering, others=tuple(others[:PASSAGES_READ]))


def _nearest(
    question: ReaderQuestion, positions: dict[int, Position], texts: dict[int, str], encoder: PassageEncoder
) -> list[str]:
    """The texts nearest to a question, without those that may say the same as one that answers it."""
    pool = list(texts)
    vectors = encoder.encode([question.text], [texts[pk] for pk in pool])
    right = [place for place, pk in enumerate(pool) if pk in question.right]
    versions = np.array([str(positions[pk].version_id) for pk in pool])
    places = nearest_unlike(
        vectors[0],
        vectors[1:],
        own=vectors[1:][right],
        is_same=versions[:, None] == versions[right][None, :],
        barred=np.array([pk in question.right for pk in pool], dtype=bool),
        most=PASSAGES_READ,
    )
    return [texts[pool[place]] for place in places]


def examples_own(questions: Sequence[ReaderQuestion], *, seed: int) -> list[Example]:
    """The examples of an epoch: right passages before their rivals, and passages that do not answer."""
    rows, rivals = list[AnswerRow](), dict[tuple[str, str], tuple[str, ...]]()
    for number, one in enumerate(questions):
        for place, text in enumerate(one.answering or one.others[:MOST]):
            row = AnswerRow(f"{number} {place}", one.text, text, bool(one.answering), source=OWN, group=str(one.group))
            rows.append(row)
            if one.answering:
                rivals[OWN, row.id] = one.others[:MOST]
    return examples_of(rows, seed=seed, rivals=rivals)
