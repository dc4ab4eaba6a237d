"""Figures of claim support, on invented claims whose verdicts are known."""

from pathlib import Path

import pytest

from legalqa.answering.verification import Claim
from legalqa.reproduce import planted
from legalqa.reproduce.rows import support
from legalqa.reproduce.support import Judged, checks_of, overlap_of
from legalqa.reproduce.types import Context, FigureSpec, RowSpec

RULE = "The provider shall keep the records for ten years, unless national law says otherwise."
SPEC = RowSpec(title="made", figures={"any": FigureSpec(what="any", figure="any")})
CONTEXT = Context("made", SPEC, Path(), Path(), Path(), 144, lambda _: None)


def test_planted_edits_are_counted_by_kind_and_true_claims_that_are_lost(
    monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    rows = [
        planted.Planted("true-1", "law", "", RULE.replace("shall", "must"), RULE),
        planted.Planted("number-1", "law", "number", RULE.replace("ten", "two"), RULE),
        planted.Planted("exception-1", "law", "exception", RULE.partition(",")[0] + ".", RULE),
    ]
    settings.READER = "off"  # type: ignore[attr-defined]  # Django's settings
    monkeypatch.setattr(support, "planted_rows", lambda _: rows)
    figures = support.planted(CONTEXT)

    assert (figures["caught"].value, figures["caught"].n) == (1.0, 2)
    assert (figures["lost"].value, figures["lost"].n) == (0.0, 1)
    assert (figures["withheld"].value, figures["exception"].value, figures["exception"].n) == (0.5, 1, 1)


def test_claims_are_checked_in_parts_and_progress_is_reported() -> None:
    told: list[str] = []
    checks = checks_of([Judged(Claim(RULE, [RULE]), is_supported=True)] * 41, reads=None, note=told.append)

    assert [check.verdict for check in checks] == ["supported"] * 41
    assert told == ["40 of 41 claims checked", "41 of 41 claims checked"]


def test_overlap_is_the_share_of_a_claims_words_in_its_evidence() -> None:
    assert overlap_of(Claim("The provider keeps horses.", [RULE])) == pytest.approx(2 / 3)
