"""The main issues of a court's decision as questions, and the paragraph that sums up how it was decided."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from corpora.provisions.types import Part
from legalqa.common.sentences import sentence_spans
from retrieval.questions.templates import Written
from retrieval.questions.wording import tidied, uppered

MAX_ISSUES = 12  # ours, a decision
MAX_ISSUE = 400  # ours, characters
_ISSUES = re.compile(
    r"(?:main |principal )?(?:issues?|questions?(?: presented)?|points? (?:of law )?in issue)\W*$", re.I
)
_SUMMARY = re.compile(
    r"(?:summary(?: of (?:the )?(?:decision|judgment|holdings?))?|held|holdings?|conclusions?|decision|disposition"
    r"|answers?)\W*$",
    re.I,
)
_WHETHER = re.compile(
    r"\b(?:issues?|questions?)\b[^.;?]{0,80}?\b(?:is|are|was|were|:)?\s*(?P<asks>whether\b[^.;?]{12,380})",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:\(?\w{1,3}[.)]\s+)*(?P<asks>(?:whether|may|must|does|did|is|are|can|what|when|who|how)\b.{12,380})",
    re.IGNORECASE | re.DOTALL,
)
_HELD = re.compile(
    r"\b(?:held:|we (?:therefore |thus |accordingly |now )?(?:hold|conclude|affirm|reverse|vacate)\b"
    r"|the (?:court|judgment) (?:holds|held|concludes|concluded|is (?:affirmed|reversed))\b"
    r"|for (?:these|the foregoing|the above) reasons)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Decided:
    """The paragraph of a decision that sums it up, with the issues that it decides; a `Making` of the index.

    Attributes:
        ordinal: Of the paragraph in its version.
        issues: As they are asked.
    """

    ordinal: int
    text: str
    issues: tuple[str, ...]
    source = "decision"

    @property
    def basis(self) -> str:
        """Equal values give equal questions."""
        return "\0".join((self.text, *self.issues))

    def questions(self, paragraph: int) -> Iterator[Written]:
        """A question an issue; `paragraph` is the primary key that they refer to."""
        for issue in self.issues:
            yield Written("issue", issue, self.text, ((paragraph, 0, len(self.text)),))


def decisions_read(parts: Sequence[Part]) -> list[Decided]:
    """What a decision decides: its issues, each leading to its summary, or else to the paragraph that names the issue.

    Rule: issues are under a heading such as "Main issues" or "Questions presented", else in "the question is whether
    …"; the summary under "Summary of decision", "Held", "Conclusion", else in the first paragraph that says what the
    court holds after the issues.

    Source: Ryu et al. 2023, Eval-RAG, section 2 and Table 1 (questions from "Main Issues and Holdings", the document is
    the "Summary of Decision"). Differs: by rules; theirs are written by a language model.
    """
    pairs: list[tuple[int, str]] = []
    for place, part in enumerate(parts):
        if part.kind == "heading":
            continue
        heading = part.path[-1] if part.path else ""
        asks = _under_heading(part.text) if _ISSUES.search(heading) else _in_prose(part.text)
        pairs += [(place, issue) for issue in asks]
    pairs = pairs[:MAX_ISSUES]
    if not pairs:
        return []
    summary = _summary(parts, after=pairs[0][0])
    by_place: dict[int, list[str]] = {}
    for place, issue in pairs:
        by_place.setdefault(place if summary is None else summary, []).append(issue)
    return [
        Decided(parts[place].ordinal, parts[place].text, tuple(dict.fromkeys(issues)))
        for place, issues in by_place.items()
    ]


def _under_heading(text: str) -> Iterator[str]:
    for start, end in sentence_spans(text):
        if (match := _ASKS.match(text[start:end].strip())) is not None:
            yield _asked(match["asks"])


def _in_prose(text: str) -> Iterator[str]:
    for match in _WHETHER.finditer(text):
        yield _asked(match["asks"])


def _asked(words: str) -> str:
    return tidied(uppered(words.strip(" .?;,")[:MAX_ISSUE]) + "?")


def _summary(parts: Sequence[Part], *, after: int) -> int | None:
    body = [place for place, part in enumerate(parts) if part.kind != "heading"]
    under = (place for place in body if parts[place].path and _SUMMARY.match(parts[place].path[-1]))
    held = (place for place in body if place > after and _HELD.search(parts[place].text))
    return next(chain(under, held), None)
