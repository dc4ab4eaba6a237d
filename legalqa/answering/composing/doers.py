"""Who acts: whether a question asks for that, whether a text names somebody who acts, and whether it obliges them."""

import re

from corpora.tokens import tokens
from legalqa.answering.scaffolding import SCAFFOLDING
from legalqa.common.sentences import sentence_spans

NAMED = 0.6  # ours: share of a question's words
# "by an independent auditor", "The provider shall …", "Report it to the head of IT.", "means a person who …",
# "assign oversight to natural persons who have the competence", "inform the provider", "the officer is Ada Lovelace"
_ACTS = re.compile(
    r"\b(?:by|to|from|with|means|inform|notify|tell|alert|consult)"
    r" (?:the|an?|its|their|your|our|any|each|every) ([\w’'-]+(?: [\w’'-]+){0,2})"
    r"|(?:^|[.;:,)] |\band |\bor )(?:the |an? |each |every |any |all )?([\w’'-]+(?: [\w’'-]+){0,15}?),?"
    r" (?:shall|must|may|can|is responsible|are responsible|has to|have to|will|is to|are to)\b"
    r"|\b((?:natural |legal )?(?:persons?|individuals?|employees|members|experts|staff|personnel))"
    r" (?:who|with|having)\b"
    r"|\b(?:is|are) ((?-i:[A-Z])[\w’'-]+(?: (?-i:[A-Z])[\w.’'-]+)+)",
    re.IGNORECASE | re.MULTILINE,
)
# "Who must register …?", "Which companies have to report …?", "Who is responsible for keeping …?", "Who supervises …?",
# "By whom must … be kept?"
_ASKED = re.compile(
    r"^(?:and |by |to )?(?:who|whom|which (?:\w+ ){0,2}?\w+)"
    r"(?: (?:must|shall|should|may|can|has to|have to|needs? to"
    r"|(?:is|are) (?:required|obliged|allowed|entitled) to) (?P<act>\w+)"
    r"| (?:is|are) (?:responsible|competent|in charge) (?:for|of) (?P<doing>\w+ing)\b)"
    r"|^(?:and )?who (?!is\b|was\b|has\b|does\b)(?P<does>\w+s)\b"
    r"|^(?:and )?by whom (?:must|shall|should|do|does|is|are|has|have)\b[^?]{1,120}?\bbe (?P<done>\w+)",
    re.IGNORECASE,
)
_PRESENT = {
    "kept": "keep",
    "told": "tell",
    "given": "give",
    "made": "make",
    "paid": "pay",
    "sent": "send",
    "borne": "bear",
    "held": "hold",
    "done": "do",
    "drawn": "draw",
    "chosen": "choose",
    "taken": "take",
}
# "The tenant shall not pay" and "Nobody must register" oblige nobody to do it.
_NOT = re.compile(r"\b(?:shall|must|may|can) not\b", re.IGNORECASE)
_EXCLUDES = re.compile(r"\W*(?:\w{1,4}[.)] )?(?:nobody|no (?:one|person|party))\b", re.IGNORECASE)
# The verb after a modal one: "shall, by written mandate, appoint", "must also be kept", "shall without undue delay and,
# where feasible, not later than 72 hours after …, notify"; not its object: "may request leave" does not say how long
# leave is.
_DONE = re.compile(
    r"\b(?:shall|must|may|can|has to|have to|is to|are to|(?:required|obliged|allowed|entitled) to)"
    r"(?:,[^,.;:]{1,60},)?"
    r"(?: (?:without|within|immediately|promptly|as soon as|(?:not|no) later than)\b[^.;:]{1,150}"
    r"|(?! have\b)(?: (?:be|not|also|only|first|then|always|either|jointly|\w+ly))* \w+)"
    r"|(?<!\bwho is )(?<!\bwho are )\b(?:responsible for|powers? to)(?: \w+){1,3}",
    re.IGNORECASE,
)
# "Who must do an assessment?" and "deployers shall perform an assessment" say the same.
DOING = "do doing does perform conduct carry undertake make"
_ALIKE = (
    DOING,
    "appoint designate nominate",
    "keep retain preserve store",
    "inform notify tell",
    "supervise monitor oversee",
)
# Whose duties: "Which tasks does the Board have?", "the duties of the tenant", "What must an importer do?", "Whom must
# the tenant inform?"
_SOMEBODY = r"(?:[\w’'-]+ ){1,5}?"
_WHOSE = re.compile(
    rf"\b(?:tasks?|duties|obligations?|responsibilities|powers?|rights) (?:does|do|has|have) (?P<whose>{_SOMEBODY})have"
    r"|\b(?:tasks|duties|obligations|responsibilities|powers|rights) of (?P<of>(?:[\w’'-]+ ?){1,5})\W*$"
    rf"|^(?:and )?what (?:must|shall|should|has|have) (?P<must>{_SOMEBODY})(?:to )?do\b"
    r"|^(?:and )?(?:(?:to |by )?whom|(?:by )?when) (?:must|shall|should)"
    r" (?:(?:the|an?|our|my|each|every) )?(?P<who>[\w’'-]++)"
    r"(?! (?:[\w’'-]+ ){0,4}?be\b)",
    re.IGNORECASE,
)
_MODAL = re.compile(r"\b(?:shall|must|may|can|is to|are to|has to|have to|(?:is|are) responsible for)\b", re.IGNORECASE)
_BEFORE_DOER = re.compile(
    r"^\W*(?:\w{1,4}[.)]\s+)?(?:where|if|when|before|after|upon|prior|in|once|unless)\b", re.IGNORECASE
)
_OFFICE = frozenset(tokens("responsible competent charge"))


def names_another(text: str, *, question: str) -> bool:
    """Whether a text names somebody who acts, other than by words of the question."""
    words = set(tokens(question))
    return any(set(tokens(match[match.lastindex or 0])) - words - SCAFFOLDING for match in _ACTS.finditer(text))


def orders_what_is_asked(text: str, *, question: str, before: str = "") -> bool:
    """Whether the question asks who must or may do something, and a text says that somebody must or may do it.

    "Shall carry out" alone is not enough: most of the action must be named too, there or in the heading and stem
    `before` it.
    """
    if not (match := _ASKED.search(question)):
        return False
    act = (match["act"] or match["doing"] or match["does"] or match["done"]).lower()
    act = _PRESENT.get(act, act)
    acts = set(tokens(act)).union(*(tokens(alike) for alike in _ALIKE if _is_among(act, alike)))
    if _EXCLUDES.match(text) or not any(acts & set(tokens(match[0])) for match in _DONE.finditer(_NOT.sub(" ", text))):
        return False
    said = acts.union(tokens(match["done"] or ""))
    return _names_most(before + text, set(tokens(question)) - SCAFFOLDING - _OFFICE - said)


def _is_among(act: str, alike: str) -> bool:
    """Whether a verb in any form is one of those that say the same; "do" is no index term."""
    return act in alike.split() or bool(set(tokens(act)) & set(tokens(alike)))


def acts_as_asked(text: str, *, question: str, before: str = "") -> bool:
    """Whether a text says that somebody must or may do what the question names, and has most of its other words."""
    words = set(tokens(question)) - SCAFFOLDING
    return any(set(tokens(match[0])) & words for match in _DONE.finditer(text)) and _names_most(before + text, words)


def obliges_another(text: str, *, question: str, before: str = "") -> bool:
    """Whether the question asks what somebody must or may do, and a text says only what others must do.

    "The panel shall advise the Board" names no task of the Board. A text that does not name them, or has a sentence in
    which they act, does not count as such.
    """
    if not (match := _WHOSE.search(question)):
        return False
    actor = set(tokens(match["whose"] or match["of"] or match["must"] or match["who"])) - SCAFFOLDING
    whole = before + text
    sentences = [whole[start:end] for start, end in sentence_spans(whole)]
    doers = [_doer_before(one[: modal.start()]) for one in sentences if (modal := _MODAL.search(one))]
    is_named = bool(actor) and actor <= set(tokens(whole))
    return bool(doers) and is_named and not any(actor <= set(tokens(doer)) for doer in doers)


def _doer_before(words: str) -> str:
    """Who acts, of the words before a modal verb: "The officer, with the manager," and "Where …, the provider"."""
    return words.rpartition(",")[2] if _BEFORE_DOER.match(words) else words.partition(",")[0]


def _names_most(text: str, words: set[str]) -> bool:
    return len(words & set(tokens(text))) >= NAMED * len(words)
