"""Why a question is declined, in words a person can use: another language, a misspelling, too vague, or not said."""

import re
from collections.abc import Collection, Sequence

from rapidfuzz import fuzz, process

from corpora.languages import is_function_word, languages_apart
from legalqa.answering.composing.composing import UNSURE
from legalqa.answering.composing.kinds import Kind, kind_of
from legalqa.answering.composing.types import PassageFound
from legalqa.encoder.client import tokenizer

LIKE = 84.0  # ours: from this ratio of rapidfuzz on, a word counts as a misspelling of another
SUBJECTS = 1  # a question with fewer words that name a subject is too vague
_MEASURES = frozenset(("long", "many", "much", "often", "soon", "far", "big", "high", "large", "small"))  # "How long?"
_TYPED = re.compile(r"\w+(?:['’]\w+)?")
_NAME_WORD = re.compile(r"[^\W\d_]{2,}")
_NAME = re.compile(r"\b[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+)*")
_WORD = re.compile(r"[^\W\d_][\w’'-]{3,}")
_LACKS = {
    Kind.AMOUNT: "how much",
    Kind.DEADLINE: "when or how long",
    Kind.WHO: "who",
    Kind.DEFINITION: "what it means",
    Kind.CONDITION: "under which conditions",
    Kind.PROCEDURE: "how it is done",
    Kind.YES_NO: "whether that is so",
}


def silence_of(
    question: str,
    passages: Sequence[PassageFound],
    *,
    subject: Collection[str],
    unknown: Collection[str],
    titles: Sequence[str] = (),
    chance: float,
    threshold: float,
    is_limited: bool = False,
) -> tuple[str, str, str]:
    """Code, sentence and suggestion for a question that nothing answers.

    Args:
        question: In the person's words.
        passages: The nearest, best first.
        subject: Words of the question that name its subject.
        unknown: Those found in no document.
        titles: Of all documents of the corpus, whose words may be meant by misspelt ones.
        chance: That the best passage answers.
        threshold: The chance from which an answer is given.
        is_limited: Whether only some documents were searched, or parts of them.
    """
    if not passages and is_limited:
        return "nothing", "Nothing in the corpus fits what the question was limited to. Change the limits.", ""
    if not passages:
        return "nothing", "The search found no passage for this question.", ""
    nearest = " ".join(passage.text for passage in passages[:12])
    if apart := languages_apart(question, nearest):
        language, other = (name.capitalize() for name in apart)
        words = f"The question is in {language}, the documents are in {other}. Ask in {other}."
        return "language", words, ""
    if corrected := _corrected(question, unknown, [*titles, *(passage.text for passage in passages)]):
        return "misspelling", "A word of the question is in none of the documents; it may be misspelt.", corrected
    if chance >= UNSURE * threshold:
        best = passages[0].provision.heading.rstrip(". ")
        where = f"The most likely passage, “{best}”," if best else "The most likely passage"
        chances = (
            f"has a {int(100 * chance)} % chance of answering it"  # rounded down: less than the threshold is shown
        )
        return "unsure", f"{where} {chances}; an answer is given from {round(100 * threshold)} %.", ""
    heading = next((p.provision.heading.rstrip(". ") for p in passages if p.provision.heading), "")
    if len(subject) < SUBJECTS:
        suggestion = f"What does “{heading}” say?" if heading else ""
        return "vague", "The question does not name a subject. Say what it is about.", suggestion
    if len(unknown) * 2 > len(subject):
        words = ", ".join(f"“{word}”" for word in list(unknown)[:3])
        return "unknown_words", f"The documents do not mention {words}.", ""
    lack = _LACKS.get(kind_of(question), "what was asked")
    where = f"The nearest, “{heading}”," if heading else "The nearest"
    chances = f"has only a {round(100 * chance)} % chance of answering it"
    return "not_said", f"No passage seems to say {lack}. {where} {chances}.", ""


def is_vague(question: str) -> bool:
    """Whether no word of a question says what it is about: "Is it?", "How long?"; as a follow-up it may be clear.

    >>> is_vague("Is it?"), is_vague("Is it legal?")
    (True, False)
    """
    return all(is_function_word(word) or word.lower() in _MEASURES for word in _TYPED.findall(question))


def names_unmentioned(question: str, unknown: Collection[str], *, corpus: str) -> list[str]:
    """Names in a question with a word that is in no document, such as "New Jersey"; in its order.

    Args:
        question: In the person's words; its first word is no name.
        unknown: Words of it that are in no document, as they were typed.
        corpus: Its name, whose words people use for its documents.

    >>> names_unmentioned("Must a candidate in New Jersey be told?", ["Jersey"], corpus="NYC Local Law 144")
    ['New Jersey']
    """
    own = {word.lower() for word in _NAME_WORD.findall(corpus)}
    strange = {word.lower() for typed in unknown for word in _NAME_WORD.findall(typed)} - own
    names = (match[0] for match in _NAME.finditer(question) if match.start())
    return list(dict.fromkeys(name for name in names if strange & {word.lower() for word in name.split()}))


def _corrected(question: str, unknown: Collection[str], texts: Sequence[str]) -> str:
    """The question with misspelt words put right by the words of titles and passages; "" where none is like one.

    A word that the encoder knows whole ("talking") is spelt well, whatever the documents say.
    """
    vocabulary = sorted({word.lower() for text in texts for word in _WORD.findall(text)})
    corrected = question
    for word in unknown:
        if len(word) < 4 or not _WORD.fullmatch(word) or tokenizer().token_to_id(word.lower()) is not None:
            continue
        match = process.extractOne(word.lower(), vocabulary, scorer=fuzz.ratio, score_cutoff=LIKE)
        if match and match[0] != word.lower():
            corrected = re.sub(rf"\b{re.escape(word)}\b", match[0], corrected)
    return corrected if corrected != question else ""
