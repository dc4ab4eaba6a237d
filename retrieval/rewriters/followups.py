"""Follow-up questions made whole, from the questions before them."""

import re
from collections.abc import Callable, Mapping, Sequence

from retrieval.rewriters.clauses import clauses, content, is_elliptical, pointers

Weigh = Callable[[str], Mapping[str, float]]  # gives a text's index terms with their idf in the corpus

MAX_SUBJECT_WORDS = 8  # ours: a longer run is a clause, not a subject
LOOKED_BACK = 3  # ours: questions before this one in which a subject is looked for
TRIED = 3  # ours: words of a question that are tried as pointing back

_OWNING = ("its", "their")
_WORD = re.compile(r"[^\W_]+(?:['’‑-][^\W_]+)*")
_ABOUT = re.compile(
    r"^\W*(?:(?:and|or|but|so|then)\s+)?(?:what|how)\s+about\s+|^\W*(?:and|or|but|so|then)\s+", re.IGNORECASE
)

_PERSON = (
    r"(?:me|us|them|(?:(?:my|our|your|the|an?|his|her|their)\s+)?(?:clients?|customers?|boss|manager|management|board|team"
    r"|partners?|colleagues?|lay\s?(?:person|man|men)|lay\s+readers?|readers?|child|children))"
)
_FORM = (
    r"(?:(?:an?|one|two|three|four|five|few|\d+|plain|simple|simpler|short|other|everyday|your|own)\s+)*"
    r"(?:words?|sentences?|lines?|paragraphs?|language|terms|bullets|bullet\s+points|points|summary|e-?mail|memo|letter"
    r"|english|french|german|italian|spanish)"
)
_THAT = (
    r"(?:that|this|it|these|those|them|(?:all\s+(?:of\s+)?)?(?:that|this)|the\s+above"
    r"|(?:the|your|that|this)\s+(?:(?:last|previous)\s+)?(?:answer|reply|response))"
)
_HOW = (
    rf"(?:\s+(?:for|to)\s+{_PERSON}|\s+(?:in|into|as)\s+{_FORM}"
    r"|,?\s+(?:up|again|please|briefly|shortly|now|simpler|more\s+simply|shorter))"
)
_SHORTEN = (
    r"(?:summari[sz]e|sum\s+up|sum|shorten|simplify|condense|rephrase|reword|rewrite|paraphrase|translate|repeat)"
)
# "Summarise that for my client", "put it in plain words", "a short summary, please"; "explain that" is not one.
_REWORDS = re.compile(
    r"^\W*(?:(?:and|but|so|now|ok|okay|thanks|thank\s+you|great|please|(?:can|could|would|will)\s+you)\b[,.!]?\s+)*"
    rf"(?:{_SHORTEN}\s+{_THAT}{_HOW}*|(?:explain|put|say|write|draft|turn|make|tell)\s+{_THAT}{_HOW}+"
    rf"|(?:(?:give|write|draft|make)\s+(?:{_PERSON}\s+)?)?an?\s+(?:short\s+|brief\s+)?(?:summary|translation)"
    rf"(?:\s+of\s+{_THAT})?{_HOW}*)\s*[.?!]*$",
    re.IGNORECASE,
)
# "What does impact ratio mean?": a follow-up that names another thing, "and selection rate?", asks for its meaning.
_MEANING = re.compile(
    r"^\W*(?:what\s+(?:does|do)\s+(?:the\s+(?:term|word)\s+)?(?P<means>[^?]{2,60}?)\s+mean\b"
    r"|define\s+(?:the\s+term\s+)?(?P<defined>[^?.]{2,60}?)[?.\s]*$)",
    re.IGNORECASE,
)
_NO_TERM = re.compile(
    r"(?:for|to|by|in|on|at|of|with|from|under|when|where|who|whom|why|how|what|which|if|is|are|do|does|must|may|can)\b",
    re.IGNORECASE,
)
MAX_TERM_WORDS = 5  # ours: words of a term whose meaning is asked for
# "Are there any exceptions to that?" is of all that was asked, not of the thing that it named.
_OF_RULE = re.compile(
    r"^\W*(?:(?:and|but|so)\s+)?(?P<asked>(?:(?:are|is)\s+there|what\s+are)\s+(?:(?:any|an?|the|some)\s+)?"
    r"(?:exceptions?|exemptions?|derogations?|limits?|limitations?))(?:\s+(?:to|from|of)\s+(?:that|this|it|these|those|"
    r"(?:the|that|this)\s+(?:rule|ban|duty|prohibition|requirement|obligation)))?[?.\s]*$",
    re.IGNORECASE,
)
_AGAIN = (
    "It asks about the answer before it. An answer is not rewritten for a reader, so the question before it was asked "
    "again."
)

_THING = re.compile(r"(?:the|an?|any|each|every|its|their|his|her|our|your|this|these|those)\b", re.IGNORECASE)
# "And for deepfakes?", "And if they are lost?": a case of what was asked before, which the answer must name.
_CASE = re.compile(
    r"(?:(?:for|about|in|under|with|to|at)\s+(?!(?:how|when|what|which|who|whom|whose|where|writing|advance|example)\b)|if\s+)"
    r"(?P<case>\w.*)",
    re.IGNORECASE,
)


def followup_resolved(text: str, *, history: Sequence[str], weigh: Weigh, language: str) -> tuple[str, str] | None:
    """The question completed with what it depends on, and why in words; None if it is, or may be, self-contained.

    Args:
        text: What was typed.
        history: The questions before it in the chat, oldest first.
        weigh: Index terms of a text with their idf in the corpus.
        language: Of the corpus.

    Source: ours; the kind of question is "conversational" of HyPA-RAG's Table 3.
    """
    before = _before(history)
    if before and (of_rule := _OF_RULE.match(text)):
        asked = of_rule["asked"]
        return _completed(f"and {asked[:1].lower()}{asked[1:]}?", before, weigh, language)
    if before and is_elliptical(text):
        return _completed(text, before, weigh, language)
    spans = [(start, end) for start, end, is_own in pointers(text, language=language) if not is_own]
    return next(iter(_put_in(text, spans[:1], before, weigh, language)), None)


def names_another_thing(text: str) -> bool:
    """Whether a follow-up only names another thing, "And the keys?", and so repeats the previous question about it."""
    return is_elliptical(text) and bool(_THING.match(_ABOUT.sub("", text).strip()))


def case_named(text: str) -> str:
    """The case for which a follow-up repeats the previous question, "And for deepfakes?"; "" for other follow-ups."""
    case = _CASE.match(_ABOUT.sub("", text).strip()) if is_elliptical(text) else None
    return case["case"].rstrip(" ?.!") if case else ""


def is_about_the_answer(text: str) -> bool:
    """Whether a follow-up wants the answer before it in another form: "Summarise that for my client"."""
    return bool(_REWORDS.match(text))


def followup_repeated(text: str, *, history: Sequence[str], weigh: Weigh, language: str) -> tuple[str, str] | None:
    """The previous question, completed, if this one wants its answer in another form, and why in words; else None."""
    before = _before(history)
    if not before or not is_about_the_answer(text):
        return None
    resolved = followup_resolved(before[-1], history=before[:-1], weigh=weigh, language=language)
    return (resolved[0] if resolved else before[-1]), _AGAIN


def followup_perhaps(text: str, *, history: Sequence[str], weigh: Weigh, language: str) -> list[tuple[str, str]]:
    """Each way to read a possibly self-contained question as depending on the previous one, with the reason in words.

    One for each word that points back, though what it stands for may be in the question itself. The documents decide.
    "Its" and "their" are left out: what owns is nearly always named beside them.
    """
    places = [(start, end) for start, end, _ in pointers(text, language=language)]
    spans = [(start, end) for start, end in places if text[start:end].lower() not in _OWNING]
    return _put_in(text, spans[:TRIED], _before(history), weigh, language)


def _before(history: Sequence[str]) -> list[str]:
    """The last questions that ask the documents."""
    return [question for question in history if question.strip() and not is_about_the_answer(question)][-LOOKED_BACK:]


def _put_in(
    text: str, spans: Sequence[tuple[int, int]], before: Sequence[str], weigh: Weigh, language: str
) -> list[tuple[str, str]]:
    """The question with the last named subject in place of the word at each span."""
    if not spans:
        return []
    subjects = (subject_of(question, weigh=weigh, language=language) for question in reversed(before))
    subject = next(filter(None, subjects), "")
    readings = []
    for start, end in spans if subject else ():
        word = text[start:end]
        put = f"{subject}'s" if word.lower() in _OWNING else subject
        reason = f"“{word}” was read as “{subject}”, from the previous question."
        readings.append((f"{text[:start]}{put}{text[end:]}", reason))
    return readings


def _completed(text: str, before: Sequence[str], weigh: Weigh, language: str) -> tuple[str, str] | None:
    """The last question that is self-contained, with this one's words behind it, as a person would join them."""
    for question in reversed(before):
        if not is_elliptical(question) and subject_of(question, weigh=weigh, language=language):
            questions = [clause.text for clause in clauses(question) if clause.asks] or [question]
            added = _ABOUT.sub("", text).strip()
            if meaning := _meaning_of(added, questions[-1]):
                return meaning, "It follows on from the previous question, which asks what a term means."
            if added == text.strip():  # the large letter is that of a sentence, not that of a name: "Why?"
                added = f"{added[:1].lower()}{added[1:]}"
            joined = f"{questions[-1].rstrip(' ?.!,')}, and {added}" if added else questions[-1]
            return joined, "It follows on from the previous question, whose words were put in front of it."
    return None


def _meaning_of(added: str, question: str) -> str:
    """A question for the meaning of a term, put for another; "" where it is none, or the follow-up no term."""
    term, match = re.sub(r"^(?:the|an?)\s+", "", added.rstrip(" ?.!")), _MEANING.match(question)
    if match is None or not term or len(term.split()) > MAX_TERM_WORDS or _NO_TERM.match(term):
        return ""
    start, end = match.span("means" if match["means"] else "defined")
    return f"{question[:start]}{term}{question[end:]}"


def subject_of(text: str, *, weigh: Weigh, language: str) -> str:
    """What a question is about, in its own words: the run of naming words with the largest idf; "" without one.

    A run goes on over "of" and "for" between naming words; words that no document holds weigh nothing.
    """
    weights = weigh(text)
    best, most = "", 0.0
    for run in _runs(text, language):
        mass = sum(weights.get(term, 0.0) for term in content(run, language=language))
        if mass > most:
            best, most = run, mass
    return best


def _runs(text: str, language: str) -> list[str]:
    """Naming words that follow each other with nothing but blanks between them."""
    runs: list[tuple[int, int, int]] = []
    joins = True
    end = 0
    for match in _WORD.finditer(text):
        is_naming = bool(content(match[0], language=language))
        touches = bool(runs) and joins and not text[end : match.start()].strip(" \u201c\u201d\"'‘’")
        if is_naming and touches and runs[-1][2] < MAX_SUBJECT_WORDS:
            runs[-1] = (runs[-1][0], match.end(), runs[-1][2] + 1)
        elif is_naming:
            runs.append((match.start(), match.end(), 1))
        joins, end = is_naming, match.end()
    return [text[start:stop] for start, stop, _ in runs]
