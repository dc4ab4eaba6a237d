"""A gold set becomes solved cases: approved questions with an answer and a passage, outside the test split."""

import json
from typing import Any

import pytest

from judging.gold.services.cases import gold_set_keep
from judging.gold.services.sets import gold_set_import
from legalqa.accounts.scoping import organization_scope
from retrieval.cases.selectors import cases_usable
from tests.judging.gold.reading import gold_rows_read
from tests.retrieval.cases.conftest import Base, base

__all__ = ["base"]
pytestmark = pytest.mark.django_db


def test_only_approved_questions_outside_the_test_split_become_cases_in_use(base: Base) -> None:
    good = {"reference_answer": "Ten days.", "reference_paragraph_ids": [base.notice_id]}
    lines = [
        {"question": "When is notice given?", **good},
        {"question": "When is a draft given?", **good, "review": "draft"},
        {"question": "When is it tested?", **good, "split": "test"},
        {"question": "Where is nothing written?", "answerable": False},
    ]
    rows = gold_rows_read("\n".join(json.dumps(line) for line in lines))
    with organization_scope(base.firm.organization, user=base.firm.owner):
        gold_set = gold_set_import(**base.acting, name="Notices", rows=rows)
        of: dict[str, Any] = {"organization": base.firm.organization, "user": base.firm.owner}
        (case,) = gold_set_keep(**of, gold_set_id=gold_set.pk).cases

        assert (case.question, case.answer, case.origin) == ("When is notice given?", "Ten days.", "gold")
        assert "ten business days" in case.support
        assert case in cases_usable(corpus=base.corpus)
