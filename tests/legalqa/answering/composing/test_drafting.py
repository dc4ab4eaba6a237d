"""From what was composed to the draft of an answer: passages are named by their rank in the evidence."""

from collections.abc import Sequence

from corpora.models import Document, Paragraph, Position
from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part, Role
from legalqa.answering.composing.drafting import draft_composed
from legalqa.answering.composing.types import Asked, ChosenPiece, ChosenProvision, Composed, PartAnswered, PassageFound
from legalqa.answering.types import Draft
from retrieval.services.search import Passage

LINES = (
    "(a) An employer must publish on its website:",
    "(1) the date of the most recent bias audit; and",
    "(2) the distribution date of the tool.",
)
PARTS = [Part(n, text, "list", text[:3], ("§ 5-303",)) for n, text in enumerate(LINES)]
PASSAGES = [PassageFound("v1", "d1", n, n, part.text, provision_at(PARTS, n)) for n, part in enumerate(PARTS)]
RANKS = [4, 2, 9]  # of the search, which did not put first what was read first


def opened(ordinal: int, rank: int) -> Passage:
    at = Position(pk=ordinal + 1, ordinal=ordinal, paragraph=Paragraph(pk=ordinal + 1))
    return Passage(rank, 1.0, rank, at, Document(name="Rules"), 1, "pdf", ())


GIVEN = {("v1", ordinal): opened(ordinal, rank) for ordinal, rank in enumerate(RANKS)}


def drafted(composed: Composed, *, code: str = "unsure", unmentioned: Sequence[str] = ()) -> Draft:
    return draft_composed(
        composed,
        PASSAGES,
        given=GIVEN,
        silence=(code, "Why.", ""),
        unmentioned=unmentioned,
        threshold=0.4,
        step={"step": "reader"},
    )


def provision_of(passage: int) -> ChosenProvision:
    pieces = [ChosenPiece(0, "answer"), ChosenPiece(1, "item"), ChosenPiece(2, "item")]
    return ChosenProvision(passage, tuple(pieces), 0)


def test_the_likeliest_provision_of_a_silence_is_kept_whole_by_rank_and_place() -> None:
    part = PartAnswered(Asked("What must be published?"), 0.3, ())
    draft = drafted(Composed("list", (), (part,), likeliest=provision_of(0)))

    assert draft.state == "insufficient_evidence"
    assert not draft.claims
    kept = draft.composition["likeliest"]
    assert [(one["rank"], one["part"]) for one in kept] == [(4, "answer"), (2, "item"), (9, "item")]
    assert [LINES[n][one["start"] : one["end"]] for n, one in enumerate(kept)] == list(LINES)


def test_a_silence_for_another_reason_shows_no_likeliest_provision() -> None:
    part = PartAnswered(Asked("What must be published?"), 0.3, ())

    assert (
        "likeliest"
        not in drafted(Composed("list", (), (part,), likeliest=provision_of(0)), code="language").composition
    )


def test_what_is_also_on_the_subject_is_named_by_its_rank_not_by_its_place() -> None:
    part = PartAnswered(Asked("What must be published?"), 0.9, (0,))
    one = ChosenProvision(0, (ChosenPiece(0, "answer"),), 0)

    assert drafted(Composed("list", (one,), (part,), also=((2, "recital"),))).composition["also"] == [
        {"rank": 9, "label": "recital"}
    ]


def test_words_that_two_provisions_need_are_shown_once() -> None:
    part = PartAnswered(Asked("What must be published?"), 0.9, (0, 1))
    second = ChosenProvision(1, (ChosenPiece(1, "answer"), ChosenPiece(2, "exception")), 1)
    first = ChosenProvision(0, (ChosenPiece(0, "answer"), ChosenPiece(2, "exception")), 0)

    claims = drafted(Composed("list", (first, second), (part,))).claims

    assert [(claim.text, claim.provision) for claim in claims] == [
        (LINES[0], 0),
        (LINES[2], 0),
        (LINES[1], 1),
    ]


def test_a_part_whose_words_are_all_shown_for_another_leads_to_these() -> None:
    item = ChosenProvision(1, (ChosenPiece(1, "answer"),), 1)
    own = ChosenProvision(2, (ChosenPiece(0, "stem"), ChosenPiece(2, "answer")), 2)
    first = ChosenProvision(0, (ChosenPiece(0, "answer"), ChosenPiece(1, "item")), 0)
    parts = tuple(PartAnswered(Asked(text), 0.9, (n,)) for n, text in enumerate(("What?", "Of when?", "And else?")))
    draft = drafted(Composed("list", (first, item, own), parts))

    assert [part["provisions"] for part in draft.composition["parts"]] == [[0], [0], [2]]


def test_an_answer_to_a_question_with_a_name_that_no_document_has_says_so() -> None:
    part = PartAnswered(Asked("Must a candidate in New Jersey be told?"), 0.6, (0,))
    draft = drafted(Composed("yes_no", (provision_of(0),), (part,)), unmentioned=["New Jersey"])

    assert draft.composition["unmentioned"] == ["New Jersey"]
    assert draft.why.startswith("Quoted from the documents. The documents do not mention “New Jersey”.")


def test_an_answer_out_of_a_recital_alone_is_partial_and_says_so() -> None:
    recital = Part(0, "(47) Systems could harm persons.", "text", "(47)", role=Role.RECITAL)
    passage = PassageFound("v1", "d1", 0, 0, recital.text, provision_at([recital], 0))
    chosen = ChosenProvision(0, (ChosenPiece(0, "answer"),), 0)
    composed = Composed("open", (chosen,), (PartAnswered(Asked("Can systems do harm?"), 0.9, (0,)),), (), (), 0)

    draft = draft_composed(
        composed,
        [passage],
        given={("v1", 0): opened(0, 0)},
        silence=("", "", ""),
        unmentioned=(),
        threshold=0.4,
        step={"step": "reader"},
    )

    assert (draft.state, "a recital, a note or an example" in draft.why) == ("partial", True)
