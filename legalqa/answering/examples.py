"""Questions that a corpus answers well, made from its own definitions, deadlines and duties.

The sentence from which a question is made answers it; our rules make it from the sentence's words, no model.
"""

import re
from collections.abc import Iterable, Iterator

MAX_CHARS = 110  # ours: characters of an example, so that it fits the box
_DEFINED = re.compile(r"(?:The term )?[“\"‘']([A-Z]?[\w -]{3,40})[”\"’'],? (?:means|shall mean|refers to)\b")
_RULE = re.compile(
    r"^(?:\(?\w{1,3}[.)] )?"
    r"(?P<subject>(?:The|A|An|Each|Every|Any|Either) [a-z][\w-]*(?: (?!shall\b|must\b)[\w-]+){0,4}) "
    r"(?:shall|must) (?P<verb>(?!not\b|be\b|have\b|also\b|only\b|mean\b|include\b|apply\b)[a-z]{3,}) "
    r"(?P<rest>[^.;:]{8,}?)[.;:]?$"
)
_WITHIN = re.compile(
    r"^(?P<what>[^,;:]{3,70}?),? (?:within|no later than|not later than) "
    r"[^,;:]*\b(?:days?|hours?|weeks?|months?|years?)\b"
)


def example_questions(paragraphs: Iterable[str], *, limit: int) -> list[str]:
    """At most `limit` questions, kinds taking turns: a definition, a deadline, a duty, a definition …

    Args:
        paragraphs: Texts of paragraphs, in reading order.
        limit: How many.
    """
    by_kind: dict[str, list[str]] = {"definition": [], "deadline": [], "duty": []}
    for text in paragraphs:
        for kind, question in _made(" ".join(text.split())):
            if len(question) <= MAX_CHARS and question not in by_kind[kind]:
                by_kind[kind].append(question)
    turns = [[kind[place] for kind in by_kind.values() if place < len(kind)] for place in range(limit)]
    return [question for turn in turns for question in turn][:limit]


def _made(text: str) -> Iterator[tuple[str, str]]:
    if match := _DEFINED.search(text):
        yield "definition", f"What does “{match[1]}” mean?"
    for sentence in re.split(r"(?<=[.;]) (?=[A-Z(])", text):
        rule = _RULE.match(sentence)
        if rule is None:
            continue
        subject = rule["subject"][0].lower() + rule["subject"][1:]
        if within := _WITHIN.match(rule["rest"]):
            yield "deadline", f"By when must {subject} {rule['verb']} {within['what']}?"
        else:
            yield "duty", f"What must {subject} {rule['verb']}?"
