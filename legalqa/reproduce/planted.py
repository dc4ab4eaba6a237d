"""True claims about laws and policies in light paraphrase, and the same with one planted edit each."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from legalqa.common.sentences import sentence_spans
from legalqa.training.collections.corpus import rows
from legalqa.training.reader.edits import EDITS, said_otherwise

SEED = 144
# Rows of this seed that, read one by one, are fragments, or paraphrases that leave a condition out.
_NO_ROWS = frozenset({"exception-50", "true-120", "true-125", "true-187"})
LL144 = ("admin_code_20-870_and_rule.txt", "dcwp_final_rule.txt", "int_1894-a_local_law_text.txt")
POLICIES = ("18f", "37signals", "datica", "github", "jupiterone")
SHORTEST, LONGEST = 8, 60  # words of a sentence
A_KIND = 60  # claims of a kind of edit; four times as many true ones
A_DOCUMENT = 900  # sentences drawn of one source
_MARKUP = re.compile(r"\]\(|one’s|\{\{|https?:|[*`|_]{2}|\[email\]|…")
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|be|must|shall|may|should|will|can|has|have|does|do|not|no)\b|\w[^.]* \w+ed\b"
)
_VERB = re.compile(rf"{_AUXILIARY.pattern}|\b\w+s\b")
_LISTED = re.compile(
    r"\b(\w+?)(?:er|or|ee)?s?\s*(?:,|and|or)+\s+(?:an?\s+)?\w+(?:ers|ors|ees)\b(?=.{0,30}\bwho\b)", re.IGNORECASE
)
_NO_PARTY = re.compile(
    r"consultant (?:business|device|data|asset|system|polic)|provider safety|user safety|"
    r"(?:Employer|Manager) (?:Selection|Assistance)|Account Employee|third-party deployer|"
    r"Customer Agreement|Supplier Agreement|parent consultant",
    re.IGNORECASE,
)  # names of things, not parties
_FRAGMENT = re.compile(
    r"(?:\b(?:for|than|to|of|the|a|an|and|or|with|by|in|on|as|purposes|changes|\w+ing)|[(,])\s*\.?$", re.IGNORECASE
)
# Paraphrases of the generator that are not sentences, or that leave out a condition.
_NOT_THE_SAME = re.compile(
    r"^Subject to|\bIn the event of\b(?! that)|\bthe (?:buy|get)\b|\bno less than (?:in|not)\b|\bright to end\b",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A claim about a sentence of a document: `kind` is the edit, "" where the claim is true."""

    id: str
    source: str
    kind: str
    claim: str
    evidence: str


def planted_rows(data: Path) -> list[Planted]:
    """240 true claims, and at most 60 claims of each kind of edit, of documents that no reader was trained on.

    Always the same: they are drawn with SEED, and were read.

    Args:
        data: The folder of the data sets.
    """
    chance = random.Random(SEED)  # noqa: S311 - draws, no secrets
    sentences = [(source, text) for source, texts in _sources(data) for text in _drawn(texts, chance)]
    chance.shuffle(sentences)
    remaining = dict.fromkeys(EDITS, A_KIND) | {"": 4 * A_KIND}
    claims: list[Planted] = []
    for source, sentence in sentences:
        true = said_otherwise(sentence, chance)
        if _NOT_THE_SAME.search(f"{sentence}\n{true}"):
            continue
        if remaining[""] and true != sentence:
            remaining[""] -= 1
            claims.append(Planted(f"true-{remaining['']}", source, "", true, sentence))
        probe = random.Random(SEED)  # noqa: S311 - draws, no secrets
        possible = [name for name in EDITS if remaining[name] and EDITS[name](true, probe)]
        kind = max(possible, key=remaining.__getitem__, default="")
        wrong = EDITS[kind](true, chance) if kind else ""
        if wrong and wrong.lower() != true.lower() and _is_an_edit(kind, wrong, sentence):
            remaining[kind] -= 1
            claims.append(Planted(f"{kind}-{remaining[kind]}", source, kind, wrong, sentence))
    return [row for row in claims if row.id not in _NO_ROWS]


def _drawn(texts: Sequence[str], chance: random.Random) -> list[str]:
    own = sorted({s for text in texts for s in _sentences(text)})
    return chance.sample(own, min(A_DOCUMENT, len(own)))


def _sentences(text: str) -> Iterator[str]:
    for start, end in sentence_spans(text):
        sentence = " ".join(text[start:end].split())
        words = len(sentence.split())
        is_whole = sentence[0].isupper() and sentence.endswith(".") and _VERB.search(sentence)
        if SHORTEST <= words <= LONGEST and is_whole and not _MARKUP.search(sentence):
            yield sentence


def _is_an_edit(kind: str, wrong: str, sentence: str) -> bool:
    """Whether an edit changes the meaning and leaves a sentence; by what was read of the rows, not by any check."""
    if kind == "party":  # "importers and distributors" are distributors and importers
        return not any(_LISTED.search(text) for text in (wrong, sentence)) and not _NO_PARTY.search(wrong)
    if kind == "exception":  # what is cut in mid-sentence leaves a fragment
        return bool(_AUXILIARY.search(wrong)) and not _FRAGMENT.search(wrong) and sentence.startswith(wrong[:20])
    return True


def _sources(data: Path) -> Iterator[tuple[str, list[str]]]:
    law = data / "public_law"
    yield "eu_ai_act", ["\n".join(row["text"] for row in rows(law / "eu_ai_act", "pages.jsonl.gz"))]
    yield "ll144", [(law / "ll144" / name).read_text(encoding="utf-8") for name in LL144]
    policies = data / "policies" / "docs"
    yield "policies", [p.read_text(encoding="utf-8") for n in POLICIES for p in sorted((policies / n).rglob("*.md"))]
    yield "policy_copilot", [row["text"] for row in rows(data / "policy_copilot", "paragraphs.jsonl")]
