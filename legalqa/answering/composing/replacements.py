"""Rules that replace what answers: the current rule comes first, and the former one after it."""

from collections.abc import Callable, Mapping, Sequence

from legalqa.answering.composing.types import ChosenProvision, PassageFound, PassageRead
from legalqa.answering.conflicts.finding import finding_of, notices_of
from legalqa.answering.conflicts.replacing import replacement_of
from legalqa.answering.conflicts.resolving import REPLACES, Provision

Source = tuple[str, str]  # a document, and its title or that of a part of it


def with_replacing(
    provisions: Sequence[ChosenProvision],
    passages: Sequence[PassageFound],
    ranking: Sequence[PassageRead],
    show: Callable[[PassageRead], ChosenProvision],
) -> list[ChosenProvision]:
    """The provisions that answer; before each of them, the answer of the document that replaces it.

    That is whatever was already chosen from the newer document, else the paragraph that says that it replaces the
    other. If the newer document says so elsewhere, only a chosen provision that states the same rule differently comes
    first.

    Args:
        provisions: Best first.
        passages: All that the search opened.
        ranking: Those of them that were read.
        show: Chooses the pieces of a passage.
    """
    notices = [one for one in ranking if REPLACES.search(passages[one.place].text)]
    said: dict[Source, tuple[str, ...]] = {}
    for source in {_source(passages[one.passage]) for one in provisions}:
        said[source] = notices_of([passage.text for passage in passages if _source(passage) == source])
    ordered: list[ChosenProvision] = []
    waiting = list(provisions)
    while waiting:
        provision = waiting.pop(0)
        old = passages[provision.passage]
        new = next((one for one in notices if _replaces(passages[one.place], old)), None)
        rivals = (passages[other.passage] for other in waiting)
        rival = None if new else next((one for one in rivals if _holds(one, old, said)), None)
        newer = passages[new.place] if new else rival
        if newer:
            source = _source(newer)
            own = [other for other in waiting if _source(passages[other.passage]) == source]
            waiting = [other for other in waiting if other not in own]
            is_shown = any(_source(passages[other.passage]) == source for other in ordered)
            ordered += own or ([] if is_shown or new is None else [show(new)])
        ordered.append(provision)
    return ordered


def _source(passage: PassageFound) -> Source:
    return passage.document, passage.title


def _replaces(new: PassageFound, old: PassageFound) -> bool:
    if _source(new) == _source(old):
        return False
    replacement = replacement_of(_compared(old), _compared(new))
    return replacement is not None and replacement[1].holds == "b"


def _holds(new: PassageFound, old: PassageFound, said: Mapping[Source, tuple[str, ...]]) -> bool:
    """Whether a passage differs from one of a document that its own document says it replaces."""
    if _source(new) == _source(old) or not said[_source(new)]:
        return False
    sides = (_compared(one, said[_source(one)]) for one in (old, new))
    finding = finding_of(*sides)
    return finding is not None and finding.resolution is not None and finding.resolution.holds == "b"


def _compared(passage: PassageFound, notices: tuple[str, ...] = ()) -> Provision:
    heading = " › ".join(passage.provision.path)
    return Provision("", passage.text, passage.document, passage.title, notices=notices, heading=heading)
