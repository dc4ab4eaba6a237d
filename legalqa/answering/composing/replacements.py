"""Rules that replace what answers: the rule of today comes first, and the former one after it."""

from collections.abc import Callable, Sequence

from legalqa.answering.composing.types import ChosenProvision, PassageFound, PassageRead
from legalqa.answering.conflicts.replacing import replacement_of
from legalqa.answering.conflicts.resolving import REPLACES, Provision


def with_replacing(
    provisions: Sequence[ChosenProvision],
    passages: Sequence[PassageFound],
    ranking: Sequence[PassageRead],
    show: Callable[[PassageRead], ChosenProvision],
) -> list[ChosenProvision]:
    """The provisions that answer, before each what answers in the document that says that it replaces it.

    That is what has been chosen of this document, else the paragraph that says so.

    Args:
        provisions: Best first.
        passages: All that the search opened.
        ranking: Those of them that were read.
        show: Chooses the pieces of a passage.
    """
    notices = [one for one in ranking if REPLACES.search(passages[one.place].text)]
    ordered: list[ChosenProvision] = []
    waiting = list(provisions)
    while waiting:
        provision = waiting.pop(0)
        old = passages[provision.passage]
        new = next((one for one in notices if _replaces(passages[one.place], old)), None)
        if new:
            source = _source(passages[new.place])
            own = [other for other in waiting if _source(passages[other.passage]) == source]
            waiting = [other for other in waiting if other not in own]
            is_shown = any(_source(passages[other.passage]) == source for other in ordered)
            ordered += own or ([] if is_shown else [show(new)])
        ordered.append(provision)
    return ordered


def _source(passage: PassageFound) -> tuple[str, str]:
    return passage.document, passage.title


def _replaces(new: PassageFound, old: PassageFound) -> bool:
    if _source(new) == _source(old):
        return False
    replacement = replacement_of(_compared(old), _compared(new))
    return replacement is not None and replacement[1].holds == "b"


def _compared(passage: PassageFound) -> Provision:
    heading = " › ".join(passage.provision.path)
    return Provision("", passage.text, passage.document, passage.title, heading=heading)
