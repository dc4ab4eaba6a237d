"""The row of a corpus in which one paragraph in a hundred changes: what is redone, and whether answers are right.

Graph, question index, case base and search indexes are built, the file is uploaded again with the changes, and all is
brought up to date. Answers are then compared with those of a corpus that never held anything else.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping

from corpora.models import Corpus, Embedding
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.common.sentences import sentence_spans
from legalqa.reproduce.indexing import cases_built, graph_built, questions_built
from legalqa.reproduce.intake import Note, corpus_own, file_take_in
from legalqa.reproduce.types import Context, Figure
from legalqa.training.collections.corpus import rows
from retrieval.cases.files import CaseRow, CaseSpan
from retrieval.cases.selectors import cases_usable
from retrieval.models import CaseVector, GraphTriplet, IndexedQuestion
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search

SLUG, TITLE = "bench-reingest", "Benchmark of changes"
PASSAGES, EVERY = 10_000, 100  # the number of paragraphs; one in this many changes
A_CASE, ASKED = 10, 40  # one in this many paragraphs has a case; this many questions are asked
CHANGE = " The licensee shall keep a copy of its notice for three years."
PRESETS: tuple[tuple[str, dict[str, str]], ...] = (
    ("fixed-10", {}),
    ("hypa-2", {"classifier": "off"}),
    ("question-index", {}),
    ("casebase", {}),
)
Passages = Mapping[str, str]  # texts by id
Found = list[tuple[float, str]]
TIE = 2e-3  # ours: of a cosine twice .001 hangs on the other texts of the batches that were encoded, in bfloat16


def reingest(context: Context) -> Mapping[str, Figure]:
    """The first passages of ObliQA, one in a hundred changed."""
    whole = (row for row in rows(context.data / "obliqa", "corpus.jsonl.gz") if row["text"].strip())
    passages = {str(row["id"]): row["text"] for _, row in zip(range(PASSAGES), whole, strict=False)}
    return reingested(passages, every=EVERY, note=context.note)


def reingested(passages: Passages, *, every: int, note: Note, n_asked: int = ASKED) -> dict[str, Figure]:
    """Of each index how many paragraphs were done again, as counts of all; of the answers how many are equal.

    Of the question index, those about which it asks again what it asked before: what an item of a list says hangs on
    the line that opens the list, so that more paragraphs than the changed ones may be asked about otherwise.
    """
    edits = {key: f"{text}{CHANGE}" for key, text in list(passages.items())[every // 5 :: every]}
    cases = dict(list(passages.items())[::A_CASE])
    organization, corpus = corpus_own(slug=SLUG, title=TITLE, name="Changed", is_fresh=True)
    _filled(organization, corpus, passages, cases=cases, note=note)
    before, asked_before = _made(organization, corpus), _asked(organization, corpus)
    _filled(organization, corpus, {**passages, **edits}, cases={}, note=note)
    after, asked = _made(organization, corpus), _asked(organization, corpus)
    organization, fresh = corpus_own(slug=SLUG, title=TITLE, name="Fresh")
    old_cases = {key: text for key, text in cases.items() if key not in edits}  # of the others, the law has changed
    _filled(organization, fresh, {**passages, **edits}, cases=old_cases, note=note)
    questions = [_first(text) for text in [*edits.values(), *passages.values()][:n_asked]]
    equal = [
        is_same(*(_answers(organization, one, text, name, settings) for one in (corpus, fresh)))
        for text in questions
        for name, settings in PRESETS
    ]
    n = len(passages)
    # The paragraphs of what is new in each index.
    again = {name: {made[key] for key in made.keys() - before[name].keys()} for name, made in after.items()}
    figures = {name: Figure.count(len(paragraphs), n) for name, paragraphs in again.items()}
    # An item of a list is asked about otherwise where the line that opens the list has changed.
    as_before = sum(asked[paragraph] == asked_before.get(paragraph) for paragraph in again["questions"])
    figures["questions"] = Figure.count(as_before, n, note=f"{len(again['questions'])} asked about again")
    with organization_scope(organization, user=None):
        usable = [cases_usable(corpus=one).count() for one in (corpus, fresh)]
    figures["usable"] = Figure.count(usable[0], usable[1], note="cases in use, of those a fresh build has")
    return figures | {"equal": Figure.count(sum(equal), len(equal), note=f"{len(edits)} paragraphs changed")}


def _filled(organization: Organization, corpus: Corpus, passages: Passages, *, cases: Passages, note: Note) -> None:
    """Upload the passages and bring every index up to date."""
    lines = ((json.dumps({"id": key, "text": text}) + "\n").encode() for key, text in passages.items())
    file_take_in(organization=organization, corpus=corpus, name="passages.jsonl", parts=lines, note=note).ready()
    graph_built(organization=organization, corpus=corpus)
    questions_built(organization=organization, corpus=corpus)
    cases_built(organization=organization, corpus=corpus, cases=list(_cases(cases)))


def _cases(passages: Passages) -> Iterator[CaseRow]:
    for key, text in passages.items():
        yield CaseRow(f"What is the rule: {_first(text)}", _first(text), spans=(CaseSpan(key),), id=key)


def _first(text: str) -> str:
    """The first sentence of a text, at most 200 characters of it."""
    start, end = sentence_spans(text)[0]
    return " ".join(text[start:end].split())[:200]


def _made(organization: Organization, corpus: Corpus) -> dict[str, dict[object, object]]:
    """By index, what was made (by its row, or of a vector by its text), each with the paragraph that it is of."""
    with organization_scope(organization, user=None):
        triplets = GraphTriplet.objects.filter(corpus=corpus).values_list("pk", "paragraph_id")
        questions = IndexedQuestion.objects.filter(corpus=corpus).values_list("pk", "paragraph_id")
        vectors = Embedding.objects.filter(corpus=corpus, is_live=True).values_list("text_hash", "text_hash")
        cases = CaseVector.objects.filter(case__corpus=corpus).values_list("pk", "case_id")
        return {"graph": dict(triplets), "questions": dict(questions), "vectors": dict(vectors), "cases": dict(cases)}


def _asked(organization: Organization, corpus: Corpus) -> dict[object, frozenset[str]]:
    """By paragraph, its questions in the index."""
    texts: dict[object, set[str]] = defaultdict(set)
    with organization_scope(organization, user=None):
        for paragraph, text in IndexedQuestion.objects.filter(corpus=corpus).values_list("paragraph_id", "text"):
            texts[paragraph].add(text)
    return {paragraph: frozenset(own) for paragraph, own in texts.items()}


def is_same(one: Found, other: Found) -> bool:
    """Whether two searches gave the same: level scores, and the same passages above the last ones."""
    if len(one) != len(other):
        return False
    first, second = ({name: score for score, name in hits if score - hits[-1][0] > TIE} for hits in (one, other))
    is_alike = all(abs(a - b) <= TIE for (a, _), (b, _) in zip(one, other, strict=True))
    return is_alike and first.keys() == second.keys() and all(abs(first[k] - second[k]) <= TIE for k in first)


def _answers(organization: Organization, corpus: Corpus, text: str, name: str, settings: dict[str, str]) -> Found:
    """The passages of a search by their ids, each with its score, the best first."""
    preset = preset_get(name, settings)
    result = corpus_search(request=SearchRequest(organization, None, corpus.pk, text, preset))
    return sorted(((passage.score, passage.paragraph_id) for passage in result.passages), reverse=True)
