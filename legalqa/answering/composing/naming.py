"""A question that names the law or contract ("the AI Act"), in that text's own words ("this Regulation")."""

import re
from collections import Counter
from collections.abc import Iterable

INSTRUMENTS = (
    "Regulation", "Directive", "Decision", "Act", "Law", "Statute", "Ordinance", "Code", "Bill", "Treaty", "Convention",
    "Agreement", "Contract", "Lease", "Licence", "License", "Policy", "Handbook", "Manual", "Charter", "Rulebook",
)  # fmt: skip
AT_LEAST = 3  # ours: passages that must call the document so
_ITSELF = re.compile(rf"\b[Tt]his ({'|'.join(INSTRUMENTS)})\b")
_NOUNS = frozenset(noun.lower() for noun in INSTRUMENTS)
_WORD = re.compile(r"[\w’'-]+")
_GENERAL = _NOUNS | {f"{noun}s" for noun in _NOUNS} | {"the", "this", "our", "your", "my", "these", "rule", "rules"}
SMALL = frozenset(["a", "an", "and", "for", "in", "of", "on", "the", "to"])  # no name begins with one
_ARTICLE = re.compile(r"\b(?:the|this|our|your)\s+$", re.IGNORECASE)
# In "Which duties do distributors have under the AI Act?", the last four words add nothing.
LOCATED = re.compile(
    r",?\s*\b(?:under|in|within|according to|pursuant to)\s+(?:(?:the|this|our|your)\s+)?$", re.IGNORECASE
)

# "What does the AI Act require of importers?" is not about the Act.
_LAW_DOES = re.compile(
    r"^(?:and |but |so )?what (?:else )?do(?:es)? (?P<law>[\w’' -]+?)"
    r" (?P<verb>require|demand|prohibit|forbid|ban|outlaw|allow|permit)\b(?P<rest>[^?]*)",
    re.IGNORECASE,
)
_REQUIRES, _FORBIDS = ("require", "demand"), ("prohibit", "forbid", "ban", "outlaw")
_DONE = {"allow": "allowed", "permit": "permitted"}
_DONE |= dict.fromkeys(_REQUIRES, "required") | dict.fromkeys(_FORBIDS, "prohibited")
# Who is meant in "require importers to do …" and "prohibit employers from doing …".
_SOMEBODY = re.compile(r"^\s+(?P<who>(?:[\w’'-]+ ){1,6}?)(?:to|from) do(?:ing)?\b(?P<rest>.*)", re.IGNORECASE)
_OF_WHOM = re.compile(r"^\s+(?:of|from) (?P<who>.+)", re.IGNORECASE)


# "What is the term of this Agreement?": the reader would look for the meaning of a word.
_TERM_OF = re.compile(
    rf"^((?:and )?)what(?:[’']s| is) the (?P<term>(?:initial )?(?:term|duration) of (?:the|this|our|my) [\w’' -]*?"
    rf"(?:{'|'.join(INSTRUMENTS)})\b)",
    re.IGNORECASE,
)


def asked_for_length(question: str) -> str:
    """A question for the term of a contract, asked as one for its length, so that no definition is looked for.

    >>> asked_for_length("What is the term of this Agreement?"), asked_for_length("What is the term of payment?")
    ('How long is the term of this Agreement?', 'What is the term of payment?')
    """
    return _TERM_OF.sub(lambda match: f"{match[1]}How long is the {match['term']}", question)


def as_it_names_itself(question: str, *, name: str, texts: Iterable[str]) -> str:
    """The question, with the name of its documents replaced by what their text says; unchanged if it does not say.

    A reader that has not heard of "the AI Act" takes "When does the AI Act start to apply?" for a question about acts.

    Args:
        question: To be read.
        name: Of the corpus, or of its only document: "EU AI Act".
        texts: Passages of it.
    """
    vocabulary = {word.lower() for word in _WORD.findall(name)}
    question = _without_the_law(question, vocabulary)
    runs = _runs(question, vocabulary) if vocabulary & _NOUNS else []
    itself = Counter(match for text in texts for match in set(_ITSELF.findall(text))) if runs else Counter[str]()
    noun, count = next(iter(itself.most_common(1)), ("", 0))
    typed = question
    for start, end in reversed(runs):
        before, after = question[:start], question[end:]
        if located := LOCATED.search(before):
            question = f"{before[: located.start()]}{after}".lstrip(" ,")
        elif count >= AT_LEAST:
            article = _ARTICLE.search(before)
            question = f"{before[: article.start() if article else start]}this {noun}{after}"
    return typed if question == typed else question[:1].upper() + question[1:]


def _without_the_law(question: str, vocabulary: set[str]) -> str:
    """What a law requires, prohibits or allows, without its name: passages with the name are about its scope or end.

    >>> _without_the_law("What does the AI Act require of importers?", {"ai", "act"})
    'What are the obligations of importers?'
    >>> _without_the_law("What does the policy prohibit in the laboratory?", set())
    'What is prohibited in the laboratory?'
    """
    match = _LAW_DOES.search(question)
    if not match or not {word.lower() for word in _WORD.findall(match["law"])} <= vocabulary | _GENERAL:
        return question
    verb, rest = match["verb"].lower(), match["rest"].rstrip()
    if somebody := _SOMEBODY.match(rest):
        who, more = somebody["who"], somebody["rest"]
        asked = f"What {'must' if verb in _REQUIRES else 'may'} {who}{'not ' if verb in _FORBIDS else ''}do{more}?"
    elif verb in _REQUIRES and (whom := _OF_WHOM.match(rest)):
        asked = f"What are the obligations of {whom['who']}?"
    else:
        asked = f"What is {_DONE[verb]}{rest}?"
    return asked


def _runs(question: str, vocabulary: set[str]) -> list[tuple[int, int]]:
    """Start and end of each run of words that are all in the name, one of them saying what it is: "AI Act"."""
    runs: list[list[re.Match[str]]] = [[]]
    for word in _WORD.finditer(question):
        is_beside = not runs[-1] or question[runs[-1][-1].end() : word.start()].isspace()
        if word[0].lower() in vocabulary and is_beside and (runs[-1] or word[0].lower() not in SMALL):
            runs[-1].append(word)
        else:
            runs.append([word] if word[0].lower() in vocabulary - SMALL else [])
    names = [run for run in runs if any(word[0].lower() in _NOUNS and word[0] != "act" for word in run)]
    return [(run[0].start(), run[-1].end()) for run in names]
