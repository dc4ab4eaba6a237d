"""Those who are refused for want of a place come back at different times."""

import pytest

from legalqa.common.errors import TooMany
from legalqa.common.work import RETRY_S, SPREAD, Places


def test_many_who_are_refused_at_once_are_told_different_times() -> None:
    places, waits = Places(of_one=1, of_all=9, refusal="All places are taken. Wait."), set()
    with places.one("a"):
        for _ in range(100):
            with pytest.raises(TooMany) as refused, places.one("a"):
                pass
            waits.add(refused.value.extra["retry_after"])

    assert len(waits) > 5
    assert min(waits) >= RETRY_S
    assert max(waits) <= SPREAD * RETRY_S
