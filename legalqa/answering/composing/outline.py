"""The outline of an overview: the headed provisions on its subject, in the order of their documents."""

from collections.abc import Sequence

from legalqa.answering.composing.kinds import is_about
from legalqa.answering.composing.parts import asking
from legalqa.answering.composing.ranking import is_law
from legalqa.answering.composing.types import ChosenProvision, PassageFound, PassageRead

ON_SUBJECT = 0.3  # ours: the probability from which a passage on the subject belongs to an overview


def may_outline(question: str, passage: PassageFound, probability: float) -> bool:
    """Whether a passage that was read belongs to an overview: a rule on its subject that may answer."""
    text = f"{passage.provision.heading} {passage.text}"
    return probability >= ON_SUBJECT and is_law(passage) and is_about(text, question=question)


def outline_of(
    question: str,
    passages: Sequence[PassageFound],
    ranking: Sequence[PassageRead],
    provisions: Sequence[ChosenProvision],
) -> tuple[int, ...]:
    """The place of one passage of each provision that is quoted or on the subject; none if there is only one.

    Args:
        question: For an overview.
        passages: All that the search opened.
        ranking: Those that were read, best first.
        provisions: The provisions of the answer.
    """
    sentence = asking(question)
    by_text = (one.place for one in ranking if may_outline(sentence, passages[one.place], one.probability))
    by_heading = (one.place for one in ranking if is_about(passages[one.place].provision.heading, question=sentence))
    of_provision: dict[tuple[str, tuple[str, ...]], int] = {}
    for place in (*(one.passage for one in provisions), *by_text, *by_heading):
        passage = passages[place]
        if passage.provision.heading and is_law(passage):
            of_provision.setdefault((passage.version, passage.provision.path), place)
    if len(of_provision) < 2:
        return ()
    versions = list(dict.fromkeys(passages[place].version for place in of_provision.values()))
    return tuple(
        sorted(of_provision.values(), key=lambda n: (versions.index(passages[n].version), passages[n].ordinal))
    )
