"""The outline of an overview: the headed provisions on its subject, in the order of their documents."""

from collections.abc import Sequence

from legalqa.answering.composing.kinds import is_about
from legalqa.answering.composing.parts import asking
from legalqa.answering.composing.ranking import is_law
from legalqa.answering.composing.types import ChosenProvision, PassageFound, PassageRead

ON_SUBJECT = 0.3  # ours: the probability from which a provision is named that is not quoted


def outline_of(
    question: str, passages: Sequence[PassageFound], ranked: Sequence[PassageRead], chosen: Sequence[ChosenProvision]
) -> tuple[int, ...]:
    """The place of a passage of each provision that is quoted or on the subject; none where there is only one.

    Args:
        question: For an overview.
        passages: All that the search opened.
        ranked: Those that were read, best first.
        chosen: The provisions of the answer.
    """
    asked = asking(question)
    on_subject = (one.place for one in ranked if one.probability >= ON_SUBJECT or _is_about(asked, passages[one.place]))
    of_provision: dict[tuple[str, tuple[str, ...]], int] = {}
    for place in (*(one.passage for one in chosen), *on_subject):
        passage = passages[place]
        if passage.provision.heading and is_law(passage):
            of_provision.setdefault((passage.version, passage.provision.path), place)
    if len(of_provision) < 2:
        return ()
    versions = list(dict.fromkeys(version for version, _ in of_provision))
    return tuple(
        sorted(of_provision.values(), key=lambda n: (versions.index(passages[n].version), passages[n].ordinal))
    )


def _is_about(question: str, passage: PassageFound) -> bool:
    return is_about(f"{passage.provision.heading} {passage.text}", question=question)
