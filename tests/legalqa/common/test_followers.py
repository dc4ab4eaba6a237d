"""What follows an event is a function that exists, and is called with what happened."""

import pytest
from django.conf import settings
from django.utils.module_loading import import_string
from pytest_django import Settings

from legalqa.common.followers import followers_call

heard: list[object] = []


def hear(**facts: object) -> None:
    heard.append(facts)


@pytest.mark.parametrize("dotted", [one for followers in settings.FOLLOWERS.values() for one in followers])
def test_every_follower_is_a_function(dotted: str) -> None:
    assert callable(import_string(dotted))


def test_a_follower_gets_what_happened_and_an_event_without_one_passes(settings: Settings) -> None:
    settings.FOLLOWERS = {"tea": [f"{__name__}.hear"]}

    followers_call("tea", cups=2)
    followers_call("coffee", cups=1)

    assert heard == [{"cups": 2}]
