"""The row of chunkers, on one law: every way has a chunk set of its own, and the default is compared with each."""

from pathlib import Path

import pytest

from corpora.models import ChunkSet
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.reproduce.expected import expected_load
from legalqa.reproduce.rows.chunkers import ways_compared
from legalqa.reproduce.types import Context
from tests.legalqa.reproduce.rows.ablation.test_measuring import LAW_SET

pytestmark = pytest.mark.django_db


def test_a_law_is_split_in_every_way_and_each_is_searched() -> None:
    spec = expected_load().rows["chunkers"]

    figures = ways_compared(LAW_SET, Context("chunkers", spec, Path(), Path(), Path(), 144, lambda _: None))

    assert figures.keys() == spec.figures.keys()
    assert (figures["recall_default"].value, figures["recall_default"].n) == (1.0, 2)
    ratios = {figures[f"per_1000_{way}"].note for way in ("hierarchical", "semantic", "path")}
    assert len(ratios) == 3  # each shows other passages
    with organization_scope(Organization.objects.get(slug="bench-chunkers"), user=None):
        sets = {(one.chunker["kind"], one.context, one.is_live) for one in ChunkSet.objects.all()}
    assert sets == {
        ("sentence.v1", "heading", True),
        ("hierarchical.v1", "heading", False),
        ("semantic.v1", "heading", False),
        ("sentence.v1", "path", False),
    }
