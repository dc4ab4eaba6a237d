"""Test questions for a case base: each needs two cases that name the same legal act (CBR-RAG, section 6.1).

A model writes them, a person reads the file and strikes out the bad ones; none becomes a case.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import LineError, json_lines
from retrieval.cases.asking import CaseModel
from retrieval.models import CaseEntry

N_PAIRS = 35  # section 6.1
SEED = 144  # ours: seed of the choice of pairs


class PairFileError(LineError):
    """A line that is no test question."""

    kind = "bad_row"


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """A test question, its reference answer, the ids of the two cases that it needs, and the act that both name."""

    question: str
    answer: str
    cases: tuple[str, ...]
    act: str


def pairs_by_act(cases: Sequence[CaseEntry], *, number: int, seed: int) -> list[tuple[CaseEntry, CaseEntry, str]]:
    """At most `number` pairs of cases that name the same act and rest on different texts, no case in two of them.

    Raises:
        ApplicationError: there is no such pair.
    """
    by_act: dict[str, list[CaseEntry]] = {}
    for case in cases:
        for act in case.entities.get("act", ()):
            by_act.setdefault(act, []).append(case)
    every = [(one, other, act) for act, some in sorted(by_act.items()) for one, other in combinations(some, 2)]
    random.Random(seed).shuffle(every)  # noqa: S311 - nothing is kept secret by it
    used: set[str] = set()
    pairs: list[tuple[CaseEntry, CaseEntry, str]] = []
    for one, other, act in every:
        ids = {str(one.pk), str(other.pk)}
        if one.support != other.support and not ids & used and len(pairs) < number:
            used |= ids
            pairs.append((one, other, act))
    if not pairs:
        raise ApplicationError(
            "No two approved cases name the same legal act. Approve more cases, or write pairs in a file.",
            code="no_pairs",
        )
    return pairs


def pair_questions(
    pairs: Sequence[tuple[CaseEntry, CaseEntry, str]], *, model: CaseModel, note: Callable[[str], None]
) -> Iterator[PairQuestion]:
    """A question and answer of a model on each pair; none for a pair on which it gave no usable reply."""
    for number, (one, other, act) in enumerate(pairs, start=1):
        reply = model.question_of_pair(one.support, other.support)
        note(f"{number} of {len(pairs)} pairs")
        if reply is not None:
            yield PairQuestion(reply.question, reply.answer, (str(one.pk), str(other.pk)), act)


def pair_lines(questions: Sequence[PairQuestion]) -> str:
    """The questions as JSONL."""
    return "".join(json.dumps(asdict(question), ensure_ascii=False) + "\n" for question in questions)


def pair_questions_read(text: str) -> list[PairQuestion]:
    """The questions of a JSONL file; `cases` may hold ids of cases or those that they were imported with.

    Raises:
        PairFileError: a line does not fit; it names the line.
        ApplicationError: the file is empty.
    """
    questions = [_question(line, row) for line, row in json_lines(text, refused=PairFileError)]
    if not questions:
        raise ApplicationError(
            "The file has no questions. Write one a line, as JSON with question, answer and cases.", code="bad_file"
        )
    return questions


def _question(line: int, row: Mapping[str, object]) -> PairQuestion:
    cases = row.get("cases")
    if "question" not in row or not isinstance(cases, list) or len(set(map(str, cases))) < 2:
        rule = "A line has question, answer and cases, a list of the ids of two cases or more."
        raise PairFileError(line, f"this is not a test question. {rule}")
    question, answer = str(row["question"]).strip(), str(row.get("answer", "")).strip()
    return PairQuestion(question, answer, tuple(map(str, cases)), str(row.get("act", "")))
