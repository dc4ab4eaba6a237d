"""The pieces of a provision that are shown: what answers, and what it must not be shown without."""

from collections.abc import Sequence, Set

from corpora.provisions.around import ITEMS_CHARS
from corpora.provisions.exceptions import excepts, leans_back, names_whole, numbers_named, saves
from corpora.provisions.types import Provision
from legalqa.answering.composing.doers import orders_what_is_asked
from legalqa.answering.composing.kinds import WHOLE_LISTS, Kind, subject_of
from legalqa.answering.composing.ranking import odds, within
from legalqa.answering.composing.tables import row_as_read
from legalqa.answering.composing.types import ChosenPiece, PassageFound, PassageRead, ReadPairs
from legalqa.encoder.client import Read

SURE = 0.6  # ours: the reader's probability from which a further piece of a paragraph is shown beside the best
WHOLE = 60  # ours: a paragraph of up to so many words is shown whole, because the sentence after a rule often limits it
WHOLE_PARAGRAPH = 120  # ours: up to so many words of a numbered paragraph, the text before the answer is shown too
WHOLE_LIST = 100  # ours: a list of up to so many words is shown whole if one of its items answers
FEW_MORE = 30  # ours: the rest of a list is shown, up to so many words, if one of its items answers
WHOLE_ITEMS = 8  # ours: items of a list that is shown whole once two of them answer
PIECES_READ = 24  # ours: pieces of one passage that are read to find the one that answers
LONGEST = 40  # ours: pieces that are shown of one provision at most


def pieces_shown(
    question: str,
    kind: Kind,
    passage: PassageFound,
    one: PassageRead,
    *,
    reader: ReadPairs,
    likely: Set[int] = frozenset(),
) -> tuple[tuple[ChosenPiece, ...], int]:
    """The pieces of a provision that are shown, and which of them answers.

    Args:
        likely: Ordinals of the other passages of the document that are likely to answer: items of one list that are
            answer together ("This law applies to: (a) …; (b) …").
    """
    provision = passage.provision
    own = [place for place, piece in enumerate(provision.pieces) if piece.ordinal == passage.ordinal]
    own = (own or list(range(len(provision.pieces))))[:PIECES_READ]
    readings, spans = _pieces_read(question, kind, provision, own, reader=reader)
    scores: dict[int, float] = {}
    for place in own:
        share = _share(one.span, provision.pieces[place].start, provision.pieces[place].end)
        scores[place] = (odds(readings[place].answers) if readings else 0.0) + 2.0 * share
    answering = max(own, key=lambda place: (scores[place], -place))
    places = {answering}
    places |= {
        place for place in readings if scores[place] >= scores[answering] - 0.7 and readings[place].answers >= SURE
    }
    is_row = bool(row_as_read(provision, answering))  # a row of a table says all there is of its subject
    if not is_row:
        places |= _of_paragraph(provision, own, answering, kind, is_read=bool(readings))
    places |= _items_likely(provision, answering, likely)
    if kind is Kind.LIST and (inner := _list_inside(question, provision, own, answering)) is not None:
        places, answering = {answering, inner}, inner
    stems = _stems_above(provision, answering)
    is_list = bool(stems) and (kind in WHOLE_LISTS or _orders_above(question, kind, provision, stems[-1]))
    if is_list and provision.pieces[answering].part not in ("definition", "stem"):
        answering = stems[-1]
        places.add(answering)
    elif stems and not is_row and _is_short_list(provision, stems[-1], places):
        places.add(stems[-1])  # one item of a short list would look like everything that is required
    shown = _completed(provision, own, places, answering)
    if kind in WHOLE_LISTS and provision.pieces[answering].part == "stem":
        shown = _with_inner_lists(provision, shown)
    if not is_row:
        shown = _with_named(question, provision, own, shown)
    order = _led(provision, with_lists_whole(provision, shown)[:LONGEST], answering)
    piece = provision.pieces[answering]
    # The line that opens a list is another paragraph than the item that was read: its words have other offsets.
    own_mark = _mark(one.span, piece.start, piece.end) if answering in own else (0, 0)
    mark = own_mark if one.is_amount and own_mark != (0, 0) else spans.get(answering) or own_mark
    return tuple(
        ChosenPiece(
            place, "answer" if place == answering else part_of(provision, place), mark if place == answering else (0, 0)
        )
        for place in order
    ), answering


def _is_short_list(provision: Provision, stem: int, places: Set[int]) -> bool:
    """Whether a list is short, or the part of it that is not shown yet."""
    whole, shown = provision.completed([stem]), provision.completed(sorted(places))
    more = [place for place in whole if place not in shown]
    return _n_words(provision, whole) <= WHOLE_LIST or _n_words(provision, more) <= FEW_MORE


def _orders_above(question: str, kind: Kind, provision: Provision, stem: int) -> bool:
    """Whether the line that opens a list says who must act, as asked: one item of many would look like all."""
    text, before = provision.pieces[stem].text, f"{provision.heading} "
    return kind is Kind.WHO and orders_what_is_asked(text, question=question, before=before)


def _of_paragraph(provision: Provision, own: Sequence[int], answering: int, kind: Kind, *, is_read: bool) -> set[int]:
    """What else is shown of the paragraph in which a piece answers: all of it if it is short or no reader is on.

    A numbered paragraph is one rule: the text before the answering sentence is shown, and a sentence that sets it all
    aside ("This paragraph shall not apply …"). An item is shown with all its sentences, and with the list that it goes
    on to open. Prose moves from one subject to another, so it is not shown further.
    """
    pieces, part = provision.pieces, provision.pieces[answering].part
    before = [place for place in own if place < answering and pieces[place].part == "rule"]
    more: set[int] = set()
    if not is_read or _n_words(provision, own) <= WHOLE:
        more |= {place for place in own if pieces[place].part != "item" and not _limits_others(provision, place)}
    counted = before if part == "exception" and names_whole(pieces[answering].text) else own if part == "rule" else []
    if counted and pieces[own[0]].label and _n_words(provision, counted) <= WHOLE_PARAGRAPH:
        more |= set(before)
    if part == "item":
        more |= {place for place in own if pieces[place].part in ("item", "rule")}
    if kind in WHOLE_LISTS:
        more |= {place for place in own if _goes_on(provision, answering, place)}
    return more


def _limits_others(provision: Provision, place: int) -> bool:
    """Whether a piece is an exception to other paragraphs than its own."""
    piece = provision.pieces[place]
    needs = {provision.pieces[need].ordinal for need in piece.needs}
    return piece.part == "exception" and bool(needs) and piece.ordinal not in needs


def _completed(provision: Provision, own: Sequence[int], places: set[int], answering: int) -> list[int]:
    """The chosen pieces with all that they need, except sentences that only leave other rules as they are."""
    needed = provision.completed(_with_exceptions_whole(provision, places))
    is_limited = any(n not in own and provision.pieces[n].part == "exception" for n in needed)
    if is_limited and provision.pieces[own[0]].part == "rule":  # the rule from which an exception is made
        needed = provision.completed(_with_exceptions_whole(provision, places | {own[0]}))
    return [n for n in needed if n == answering or provision.pieces[n].part != "exception" or not _saves(provision, n)]


def piece_shown(provision: Provision, place: int) -> tuple[tuple[ChosenPiece, ...], int]:
    """The item that the question asks for, with its other sentences, what it needs and the list that it opens."""
    own = {n for n in range(place + 1, len(provision.pieces)) if _is_paragraph_of(provision, place, n)}
    more = {n for n in own if provision.pieces[n].part in ("item", "rule", "stem")}
    needed = provision.completed(_with_exceptions_whole(provision, {place} | more))
    return tuple(ChosenPiece(n, "answer" if n == place else part_of(provision, n)) for n in needed), place


def _goes_on(provision: Provision, answering: int, place: int) -> bool:
    """Whether a piece opens the list that a rule of its paragraph leaves open: "the tasks specified in the mandate"."""
    if provision.pieces[answering].part != "rule" or provision.pieces[place].part != "stem" or place < answering:
        return False
    words = subject_of(provision.pieces[place].text)
    return 2 * len(words & subject_of(provision.pieces[answering].text)) >= len(words) > 0


def _stems_above(provision: Provision, place: int) -> list[int]:
    """The stems that open the lists a piece is in, outermost first; those that an exception limits are not above it."""
    piece = provision.pieces[place]
    if piece.part == "exception":
        return []
    return [need for need in piece.needs if provision.pieces[need].part == "stem" and need < place]


def _pieces_read(
    question: str, kind: Kind, provision: Provision, places: Sequence[int], *, reader: ReadPairs
) -> tuple[dict[int, Read], dict[int, tuple[int, int] | None]]:
    """What the reader says of pieces, and where in each the answering words are; nothing for a single piece.

    If a list may be asked for, a line that opens a list inside another one is read with its items.
    """
    if len(places) < 2:
        return {}, {}
    heading = f"{provision.heading.rstrip('. ')}. " if provision.heading else ""
    rows = {place: row_as_read(provision, place) for place in places}
    before = {place: heading + ("" if rows[place] else _stems_before(provision, place)) for place in places}
    behind = {place: _items_inside(provision, place) if kind in WHOLE_LISTS else "" for place in places}
    texts = {place: before[place] + (rows[place] or provision.pieces[place].text) + behind[place] for place in places}
    pairs = [(question, texts[place]) for place in places]
    readings = dict(zip(places, reader(pairs), strict=True))
    spans = {
        place: None if rows[place] else within(one.span, before[place], provision.pieces[place].text)
        for place, one in readings.items()
    }
    return readings, spans


def _list_inside(question: str, provision: Provision, own: Sequence[int], answering: int) -> int | None:
    """The line that opens a list inside an answering item, if the question names the subject of this item alone.

    "What must the record include?" is answered by item 3, "… shall keep a record. The record shall include: (a) …".
    """
    pieces, stem = provision.pieces, _stem_of(provision, answering)
    inner = next((n for n in own if n > answering and pieces[n].part == "stem"), None)
    if inner is None or stem is None or not _is_paragraph_of(provision, answering, inner):
        return None
    ordinals = {pieces[n].ordinal for n in (*own, *pieces[inner].needs) if n >= answering}
    others = (n for n in (stem, *pieces[stem].needs) if pieces[n].ordinal not in ordinals)
    elsewhere = subject_of(" ".join((provision.heading, *(pieces[n].text for n in others))))
    said = subject_of(" ".join(pieces[n].text for n in own))
    return inner if subject_of(question) & said - elsewhere else None


def _with_inner_lists(provision: Provision, shown: Sequence[int]) -> list[int]:
    """Pieces that are shown, and the lists that the later sentences of items among them open."""
    pieces = provision.pieces
    stems = [n for n, piece in enumerate(pieces) if piece.part == "stem"]
    inner = [n for n in stems if any(_is_paragraph_of(provision, item, n) for item in shown)]
    return sorted({*shown, *provision.completed(inner)}) if inner else list(shown)


def _with_named(question: str, provision: Provision, own: Sequence[int], shown: list[int]) -> list[int]:
    """The shown pieces, and the sentence of their paragraph that alone names the thing in question.

    "Must we label a satire?": a satirical work is named in the last sentence of the rule on labels.
    """
    said = " ".join((provision.heading, *(provision.pieces[n].text for n in shown)))
    missing = subject_of(question) - subject_of(said)
    more = [
        n
        for n in own
        if n not in shown
        and provision.pieces[n].part in ("rule", "exception")
        and missing & subject_of(provision.pieces[n].text)
    ]
    return list(provision.completed({*shown, *more})) if len(more) == 1 else shown


def _is_paragraph_of(provision: Provision, item: int, place: int) -> bool:
    """Whether a piece is in the paragraph of an item that has it for itself: its list is opened in another one."""
    pieces, stem = provision.pieces, _stem_of(provision, item)
    is_alone = pieces[item].part == "item" and (stem is None or pieces[stem].ordinal != pieces[item].ordinal)
    return is_alone and pieces[place].ordinal == pieces[item].ordinal


def _items_inside(provision: Provision, place: int) -> str:
    """The items of the list that a piece inside another list opens."""
    piece = provision.pieces[place]
    if piece.part != "stem" or _stem_of(provision, place) is None:
        return ""
    items = (n for n in piece.needs if _stem_of(provision, n) == place)
    return "".join(f" {provision.pieces[n].text}" for n in items)[:ITEMS_CHARS]


def _items_likely(provision: Provision, answering: int, likely: Set[int]) -> set[int]:
    """The likely items of the list of which an item answers."""
    stem = _stem_of(provision, answering)
    if stem is None or provision.pieces[answering].part != "item" or row_as_read(provision, answering):
        return set()
    items = (n for n, piece in enumerate(provision.pieces) if piece.part == "item" and piece.ordinal in likely)
    return {n for n in items if _stem_of(provision, n) == stem}


def _led(provision: Provision, places: Sequence[int], answering: int) -> list[int]:
    """The pieces with the sentence that answers first, where it can be read there; else in their order.

    A list keeps its order, from the line that opens it on: what is nested in it would say the contrary elsewhere
    ("shall not apply to: (a) systems used for: (i) …"). An item needs its stem before it, and "In that case …" the
    sentence before; an exception may lead that names what it is an exception to.
    """
    piece = provision.pieces[answering]
    text = piece.text.removeprefix(piece.label).strip()
    if piece.part == "stem" and _stem_of(provision, answering) is None and not leans_back(text):
        return [*(place for place in places if place >= answering), *(place for place in places if place < answering)]
    is_whole = not text[:1].islower() and text.endswith((".", ":", ";", ")", "”", '"'))  # no half of a page's sentence
    may_lead = piece.part in ("rule", "definition") or (piece.part == "exception" and numbers_named(text))
    if not (may_lead and is_whole) or leans_back(text):
        return list(places)
    items = [n for n in places if provision.pieces[n].part == "item" and answering in provision.pieces[n].needs]
    lead = [answering, *items]
    return [*lead, *(place for place in places if place not in lead)]


def _is_short(provision: Provision, places: Sequence[int]) -> bool:
    return _n_words(provision, places) <= WHOLE


def _n_words(provision: Provision, places: Sequence[int]) -> int:
    """Words of pieces; "(b)" is no word."""
    pieces = [provision.pieces[place] for place in places]
    return sum(len(piece.text.removeprefix(piece.label).split()) for piece in pieces)


def _with_exceptions_whole(provision: Provision, places: set[int]) -> list[int]:
    """The chosen pieces, and the rest of the paragraphs of their exceptions, if it is short.

    "Paragraph 9 shall not apply to X." is followed by what applies to X instead.
    """
    more = set(places)
    for place in provision.completed(sorted(places)):
        piece = provision.pieces[place]
        if piece.part == "exception":
            own = [
                n for n, other in enumerate(provision.pieces) if other.ordinal == piece.ordinal and other.part != "item"
            ]
            more |= set(own) if _is_short(provision, own) else set()
    return sorted(more)


def _saves(provision: Provision, place: int) -> bool:
    return saves(provision.pieces[place].text)


def part_of(provision: Provision, place: int) -> str:
    """What a piece is called on the page: stem, item, exception, else a rule."""
    part = provision.pieces[place].part
    return part if part in ("stem", "item", "exception") else "rule"


def _stems_before(provision: Provision, place: int) -> str:
    needs = [need for need in provision.pieces[place].needs if provision.pieces[need].part == "stem" and need < place]
    return "".join(f"{provision.pieces[need].text[-300:]} " for need in needs)


def _share(span: tuple[int, int] | None, start: int, end: int) -> float:
    """The share of a span that lies in a piece."""
    if span is None or span[1] <= span[0]:
        return 0.0
    return max(0, min(span[1], end) - max(span[0], start)) / (span[1] - span[0])


def _mark(span: tuple[int, int] | None, start: int, end: int) -> tuple[int, int]:
    if span is None or min(span[1], end) - max(span[0], start) < 2:
        return 0, 0
    return max(span[0], start) - start, min(span[1], end) - start


def with_lists_whole(provision: Provision, places: Sequence[int]) -> list[int]:
    """Places of pieces; if two items of one list are among them, its other items too, so that none gets lost."""
    whole, added = set(places), set[int]()
    for stem, piece in enumerate(provision.pieces):
        items = {n for n in piece.needs if n > stem and _stem_of(provision, n) == stem}
        if piece.part == "stem" and 1 < len(whole & items) < len(items) <= WHOLE_ITEMS:
            added |= items - whole
    return in_order_read(provision, whole | set(provision.completed(added)))


def in_order_read(provision: Provision, places: Set[int]) -> list[int]:
    """Places of pieces in their order, but a rule comes after the list that is an exception to it: the list answers.

    "30. Paragraph 29 shall not apply to: (a) …; (b) …", then paragraph 29.
    """
    pieces = provision.pieces
    lists = {
        n for n in places if pieces[n].part == "stem" and excepts(pieces[n].text.removeprefix(pieces[n].label).lstrip())
    }
    set_aside = {
        need
        for n in lists
        for need in pieces[n].needs
        if need < n and pieces[need].ordinal != pieces[n].ordinal and pieces[need].part in ("rule", "definition")
    }
    return sorted(places, key=lambda place: (place in set_aside, place))


def _stem_of(provision: Provision, place: int) -> int | None:
    """The stem that opens the list of an item: the nearest of those before it that it needs."""
    stems = [n for n in provision.pieces[place].needs if n < place and provision.pieces[n].part == "stem"]
    return max(stems, default=None)
