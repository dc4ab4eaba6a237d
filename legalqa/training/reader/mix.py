"""The training data of a reader: the rows, and examples that are made from them.

Made here: questions with a passage of another document (rows that were chosen to be hard make a model lose the easy
ones), questions to be answered with yes or no out of claims, legal sentences with small edits as claims about their
passage, and questions for the meaning of terms that a passage defines.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from legalqa.common.sentences import sentence_spans
from legalqa.training.reader.edits import EDITS, said_otherwise
from legalqa.training.reader.rows import LABELS, AnswerRow, ClaimRow, Row

SUPPORTED, CONTRADICTED, NOT_MENTIONED = range(len(LABELS))
LONGEST, SHORTEST = 170, 40  # words of a passage that training reads
# Ours: the share of a source's rows (and kind, where named) that an epoch reads; 1 where nothing is said.
SHARES = {
    "cuad": 0.5, "squad1_train_slice/positive": 0.4, "squad1_train_slice/same_document_negative": 0.6,
    "squad2_train_slice/positive": 0.7, "squad2_train_slice/same_document_negative": 0.6, "squad_sample": 0.4,
    "squadshifts_amazon_reviews": 0.25, "squadshifts_reddit": 0.4, "squadshifts_new_wiki/positive": 0.4,
    "squadshifts_new_wiki/same_document_negative": 0.6, "fever": 0.65, "fever_nei_made": 0.8, "mnli_part": 0.45,
    "counterfactual_nli": 0.35, "breaking_nli": 0.4, "semi_automatic_nli_sim_wiki": 0.4,
    "semi_automatic_nli_translate_wiki": 0.4,
}  # fmt: skip
EDITED = 0.45  # share of the legal passages of which a sentence is edited
_LEGAL = "cuad"
EVERYDAY = "everyday"  # how the sources of provisions with questions in everyday words begin
Rivals = Mapping[tuple[str, str], Sequence[str]]
NO_RIVALS: Rivals = MappingProxyType({})
_YES_NO = re.compile(
    r"^(?P<subject>(?:\S+ ){1,7}?)(?P<verb>is|are|was|were|can|may|must|shall|will|has|have|does|should)\b"
    r"(?P<rest> .+?)\.?$"
)
_DEFINED = re.compile(
    r"[“\"](?P<term>[A-Z][\w’' -]{2,40})[”\"]\s*(?:\([^)]{0,40}\)\s*)?(?:means?|shall mean|refers? to)\b"
)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Example:
    """What training reads at once.

    Attributes:
        first: Question or claim.
        second: Passage or evidence.
        is_claim: Which head learns of it.
        label: Of a question 1 where the passage answers; of a claim a place in LABELS.
        span: Characters of `second` that answer; (0, 0) where nothing does; None where it is not known.
        rivals: Of a question that `second` answers: passages near it that do not; `second` is to come before them.
    """

    first: str
    second: str
    is_claim: bool
    label: int
    span: tuple[int, int] | None = None
    rivals: tuple[str, ...] = ()


def examples_of(rows: Sequence[Row], *, seed: int, rivals: Rivals = NO_RIVALS, sampled: float = 1.0) -> list[Example]:
    """The examples of an epoch, in an order that depends on the seed alone.

    Args:
        rows: Questions and claims.
        seed: Of all that is drawn.
        rivals: By a row's source and id, passages near the one that answers it that do not.
        sampled: The share of the rows of other sources than everyday ones that is read.
    """
    chance = random.Random(seed)  # noqa: S311 - nothing is kept secret by it
    rows = [row for row in rows if row.source.startswith(EVERYDAY) or chance.random() < sampled]
    legal = [row for row in rows if isinstance(row, AnswerRow) and row.source == _LEGAL]
    yes_no = list(_yes_no([row for row in rows if isinstance(row, ClaimRow)]))
    rows = [row for row in rows if chance.random() < _share(row)]
    answer = [row for row in rows if isinstance(row, AnswerRow)]
    claims = [row for row in rows if isinstance(row, ClaimRow)]
    compared = [row for row in answer if row.is_answerable and rivals.get((row.source, row.id))]
    keys = {(row.source, row.id) for row in compared}
    examples = [_answer_example(row, chance) for row in answer if (row.source, row.id) not in keys]
    examples += _foreign(answer, chance)
    examples += [Example(row.claim, row.evidence, is_claim=True, label=row.label) for row in claims]
    examples += chance.sample(yes_no, min(len(yes_no), len(answer) // 8))
    examples += _definitions(legal, chance)
    examples += _edited([row.passage for row in legal], chance)
    examples += [replace(_answer_example(row, chance), rivals=tuple(rivals[row.source, row.id])) for row in compared]
    chance.shuffle(examples)
    return examples


def _share(row: Row) -> float:
    kind = f"{row.source}/{row.kind}" if isinstance(row, AnswerRow) else row.source
    return SHARES.get(kind, SHARES.get(row.source, 1.0))


def _answer_example(row: AnswerRow, chance: random.Random) -> Example:
    span = chance.choice(row.spans) if row.spans else None
    anchor = span or (row.tempting[0] if row.tempting else None)
    is_whole = row.source.startswith(EVERYDAY) or (row.is_answerable and span is None)
    text, shift = (row.passage, 0) if is_whole else _cropped(row.passage, anchor, chance)
    if not row.is_answerable:
        return Example(row.question, text, is_claim=False, label=0, span=(0, 0))
    return Example(
        row.question, text, is_claim=False, label=1, span=(span[0] - shift, span[1] - shift) if span else None
    )


def _cropped(text: str, anchor: tuple[int, int] | None, chance: random.Random) -> tuple[str, int]:
    """Part of a passage around an anchor, or of any place, and where it begins.

    Passages that answer and others are cropped alike: length must not tell which they are.
    """
    words = [match.span() for match in _WORD.finditer(text)]
    length = chance.randint(SHORTEST, LONGEST)
    if len(words) <= length:
        return text, 0
    if anchor is None:
        first = chance.randint(0, len(words) - length)
    else:
        inside = [place for place, (start, end) in enumerate(words) if end > anchor[0] and start < anchor[1]]
        length = max(length, len(inside))
        first = chance.randint(max(0, inside[-1] + 1 - length), min(inside[0], len(words) - length))
    start, end = words[first][0], words[first + length - 1][1]
    return text[start:end], start


def _foreign(rows: Sequence[AnswerRow], chance: random.Random) -> Iterator[Example]:
    """Questions with a passage of another document, 15 % of as many as there are unanswerable rows."""
    for _ in range(int(0.15 * sum(not row.is_answerable for row in rows))):
        row, other = chance.choice(rows), chance.choice(rows)
        if row.group != other.group or not row.group:
            yield Example(row.question, _cropped(other.passage, None, chance)[0], is_claim=False, label=0, span=(0, 0))


def _yes_no(rows: Sequence[ClaimRow]) -> Iterator[Example]:
    """Claims of encyclopedias and contracts as questions: evidence that supports or refutes one answers it."""
    for row in rows:
        match = _YES_NO.match(row.claim) if row.source.startswith(("fever", "contractnli")) else None
        if match:
            subject = match["subject"].strip()
            subject = (
                subject if subject.split()[0] in subject[:1] or subject.istitle() else subject[0].lower() + subject[1:]
            )
            question = f"{match['verb'].title()} {subject}{match['rest']}?"
            label = int(row.label != NOT_MENTIONED)
            yield Example(question, row.evidence, is_claim=False, label=label, span=None if label else (0, 0))


def _definitions(rows: Sequence[AnswerRow], chance: random.Random) -> Iterator[Example]:
    """What a term means: the passage that defines it answers, another of the same contract that uses it does not."""
    by_group: dict[str, set[str]] = {}
    for row in rows:
        by_group.setdefault(row.group, set()).add(row.passage)
    for passages in by_group.values():
        for passage in sorted(passages):
            for match in list(_DEFINED.finditer(passage))[:3]:
                term = match["term"].strip()
                forms = ("What is {}?", "What does {} mean?", "How is {} defined?", "What counts as {}?", "Define {}.")
                question = chance.choice(forms).format(chance.choice((term, term.lower())))
                end = next((e for s, e in sentence_spans(passage) if s <= match.start() < e), len(passage))
                text, shift = _cropped(passage, (match.start(), min(end, match.start() + 400)), chance)
                yield Example(
                    question, text, is_claim=False, label=1, span=(match.start() - shift, min(end - shift, len(text)))
                )
                if chance.random() < 0.5:
                    continue
                others = [p for p in sorted(passages) if term in p and not re.search(f'[“"]{re.escape(term)}[”"]', p)]
                for other in chance.sample(others, min(1, len(others))):
                    yield Example(question, _cropped(other, None, chance)[0], is_claim=False, label=0, span=(0, 0))


def _edited(passages: Sequence[str], chance: random.Random) -> Iterator[Example]:
    """Sentences of a passage in other words, true, and with one edit that makes them untrue."""
    kinds = list(EDITS)
    every = sorted(set(passages))
    for passage in chance.sample(every, int(EDITED * len(every))):
        sentences = [passage[s:e].strip() for s, e in sentence_spans(passage)]
        whole = [s for s in sentences[1:-1] if 8 <= len(s.split()) <= 60 and s.endswith((".", ";"))]
        if not whole:
            continue
        sentence = chance.choice(whole)
        start = passage.index(sentence)
        evidence = _cropped(passage, (start, start + len(sentence)), chance)[0] if chance.random() < 0.5 else sentence
        true = said_otherwise(sentence, chance) if chance.random() < 0.8 else sentence
        yield Example(true, evidence, is_claim=True, label=SUPPORTED)
        edits = ((kind, EDITS[kind](true, chance)) for kind in chance.sample(kinds, len(kinds)))
        kind, wrong = next(((kind, text) for kind, text in edits if text and text != true), ("", ""))
        if wrong:
            # A rule without its exception says more than its source: nothing supports it, and nothing contradicts it.
            yield Example(wrong, evidence, is_claim=True, label=NOT_MENTIONED if kind == "exception" else CONTRADICTED)
        if chance.random() < 0.3 and len(sentences) > 3:
            rest = " ".join(s for s in sentences if s != sentence)
            yield Example(true, rest, is_claim=True, label=NOT_MENTIONED)
