"""An article that is the answer as a whole: the question asks for a list, and the heading says the same."""

import math
import re
from collections.abc import Sequence, Set
from dataclasses import replace

from legalqa.answering.composing.kinds import OF_ARTICLES, Kind, is_headed, subject_of
from legalqa.answering.composing.parts import words_of
from legalqa.answering.composing.pieces import in_order_read, part_of
from legalqa.answering.composing.types import ChosenPiece, ChosenProvision, PassageFound, PassageRead

HEADING = 0.7  # ours: share of a question's words that an article's heading must have for the article to answer
MOST_OF_ARTICLE = 12  # ours: paragraphs shown of an article that is the answer
# "Your Counter Notice Must...": a heading that opens the list below it.
_OPENS = re.compile(r"\b(?:must|shall|should|includes?|contains?)\W*$", re.IGNORECASE)
LIKELY = 0.25  # ours: the reader's probability from which a paragraph of an article that answers in part is shown


def article_asked(
    question: str, kind: Kind, passages: Sequence[PassageFound], first: PassageRead
) -> tuple[str, tuple[str, ...]] | None:
    """The article that is the answer as a whole: its heading opens the list in question, or repeats the question."""
    passage = passages[first.place]
    if kind not in OF_ARTICLES or not passage.provision.heading:
        return None
    subject, heading = subject_of(question), subject_of(passage.provision.heading)
    is_named = len(subject & heading) >= HEADING * len(subject) and len(subject) > 1
    is_named = is_named or is_headed(passage.provision.heading, question=question)
    is_named = is_named or _OPENS.search(passage.provision.heading) is not None
    return (passage.version, passage.provision.path) if is_named else None


def paragraphs_of(
    question: str,
    article: tuple[str, tuple[str, ...]],
    passages: Sequence[PassageFound],
    ranking: Sequence[PassageRead],
) -> tuple[list[PassageRead], bool]:
    """The paragraphs of an article that is the answer, and whether they are shown in the order of the law.

    All of them, whatever the reader says of each, if the heading opens their list or says everything that is asked,
    apart from words that most of the paragraphs have ("importers of high-risk systems"): no duty of an importer may get
    lost. Otherwise the best one and those that may answer, the best first.
    """
    own = [n for n, passage in enumerate(passages) if (passage.version, passage.provision.path) == article]
    places = [place for place in own if words_of(passages[place].text)]  # a mark of the print alone says nothing
    more = subject_of(question) - subject_of(passages[ranking[0].place].provision.heading)
    subjects = [subject_of(passages[place].text) for place in places]
    is_list = _OPENS.search(passages[ranking[0].place].provision.heading) is not None
    if not is_list and any(2 * sum(word in words for words in subjects) <= len(subjects) for word in more):
        likely = [one for one in ranking if one.place in places and (one is ranking[0] or one.probability >= LIKELY)]
        return likely, False
    return in_order(places, ranking), True


def in_order(places: Sequence[int], ranking: Sequence[PassageRead]) -> list[PassageRead]:
    """Passages in the order of their places, including those that were not read."""
    readings = {one.place: one for one in ranking}
    return [readings.get(place) or PassageRead(place, 0.0, -math.inf, None, 0.0) for place in places]


def paragraph_whole(
    passage: PassageFound, choice: ChosenProvision, *, beside: Set[int], asked: Set[int]
) -> ChosenProvision:
    """A paragraph of an article that is the answer with its list and all of its sentences, in their order.

    Pieces that it needs from the paragraphs `beside` it (their ordinals) are shown there. If the question names a part
    of a provision, `asked` are the paragraphs of that part, and no item of another part is shown with it.
    """
    pieces = passage.provision.pieces
    own = {n for n, piece in enumerate(pieces) if piece.ordinal == passage.ordinal}
    chosen = {piece.place: piece for piece in choice.pieces}
    needed = {n for n in chosen if pieces[n].part in ("stem", "item") or pieces[n].ordinal not in beside}
    needed = {n for n in needed if pieces[n].part != "item" or not asked or pieces[n].ordinal in asked}
    items = {pieces[n].ordinal for n in needed if pieces[n].part == "item"}
    needed |= {n for n, piece in enumerate(pieces) if piece.ordinal in items}  # all sentences of an item
    places = in_order_read(passage.provision, own | needed)
    whole = tuple(chosen.get(n) or ChosenPiece(n, part_of(passage.provision, n)) for n in places)
    return replace(choice, pieces=whole, answering=choice.answering if choice.answering in places else places[0])
